(comment) @comment

; A condition belongs to what follows it.
["#if" "#ifdef" "#ifndef" "#elif" "#else"] @attribute

; Functions, with up to two stars before the name.
(function_definition
  declarator: (function_declarator declarator: (identifier) @name)
  body: (_) @body) @unit.function
(function_definition
  declarator: (pointer_declarator
    declarator: (function_declarator declarator: (identifier) @name))
  body: (_) @body) @unit.function
(function_definition
  declarator: (pointer_declarator
    declarator: (pointer_declarator
      declarator: (function_declarator declarator: (identifier) @name)))
  body: (_) @body) @unit.function

; A macro that defines a function: `TEST(name) { … }` looks like a type and a
; name in parentheses; with more arguments it looks like a call before a block.
(function_definition
  declarator: (parenthesized_declarator (identifier) @name)
  body: (_) @body) @unit.function
(translation_unit
  (expression_statement
    (call_expression
      function: (identifier) @_macro
      arguments: (argument_list . [(identifier) (string_literal)] @name))) @head @attribute
  .
  (compound_statement) @body @unit.function
  (#match? @_macro "^[A-Z]"))

; Structs, unions and enums with a body. A typedef goes by its own name, so
; these are looked for only where they stand alone.
(translation_unit [
  (struct_specifier name: (_) @name body: (_) @body)
  (union_specifier name: (_) @name body: (_) @body)] @unit.struct)
(preproc_ifdef [
  (struct_specifier name: (_) @name body: (_) @body)
  (union_specifier name: (_) @name body: (_) @body)] @unit.struct)
(preproc_if [
  (struct_specifier name: (_) @name body: (_) @body)
  (union_specifier name: (_) @name body: (_) @body)] @unit.struct)
(preproc_else [
  (struct_specifier name: (_) @name body: (_) @body)
  (union_specifier name: (_) @name body: (_) @body)] @unit.struct)
(declaration_list [
  (struct_specifier name: (_) @name body: (_) @body)
  (union_specifier name: (_) @name body: (_) @body)] @unit.struct)
(declaration
  type: [
    (struct_specifier name: (_) @name body: (_) @body)
    (union_specifier name: (_) @name body: (_) @body)]) @unit.struct
(type_definition
  type: [(struct_specifier body: (_) @body) (union_specifier body: (_) @body)]
  .
  declarator: (type_identifier) @name) @unit.struct

(translation_unit (enum_specifier name: (_) @name body: (_) @body) @unit.enum)
(preproc_ifdef (enum_specifier name: (_) @name body: (_) @body) @unit.enum)
(preproc_if (enum_specifier name: (_) @name body: (_) @body) @unit.enum)
(preproc_else (enum_specifier name: (_) @name body: (_) @body) @unit.enum)
(declaration_list (enum_specifier name: (_) @name body: (_) @body) @unit.enum)
(declaration type: (enum_specifier name: (_) @name body: (_) @body)) @unit.enum
(type_definition
  type: (enum_specifier body: (_) @body)
  .
  declarator: (type_identifier) @name) @unit.enum
; An enum without a name goes by its first member.
(translation_unit
  (enum_specifier
    !name
    body: (enumerator_list . (enumerator name: (_) @name)) @body) @unit.enum)
(preproc_ifdef
  (enum_specifier
    !name
    body: (enumerator_list . (enumerator name: (_) @name)) @body) @unit.enum)

; Other typedefs.
(type_definition
  type: [
    (primitive_type)
    (sized_type_specifier)
    (type_identifier)
    (macro_type_specifier)
    (struct_specifier !body)
    (union_specifier !body)
    (enum_specifier !body)]
  declarator: [
    (type_identifier) @name
    (primitive_type) @name
    (pointer_declarator declarator: (type_identifier) @name)
    (array_declarator declarator: (type_identifier) @name)
    (function_declarator declarator: (type_identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (type_identifier) @name))
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))
    (pointer_declarator
      declarator: (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))))]) @unit.type

; Macros, but not the one that guards a header, and not those inside a struct.
(translation_unit (preproc_function_def name: (_) @name) @unit.macro)
(preproc_ifdef (preproc_function_def name: (_) @name) @unit.macro)
(preproc_if (preproc_function_def name: (_) @name) @unit.macro)
(preproc_elif (preproc_function_def name: (_) @name) @unit.macro)
(preproc_else (preproc_function_def name: (_) @name) @unit.macro)
(declaration_list (preproc_function_def name: (_) @name) @unit.macro)
(translation_unit (preproc_def name: (_) @name) @unit.macro (#not-match? @name "_H_*$"))
(preproc_ifdef (preproc_def name: (_) @name) @unit.macro (#not-match? @name "_H_*$"))
(preproc_if (preproc_def name: (_) @name) @unit.macro (#not-match? @name "_H_*$"))
(preproc_elif (preproc_def name: (_) @name) @unit.macro)
(preproc_else (preproc_def name: (_) @name) @unit.macro)
(declaration_list (preproc_def name: (_) @name) @unit.macro)

; Variables of the file. What is `extern` is defined elsewhere.
(translation_unit
  (declaration
    type: [
      (primitive_type)
      (sized_type_specifier)
      (type_identifier)
      (macro_type_specifier)
      (struct_specifier !body)
      (struct_specifier !name)
      (union_specifier !body)
      (enum_specifier !body)]
    declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)
      (array_declarator declarator: (array_declarator declarator: (identifier) @name))
      (pointer_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
      (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
      (init_declarator
        declarator: [
          (identifier) @name
          (array_declarator declarator: (identifier) @name)
          (array_declarator declarator: (array_declarator declarator: (identifier) @name))
          (pointer_declarator declarator: (identifier) @name)
          (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
          (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
          (function_declarator
            declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))])]) @unit.constant
  (#not-match? @unit.constant "^extern"))
; The same under `#ifdef`, where they have a value.
(translation_unit
  [
    (preproc_ifdef
      (declaration
        declarator: (init_declarator
          declarator: [
            (identifier) @name
            (array_declarator declarator: (identifier) @name)
            (pointer_declarator declarator: (identifier) @name)
            (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))])) @unit.constant)
    (preproc_if
      (declaration
        declarator: (init_declarator
          declarator: [
            (identifier) @name
            (array_declarator declarator: (identifier) @name)
            (pointer_declarator declarator: (identifier) @name)
            (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))])) @unit.constant)
  ])

; Members. What encloses one is more than its declarator, but for the struct that
; may be its type.
(field_declaration declarator: (field_identifier) @name @member.field)
(pointer_declarator declarator: (field_identifier) @name @member.field)
(array_declarator declarator: (field_identifier) @name @member.field)
(parenthesized_declarator (field_identifier) @name @member.field)
(field_declaration type: [
  (struct_specifier name: (_) @name body: (_)) @member.struct
  (union_specifier name: (_) @name body: (_)) @member.struct
  (enum_specifier name: (_) @name body: (_)) @member.enum
])
(enumerator name: (identifier) @name) @beside.variant
(preproc_def name: (_) @name) @beside.macro
(preproc_function_def name: (_) @name) @beside.macro
; The tag of a struct that has a typedef as well.
(type_definition type: [
  (struct_specifier name: (_) @name body: (_)) @beside.struct
  (union_specifier name: (_) @name body: (_)) @beside.struct
  (enum_specifier name: (_) @name body: (_)) @beside.enum
])
