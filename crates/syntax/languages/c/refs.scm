(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))

; A macro that defines a function looks like its type.
(function_definition type: (type_identifier) @call declarator: (parenthesized_declarator))

(declaration type: (type_identifier) @type)
(parameter_declaration type: (type_identifier) @type)
(field_declaration type: (type_identifier) @type)
(function_definition
  type: (type_identifier) @type
  declarator: [(function_declarator) (pointer_declarator)])
(type_definition type: (type_identifier) @type)
(type_descriptor type: (type_identifier) @type)
; Without a body the name of a struct is a use of it.
(struct_specifier name: (type_identifier) @type !body)
(union_specifier name: (type_identifier) @type !body)
(enum_specifier name: (type_identifier) @type !body)

(preproc_include path: [(string_literal) (system_lib_string)] @import)
((preproc_call directive: (preproc_directive) @_name argument: (preproc_arg) @import)
  (#any-of? @_name "#import" "#include_next")
  (#match? @import "^\\s*(\"[^\"]*\"|<[^>]*>)\\s*$"))

(assignment_expression left: [
  (identifier) @write
  (field_expression field: (field_identifier) @write)
  (pointer_expression argument: (identifier) @write)
  (subscript_expression argument: (identifier) @write)
  (subscript_expression argument: (field_expression field: (field_identifier) @write))
])
(update_expression argument: [
  (identifier) @write
  (field_expression field: (field_identifier) @write)
])
(field_designator (field_identifier) @write)

; A prototype is a use of neither sort.
(declaration declarator: [
  (function_declarator declarator: (identifier) @use)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @use))
])
(field_declaration declarator: [
  (function_declarator declarator: (field_identifier) @use)
  (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @use))
])

; To declare a name is not to use it.
(declaration declarator: [
  (identifier) @skip
  (init_declarator declarator: (identifier) @skip)
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @skip))
  (init_declarator declarator: (array_declarator declarator: (identifier) @skip))
  (pointer_declarator declarator: (identifier) @skip)
  (array_declarator declarator: (identifier) @skip)
])
(parameter_declaration declarator: [
  (identifier) @skip
  (pointer_declarator declarator: (identifier) @skip)
  (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @skip))
  (array_declarator declarator: (identifier) @skip)
])
(field_declaration declarator: [
  (field_identifier) @skip
  (pointer_declarator declarator: (field_identifier) @skip)
  (array_declarator declarator: (field_identifier) @skip)
])

; What is said of types.
(declaration type: (_) @is declarator: [
  (identifier) @var
  (init_declarator declarator: (identifier) @var)
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @var))
  (init_declarator declarator: (array_declarator declarator: (identifier) @var))
  (pointer_declarator declarator: (identifier) @var)
  (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @var))
  (array_declarator declarator: (identifier) @var)
])
(parameter_declaration type: (_) @is declarator: [
  (identifier) @var
  (pointer_declarator declarator: (identifier) @var)
  (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @var))
  (array_declarator declarator: (identifier) @var)
])
(field_declaration type: (_) @is declarator: [
  (field_identifier) @field
  (pointer_declarator declarator: (field_identifier) @field)
  (pointer_declarator declarator: (pointer_declarator declarator: (field_identifier) @field))
  (array_declarator declarator: (field_identifier) @field)
])
; A struct without a name: what is in it is in the one around it.
(field_declaration type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_))] @own declarator: [
  (field_identifier) @field
  (pointer_declarator declarator: (field_identifier) @field)
  (pointer_declarator declarator: (pointer_declarator declarator: (field_identifier) @field))
  (array_declarator declarator: (field_identifier) @field)
])
(function_definition type: (_) @is declarator: [
  (function_declarator declarator: (identifier) @fn)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @fn))
])
(type_definition
  type: [
    (type_identifier)
    (struct_specifier !body)
    (union_specifier !body)
  ] @is
  declarator: (type_identifier) @sub)
(type_definition
  type: [
    (struct_specifier name: (_) @is body: (_))
    (union_specifier name: (_) @is body: (_))
  ]
  declarator: (type_identifier) @sub)
