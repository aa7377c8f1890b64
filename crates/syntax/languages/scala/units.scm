(comment) @comment
(block_comment) @comment

(package_object name: (identifier) @name body: (_) @body) @unit.module

; Annotations are inside the definitions: a signature begins after them.
(class_definition
  ((annotation) . [(modifiers) "case" "class"] @head)?
  name: (identifier) @name
  body: (template_body)? @body) @unit.class
(object_definition
  ((annotation) . [(modifiers) "case" "object"] @head)?
  name: (identifier) @name
  body: (template_body)? @body) @unit.class
(trait_definition
  ((annotation) . [(modifiers) "trait"] @head)?
  name: (identifier) @name
  body: (template_body)? @body) @unit.trait
(enum_definition name: (identifier) @name body: (enum_body) @body) @unit.enum

; Extensions and instances are named by the type they are for.
(extension_definition
  parameters: (parameters
    (parameter
      type: [
        (type_identifier) @name
        (generic_type type: (type_identifier) @name)
      ]))) @unit.impl
(given_definition name: (identifier) @name body: (_)? @body) @unit.impl
(given_definition !name return_type: (_) @name body: (_)? @body) @unit.impl

(function_definition
  ((annotation) . [(modifiers) "def"] @head)?
  name: (_) @name
  body: (_)? @body) @unit.function
(function_declaration name: (_) @name) @unit.function

(type_definition name: (type_identifier) @name) @unit.type

; Values of a file or an object; those of a class are fields.
(compilation_unit
  [
    (val_definition pattern: (identifier) @name)
    (var_definition pattern: (identifier) @name)
  ] @unit.constant)
(object_definition
  body: (template_body
    [
      (val_definition pattern: (identifier) @name)
      (var_definition pattern: (identifier) @name)
    ] @unit.constant))
(package_object
  body: (template_body
    [
      (val_definition pattern: (identifier) @name)
      (var_definition pattern: (identifier) @name)
    ] @unit.constant))

; A value with methods of its own: they belong to it, not to the class.
(class_definition
  body: (template_body
    (val_definition
      pattern: (identifier) @name
      value: (instance_expression (template_body) @body)) @unit.constant))
(trait_definition
  body: (template_body
    (val_definition
      pattern: (identifier) @name
      value: (instance_expression (template_body) @body)) @unit.constant))

; Tests named by a string: `test("…") { … }`, `test("…") - { … }`,
; `"a" should "b" in { … }`, `"a" should { "b" in { … } }`.
(call_expression
  function: (call_expression
    function: (identifier) @_word
    arguments: (arguments . (string) @name))
  arguments: (_) @body
  (#any-of? @_word "test" "describe" "it" "feature" "scenario" "property")) @test.function
(infix_expression
  left: (call_expression
    function: (identifier) @_word
    arguments: (arguments . (string) @name))
  right: (block) @body
  (#eq? @_word "test")) @test.function
(infix_expression
  left: (infix_expression
    left: [(string) (identifier)] @name
    operator: (identifier) @name
    right: (string) @name)
  operator: (identifier) @_word
  right: (block) @body
  (#eq? @_word "in")) @test.function
(infix_expression
  left: (string) @name
  operator: (identifier) @_word
  right: (block) @body
  (#any-of? @_word "in" "should" "must" "can" "when")) @test.function

; Members. The parameters of a class are its fields.
(class_parameters (class_parameter name: (identifier) @name) @member.field)
(template_body (val_definition pattern: (identifier) @name) @member.field)
(template_body (var_definition pattern: (identifier) @name) @member.field)
(template_body (val_definition pattern: (tuple_pattern (identifier) @name)) @member.field)
(template_body (val_definition pattern: (identifiers (identifier) @name)) @member.field)
(template_body (var_definition pattern: (identifiers (identifier) @name)) @member.field)
(template_body (val_declaration name: (identifier) @name) @member.field)
(template_body (var_declaration name: (identifier) @name) @member.field)
(enum_case_definitions (simple_enum_case name: (identifier) @name) @member.variant)
(enum_case_definitions (full_enum_case name: (identifier) @name) @member.variant)
