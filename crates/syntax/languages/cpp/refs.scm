(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (qualified_identifier name: (identifier) @call))
(call_expression function: (qualified_identifier name: (qualified_identifier name: (identifier) @call)))
(call_expression function: (template_function name: (identifier) @call))
(call_expression function: (qualified_identifier name: (template_function name: (identifier) @call)))
(call_expression
  function: (qualified_identifier
    name: (qualified_identifier name: (template_function name: (identifier) @call))))
(call_expression
  function: (field_expression field: (template_method name: (field_identifier) @call)))
(new_expression type: (type_identifier) @call)
(new_expression type: (qualified_identifier name: (type_identifier) @call))

(declaration type: (type_identifier) @type)
(parameter_declaration type: (type_identifier) @type)
(optional_parameter_declaration type: (type_identifier) @type)
(field_declaration type: (type_identifier) @type)
(function_definition type: (type_identifier) @type)
(type_definition type: (type_identifier) @type)
(type_descriptor type: (type_identifier) @type)
(template_type name: (type_identifier) @type)
(qualified_identifier name: (type_identifier) @type)
; Without a body the name of a struct is a use of it.
(struct_specifier name: (type_identifier) @type !body)
(enum_specifier name: (type_identifier) @type !body)

(base_class_clause (type_identifier) @inherit)
(base_class_clause (qualified_identifier name: (type_identifier) @inherit))
(base_class_clause (template_type name: (type_identifier) @inherit))
(base_class_clause (qualified_identifier name: (template_type name: (type_identifier) @inherit)))

(preproc_include path: [(string_literal) (system_lib_string)] @import)
((preproc_call directive: (preproc_directive) @_name argument: (preproc_arg) @import)
  (#any-of? @_name "#import" "#include_next")
  (#match? @import "^\\s*(\"[^\"]*\"|<[^>]*>)\\s*$"))
; The grammar does not know `using typename Base::Item`.
((using_declaration [(identifier) (qualified_identifier)] @import)
  (#not-match? @import "^typename\\s"))
(namespace_alias_definition
  name: (_) @alias
  [(namespace_identifier) (nested_namespace_specifier)] @import)

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
(declaration declarator: (init_declarator declarator: (reference_declarator (identifier) @skip)))
(parameter_declaration declarator: (reference_declarator (identifier) @skip))
(optional_parameter_declaration declarator: (identifier) @skip)
(for_range_loop declarator: (identifier) @skip)
(for_range_loop declarator: (reference_declarator (identifier) @skip))
