(comment) @comment

(function_declaration
  name: (identifier) @name
  body: (block)? @body) @unit.function

; A method is known by its receiver's type: the scope, found first, is the
; same node and lends it that name.
(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @name
        (pointer_type (type_identifier) @name)
        (generic_type type: (type_identifier) @name)
        (pointer_type (generic_type type: (type_identifier) @name))
      ]))) @scope

(method_declaration
  name: (field_identifier) @name
  body: (block)? @body) @unit.method

; In parentheses each declaration is a unit, with the opening line and its
; comment before it. Alone, it is one with its keyword.
(source_file (const_declaration "(") @scope)
(source_file (var_declaration (var_spec_list)) @scope)
(source_file (type_declaration "(") @scope)

(type_declaration
  (type_spec
    name: (type_identifier) @name
    type: (struct_type (field_declaration_list) @body)) @unit.struct)
((type_declaration
  (type_spec
    name: (type_identifier) @name
    type: (struct_type (field_declaration_list) @body))) @unit.struct
  (#not-match? @unit.struct "^type\\s*\\("))

(type_declaration
  (type_spec
    name: (type_identifier) @name
    type: (interface_type "{" @body)) @unit.interface)
((type_declaration
  (type_spec
    name: (type_identifier) @name
    type: (interface_type "{" @body))) @unit.interface
  (#not-match? @unit.interface "^type\\s*\\("))
(type_spec
  type: (interface_type
    (method_elem name: (field_identifier) @name) @unit.method))

(type_declaration
  (type_spec
    name: (type_identifier) @name
    type: [
      (type_identifier) (generic_type) (qualified_type) (pointer_type)
      (array_type) (slice_type) (map_type) (channel_type) (function_type)
    ]) @unit.type)
((type_declaration
  (type_spec
    name: (type_identifier) @name
    type: [
      (type_identifier) (generic_type) (qualified_type) (pointer_type)
      (array_type) (slice_type) (map_type) (channel_type) (function_type)
    ])) @unit.type
  (#not-match? @unit.type "^type\\s*\\("))

(type_declaration (type_alias name: (type_identifier) @name) @unit.type)
((type_declaration (type_alias name: (type_identifier) @name)) @unit.type
  (#not-match? @unit.type "^type\\s*\\("))

(source_file
  (const_declaration (const_spec . name: (identifier) @name) @unit.constant))
(source_file
  (const_declaration (const_spec . name: (identifier) @name)) @unit.constant
  (#not-match? @unit.constant "^const\\s*\\("))

; `var _ = …` checks or runs something and names nothing.
(source_file
  (var_declaration (var_spec . name: (identifier) @name !value)) @unit.constant)
(source_file
  (var_declaration
    (var_spec_list (var_spec . name: (identifier) @name !value) @unit.constant)))
(source_file
  (var_declaration (var_spec . name: (identifier) @name value: (_) @_value)) @unit.constant
  (#not-eq? @name "_")
  (#not-match? @_value "^func\\b"))
(source_file
  (var_declaration
    (var_spec_list
      (var_spec . name: (identifier) @name value: (_) @_value) @unit.constant))
  (#not-eq? @name "_")
  (#not-match? @_value "^func\\b"))

(source_file
  (var_declaration
    (var_spec
      . name: (identifier) @name
      value: (expression_list . (func_literal body: (block) @body)))) @unit.function
  (#not-eq? @name "_"))
(source_file
  (var_declaration
    (var_spec_list
      (var_spec
        . name: (identifier) @name
        value: (expression_list . (func_literal body: (block) @body))) @unit.function))
  (#not-eq? @name "_"))

; Named parts of tests: t.Run("…", func…), and Ginkgo's words.
(call_expression
  function: (selector_expression field: (field_identifier) @_word)
  arguments: (argument_list
    . (interpreted_string_literal) @name
    . (func_literal body: (block) @body))
  (#eq? @_word "Run")) @test.function

(call_expression
  function: (identifier) @_word
  arguments: (argument_list
    . (interpreted_string_literal) @name
    (func_literal body: (block) @body))
  (#any-of? @_word "Describe" "Context" "When" "It" "Specify")) @test.function

; Members, and further names of a declaration.
(field_declaration name: (field_identifier) @name) @member.field
(source_file (const_declaration (const_spec name: (identifier) @name) @member.constant))
(source_file
  (var_declaration (var_spec name: (identifier) @name) @member.constant)
  (#not-eq? @name "_"))
(source_file
  (var_declaration (var_spec_list (var_spec name: (identifier) @name) @member.constant))
  (#not-eq? @name "_"))
