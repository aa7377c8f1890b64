(line_comment) @comment
(block_comment) @comment
; A string before a definition is its documentation.
(source_file (string_literal) @comment)
(module_definition (string_literal) @comment)

(module_definition name: (_) @name . (_)? @body) @unit.module

(function_definition
  (signature [
    (identifier) @name
    (call_expression . [(identifier) (field_expression) (operator)] @name)
    (call_expression . (parametrized_type_expression . (_) @name))
    (call_expression . (parenthesized_expression) @name)
    (typed_expression . (call_expression . [(identifier) (field_expression) (operator)] @name))
    (where_expression . (call_expression . [(identifier) (field_expression) (operator)] @name))
    (where_expression . (call_expression . (parametrized_type_expression . (_) @name)))
    (where_expression
      . (typed_expression . (call_expression . [(identifier) (field_expression) (operator)] @name)))
  ])
  . (_)? @body) @unit.function

; f(x) = …
(assignment
  . [
    (call_expression . [(identifier) (field_expression) (operator)] @name)
    (call_expression . (parametrized_type_expression . (_) @name))
    (call_expression . (parenthesized_expression) @name)
    (typed_expression . (call_expression . [(identifier) (field_expression) (operator)] @name))
    (where_expression . (call_expression . [(identifier) (field_expression) (operator)] @name))
    (where_expression . (call_expression . (parametrized_type_expression . (_) @name)))
    (where_expression
      . (typed_expression . (call_expression . [(identifier) (field_expression) (operator)] @name)))
  ]) @unit.function

(macro_definition
  (signature (call_expression . [(identifier) (operator)] @name))
  . (_)? @body) @unit.macro

(struct_definition
  (type_head [
    (identifier) @name
    (parametrized_type_expression . (_) @name)
    (binary_expression . [(identifier) @name (parametrized_type_expression . (_) @name)])
  ])
  . (_)? @body) @unit.struct
(abstract_definition
  (type_head [
    (identifier) @name
    (parametrized_type_expression . (_) @name)
    (binary_expression . [(identifier) @name (parametrized_type_expression . (_) @name)])
  ])) @unit.type
(primitive_definition
  (type_head [(identifier) @name (binary_expression . (identifier) @name)])) @unit.type

; The same behind a macro: @inline, @kwdef, @generated.
(macrocall_expression
  (macro_argument_list
    (function_definition
      (signature [
        (call_expression . [(identifier) (field_expression)] @name)
        (where_expression . (call_expression . [(identifier) (field_expression)] @name))
        (typed_expression . (call_expression . [(identifier) (field_expression)] @name))
      ])
      . (_)? @body) @head)) @unit.function
(macrocall_expression
  (macro_argument_list
    (assignment
      . [
        (call_expression . [(identifier) (field_expression)] @name)
        (where_expression . (call_expression . [(identifier) (field_expression)] @name))
      ]) @head)) @unit.function
(macrocall_expression
  (macro_argument_list
    (struct_definition
      (type_head [
        (identifier) @name
        (parametrized_type_expression . (_) @name)
        (binary_expression . [(identifier) @name (parametrized_type_expression . (_) @name)])
      ])
      . (_)? @body) @head)) @unit.struct
(macrocall_expression
  (macro_identifier (identifier) @_macro)
  (macro_argument_list . (string_literal) @name)
  (#any-of? @_macro "testset" "testitem")) @unit.function

(source_file (const_statement (assignment . (identifier) @name)) @unit.constant)
(module_definition (const_statement (assignment . (identifier) @name)) @unit.constant)
(source_file (assignment . (identifier) @name) @unit.constant)
(module_definition (assignment . (identifier) @name) @unit.constant)
(module_definition (global_statement (assignment . (identifier) @name)) @unit.constant)

; Members of a struct.
(struct_definition [
  (identifier) @name @member.field
  (typed_expression . (identifier) @name) @member.field
])
