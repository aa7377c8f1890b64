(comment) @comment
(class_body (decorator) @attribute)

; Functions and classes by their own names. The wider of two matches for a
; name wins, so each has a pattern with and one without `export`.
(function_declaration name: (identifier) @name body: (_) @body) @unit.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @unit.function
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

; A default export without a name is called what it is imported as.
(export_statement
  "default" @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression !name body: (_) @body)
    (generator_function !name body: (_) @body)
  ]) @unit.function
(export_statement "default" @name value: (class !name body: (_) @body)) @unit.class

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

; Functions in objects, if they have a block: others are mere values.
(pair
  key: [(property_identifier) (string)] @name
  value: [
    (arrow_function body: (statement_block) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @unit.function

; Functions bound to names. Arrows without a block count only at the top:
; inside a function they are local values.
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (statement_block) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @unit.function
(lexical_declaration
  . (variable_declarator
    name: (identifier) @name
    value: [
      (arrow_function body: (statement_block) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ]) .) @unit.function
(variable_declaration
  . (variable_declarator
    name: (identifier) @name
    value: [
      (arrow_function body: (statement_block) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ]) .) @unit.function
(program
  (_ (variable_declarator
    name: (identifier) @name
    value: (arrow_function body: (_) @body)) @unit.function))
(program
  (_ . (variable_declarator
    name: (identifier) @name
    value: (arrow_function body: (_) @body)) .) @unit.function)
(export_statement
  declaration: (_ . (variable_declarator
    name: (identifier) @name
    value: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ]) .)) @unit.function

; Named functions that are handed to something.
((call_expression
  function: (_) @_wrapper
  arguments: (arguments
    (function_expression name: (identifier) @name body: (_) @body) @unit.function))
  (#not-match? @_wrapper "^(React\\.)?(memo|forwardRef|observer|useCallback)$"))
(export_statement
  value: (binary_expression
    right: (function_expression name: (identifier) @name body: (_) @body))) @unit.function

; React's wrappers around a function.
((lexical_declaration
  . (variable_declarator
    name: (identifier) @name
    value: (call_expression
      function: (_) @_wrapper
      arguments: (arguments . [
        (arrow_function body: (statement_block) @body)
        (function_expression body: (_) @body)
      ]))) .) @unit.function
  (#match? @_wrapper "^(React\\.)?(memo|forwardRef|observer|useCallback)$"))
((export_statement
  declaration: (lexical_declaration
    . (variable_declarator
      name: (identifier) @name
      value: (call_expression
        function: (_) @_wrapper
        arguments: (arguments . [
          (arrow_function body: (_) @body)
          (function_expression body: (_) @body)
        ]))) .)) @unit.function
  (#match? @_wrapper "^(React\\.)?(memo|forwardRef|observer|useCallback)$"))

; Classes bound to names.
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @unit.class
(lexical_declaration
  . (variable_declarator name: (identifier) @name value: (class body: (_) @body)) .) @unit.class
(export_statement
  declaration: (_
    . (variable_declarator name: (identifier) @name value: (class body: (_) @body)) .)) @unit.class

; Functions and classes assigned to names and properties.
((assignment_expression
  left: [
    (identifier) @name
    (subscript_expression) @name
    (member_expression property: (_) @name)
  ] @_left
  right: [
    (arrow_function body: (statement_block) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @unit.function
  (#not-eq? @_left "module.exports")
  (#not-match? @_left "\\.prototype\\."))
((program
  (expression_statement
    (assignment_expression
      left: [
        (identifier) @name
        (subscript_expression) @name
        (member_expression property: (_) @name)
      ] @_left
      right: (arrow_function body: (_) @body)) @unit.function))
  (#not-eq? @_left "module.exports")
  (#not-match? @_left "\\.prototype\\."))
((assignment_expression
  left: (member_expression property: (_) @name) @_left
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @unit.method
  (#match? @_left "\\.prototype\\."))
((assignment_expression
  left: [
    (identifier) @name
    (member_expression property: (_) @name)
  ] @_left
  right: (class body: (_) @body)) @unit.class
  (#not-eq? @_left "module.exports"))
((assignment_expression
  left: (_) @_left
  right: [
    (function_expression name: (identifier) @name body: (_) @body)
    (generator_function name: (identifier) @name body: (_) @body)
  ]) @unit.function
  (#eq? @_left "module.exports"))
((assignment_expression
  left: (_) @_left
  right: (class name: (_) @name body: (_) @body)) @unit.class
  (#eq? @_left "module.exports"))
((assignment_expression
  left: (member_expression property: (_) @name) @_left
  right: [
    (arrow_function body: (_) @body)
    (function_expression !name body: (_) @body)
    (generator_function !name body: (_) @body)
  ]) @unit.function
  (#eq? @_left "module.exports"))
((assignment_expression
  left: (member_expression property: (_) @name) @_left
  right: (class !name body: (_) @body)) @unit.class
  (#eq? @_left "module.exports"))

; One function under several names: `a.b = a.c = function …`.
(expression_statement
  (assignment_expression
    right: (assignment_expression
      left: (member_expression property: (_) @name)
      right: [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
      ]))) @unit.function

; What is assigned to a property is qualified by its object.
((expression_statement
  (assignment_expression
    left: (member_expression object: [(identifier) (member_expression)] @name)
    right: [(arrow_function) (function_expression) (generator_function) (class)])) @scope
  (#not-match? @name "^(exports|module|module\\.exports|self|window|global|globalThis)$|\\.prototype$"))
((expression_statement
  (assignment_expression
    left: (member_expression
      object: (member_expression object: (_) @name property: (_) @_prototype))
    right: [(arrow_function) (function_expression) (generator_function)])) @scope
  (#eq? @_prototype "prototype"))
((expression_statement
  (assignment_expression
    left: (member_expression object: (_) @name property: (_) @_prototype)
    right: (object) @body)) @unit.impl
  (#eq? @_prototype "prototype"))

; Tests, by what they say.
((expression_statement
  (call_expression
    function: (_) @_test
    arguments: (arguments
      . [(string) (template_string)] @name
      [(arrow_function) (function_expression) (call_expression)]))) @unit.function
  (#match? @_test "^[xf]?(describe|it|test|suite|context|specify|bench)([.(`]|$)"))

; Handlers by what they are for: `app.get("/users", …)`, `task("build", …)`.
((program
  (expression_statement
    (call_expression
      function: [
        (identifier) @name
        (member_expression property: (property_identifier) @name)
      ] @_test
      arguments: (arguments
        (string) @name
        [(arrow_function) (function_expression)] .))) @unit.function)
  (#not-match? @_test "^[xf]?(describe|it|test|suite|context|specify|bench)([.(`]|$)"))

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
(program (_ . (variable_declarator name: (identifier) @name !value) .) @unit.constant)
(export_statement
  declaration: (_ . (variable_declarator name: (identifier) @name !value) .)) @unit.constant
((program
  (expression_statement
    (assignment_expression
      left: (member_expression object: (_) @_exports property: (property_identifier) @name)
      right: [
        (array) (object) (string) (template_string) (number) (regex) (call_expression)
        (new_expression) (binary_expression)
      ] @_value)) @unit.constant)
  (#match? @_exports "^(module\\.)?exports$")
  (#not-match? @_value "^require\\("))

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
