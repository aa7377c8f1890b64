(subroutine_call subroutine: (identifier) @call)
(subroutine_call subroutine: (derived_type_member_expression (type_member) @call))
; An element of an array looks the same as a call.
(call_expression . (identifier) @call)
(call_expression . (derived_type_member_expression (type_member) @call))

(derived_type name: (type_name) @type)
(base_type_specifier (identifier) @inherit)

(use_statement (module_name) @import)
(use_statement (included_items (identifier) @import))
(use_statement (included_items (use_alias (identifier) @import)))
(submodule_statement ancestor: (module_name) @import)
(include_statement path: (_) @import)
(preproc_include path: (_) @import)

; Procedures bound to a type or to a generic name.
(procedure_statement declarator: (method_name) @use)
(binding (method_name) @use)
