; inherits: _ecma

(export_statement
  declaration: [
    (function_declaration name: (identifier) @name body: (_) @body)
    (generator_function_declaration name: (identifier) @name body: (_) @body)
  ]) @unit.function

(class_declaration "class" @head name: (identifier) @name body: (_) @body) @unit.class
(export_statement
  "export" @head
  declaration: (class_declaration !decorator name: (identifier) @name body: (_) @body)) @unit.class
(export_statement
  declaration: (class_declaration
    decorator: (decorator)
    "class" @head
    name: (identifier) @name
    body: (_) @body)) @unit.class

(method_definition !decorator name: (_) @name body: (_) @body) @unit.function
(method_definition decorator: (decorator) name: (_) @name @head body: (_) @body) @unit.function
(field_definition
  property: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]) @unit.function

((assignment_expression
  left: (_) @_left
  right: (class name: (identifier) @name body: (_) @body)) @unit.class
  (#eq? @_left "module.exports"))

; Names bound at the top of a module, unless to what is imported.
((program
  (_ (variable_declarator
    name: (identifier) @name
    value: [
      (array) (object) (string) (template_string) (number) (regex) (true) (false) (null) (undefined)
      (identifier) (member_expression) (subscript_expression) (call_expression) (new_expression)
      (unary_expression) (binary_expression) (ternary_expression) (await_expression)
      (parenthesized_expression) (jsx_element) (jsx_self_closing_element)
    ] @_value) @unit.constant))
  (#not-match? @_value "^(await )?(require|import)\\(|^(React\\.)?(memo|forwardRef|observer)\\((function|\\()"))
((program
  (_ . (variable_declarator
    name: (identifier) @name
    value: [
      (array) (object) (string) (template_string) (number) (regex) (true) (false) (null) (undefined)
      (identifier) (member_expression) (subscript_expression) (call_expression) (new_expression)
      (unary_expression) (binary_expression) (ternary_expression) (await_expression)
      (parenthesized_expression) (jsx_element) (jsx_self_closing_element)
    ] @_value) .) @unit.constant)
  (#not-match? @_value "^(await )?(require|import)\\(|^(React\\.)?(memo|forwardRef|observer)\\((function|\\()"))
((export_statement
  declaration: (_ . (variable_declarator
    name: (identifier) @name
    value: [
      (array) (object) (string) (template_string) (number) (regex) (true) (false) (null) (undefined)
      (identifier) (member_expression) (subscript_expression) (call_expression) (new_expression)
      (unary_expression) (binary_expression) (ternary_expression) (await_expression)
      (parenthesized_expression) (jsx_element) (jsx_self_closing_element)
    ] @_value) .)) @unit.constant
  (#not-match? @_value "^(await )?(require|import)\\(|^(React\\.)?(memo|forwardRef|observer)\\((function|\\()"))

; Members: what a class declares, and what its methods assign to `this`.
(field_definition property: (_) @name) @member.field
(assignment_expression
  left: (member_expression
    object: (this)
    property: [(property_identifier) (private_property_identifier)] @name)) @assigned.field
