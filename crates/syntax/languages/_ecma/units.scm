(comment) @comment

; Functions and classes by their own names. The wider of two matches for a
; name wins, so each has a pattern with and one without `export`.
(function_declaration name: (identifier) @name body: (_) @body) @unit.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @unit.function

; A default export without a name is called what it is imported as.
(export_statement
  "default" @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression !name body: (_) @body)
    (generator_function !name body: (_) @body)
  ]) @unit.function
(export_statement "default" @name value: (class !name body: (_) @body)) @unit.class

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
      [(arrow_function) (function_expression) (call_expression)]))) @test.function
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
