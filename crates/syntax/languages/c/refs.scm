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
