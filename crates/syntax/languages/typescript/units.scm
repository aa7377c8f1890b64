; inherits: _ecma

(class_body (decorator) @attribute)

(function_signature name: (identifier) @name) @unit.function
(ambient_declaration (function_signature name: (identifier) @name)) @unit.function
(export_statement
  declaration: [
    (function_declaration name: (identifier) @name body: (_) @body)
    (generator_function_declaration name: (identifier) @name body: (_) @body)
    (function_signature name: (identifier) @name)
    (ambient_declaration (function_signature name: (identifier) @name))
  ]) @unit.function

(class_declaration "class" @head name: (_) @name body: (_) @body) @unit.class
(abstract_class_declaration "abstract" @head name: (_) @name body: (_) @body) @unit.class
(ambient_declaration
  [
    (class_declaration name: (_) @name body: (_) @body)
    (abstract_class_declaration name: (_) @name body: (_) @body)
  ]) @unit.class
(export_statement
  "export" @head
  declaration: [
    (class_declaration !decorator name: (_) @name body: (_) @body)
    (abstract_class_declaration !decorator name: (_) @name body: (_) @body)
    (ambient_declaration (class_declaration name: (_) @name body: (_) @body))
    (ambient_declaration (abstract_class_declaration name: (_) @name body: (_) @body))
  ]) @unit.class
(export_statement
  declaration: [
    (class_declaration decorator: (decorator) "class" @head name: (_) @name body: (_) @body)
    (abstract_class_declaration decorator: (decorator) "abstract" @head name: (_) @name body: (_) @body)
  ]) @unit.class

; Types.
(interface_declaration name: (_) @name body: (_) @body) @unit.interface
(ambient_declaration (interface_declaration name: (_) @name body: (_) @body)) @unit.interface
(export_statement
  declaration: [
    (interface_declaration name: (_) @name body: (_) @body)
    (ambient_declaration (interface_declaration name: (_) @name body: (_) @body))
  ]) @unit.interface
(program (type_alias_declaration name: (_) @name) @unit.type)
(module body: (_ (type_alias_declaration name: (_) @name) @unit.type))
(internal_module body: (_ (type_alias_declaration name: (_) @name) @unit.type))
(ambient_declaration (statement_block (type_alias_declaration name: (_) @name) @unit.type))
(ambient_declaration (type_alias_declaration name: (_) @name)) @unit.type
(export_statement
  declaration: [
    (type_alias_declaration name: (_) @name)
    (ambient_declaration (type_alias_declaration name: (_) @name))
  ]) @unit.type
(enum_declaration name: (_) @name body: (_) @body) @unit.enum
(ambient_declaration (enum_declaration name: (_) @name body: (_) @body)) @unit.enum
(export_statement
  declaration: [
    (enum_declaration name: (_) @name body: (_) @body)
    (ambient_declaration (enum_declaration name: (_) @name body: (_) @body))
  ]) @unit.enum

; Namespaces, `declare module "x"` and `declare global`.
(internal_module name: (_) @name body: (_) @body) @unit.module
(module name: (_) @name body: (_) @body) @unit.module
(ambient_declaration
  [
    (internal_module name: (_) @name body: (_) @body)
    (module name: (_) @name body: (_) @body)
  ]) @unit.module
(ambient_declaration "global" @name (statement_block) @body) @unit.module
(export_statement
  declaration: [
    (internal_module name: (_) @name body: (_) @body)
    (module name: (_) @name body: (_) @body)
    (ambient_declaration (internal_module name: (_) @name body: (_) @body))
  ]) @unit.module

; Signatures in interfaces stay part of them, like fields.
(method_definition name: (_) @name body: (_) @body) @unit.function
(class_body (method_signature name: (_) @name) @unit.function)
(abstract_method_signature name: (_) @name) @unit.function
(public_field_definition
  name: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]) @unit.function

((assignment_expression
  left: (_) @_left
  right: (class name: (_) @name body: (_) @body)) @unit.class
  (#eq? @_left "module.exports"))

; Names bound at the top of a module, unless to what is imported.
((program
  (_ (variable_declarator
    name: (identifier) @name
    value: [
      (array) (object) (string) (template_string) (number) (regex) (true) (false) (null) (undefined)
      (identifier) (member_expression) (subscript_expression) (call_expression) (new_expression)
      (unary_expression) (binary_expression) (ternary_expression) (await_expression)
      (parenthesized_expression) (as_expression) (satisfies_expression) (non_null_expression)
    ] @_value) @unit.constant))
  (#not-match? @_value "^(await )?(require|import)\\(|^(React\\.)?(memo|forwardRef|observer)(<[^(]*>)?\\((function|\\()"))
((program
  (_ . (variable_declarator
    name: (identifier) @name
    value: [
      (array) (object) (string) (template_string) (number) (regex) (true) (false) (null) (undefined)
      (identifier) (member_expression) (subscript_expression) (call_expression) (new_expression)
      (unary_expression) (binary_expression) (ternary_expression) (await_expression)
      (parenthesized_expression) (as_expression) (satisfies_expression) (non_null_expression)
    ] @_value) .) @unit.constant)
  (#not-match? @_value "^(await )?(require|import)\\(|^(React\\.)?(memo|forwardRef|observer)(<[^(]*>)?\\((function|\\()"))
((export_statement
  declaration: (_ . (variable_declarator
    name: (identifier) @name
    value: [
      (array) (object) (string) (template_string) (number) (regex) (true) (false) (null) (undefined)
      (identifier) (member_expression) (subscript_expression) (call_expression) (new_expression)
      (unary_expression) (binary_expression) (ternary_expression) (await_expression)
      (parenthesized_expression) (as_expression) (satisfies_expression) (non_null_expression)
    ] @_value) .)) @unit.constant
  (#not-match? @_value "^(await )?(require|import)\\(|^(React\\.)?(memo|forwardRef|observer)(<[^(]*>)?\\((function|\\()"))

; Ambient values, and values in namespaces.
(ambient_declaration (_ . (variable_declarator name: (identifier) @name) .)) @unit.constant
(export_statement
  declaration: (ambient_declaration
    (_ . (variable_declarator name: (identifier) @name) .))) @unit.constant
(internal_module
  body: (statement_block
    (lexical_declaration
      . (variable_declarator
        name: (identifier) @name
        value: [
          (array) (object) (string) (template_string) (number) (regex) (call_expression)
          (new_expression) (as_expression)
        ]) .) @unit.constant))
(module
  body: (statement_block
    (_ . (variable_declarator name: (identifier) @name !value) .) @unit.constant))

; Members. A parameter of a constructor may be one as well.
(public_field_definition name: (_) @name) @member.field
(property_signature name: (_) @name) @member.field
(method_signature name: (_) @name) @member.method
(enum_body name: (_) @name @member.variant)
(enum_assignment name: (_) @name) @member.variant
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @assigned.field
(required_parameter "readonly" pattern: (identifier) @name) @assigned.field
