(call_expression function: (expression (identifier) @call))
(call_expression function: (expression (member_expression property: (identifier) @call)))
(new_expression name: (type_name (user_defined_type (identifier) @call .)))
(emit_statement name: (expression (identifier) @call))
(emit_statement name: (expression (member_expression property: (identifier) @call)))
(revert_statement error: (expression (identifier) @call))
(revert_statement error: (expression (member_expression property: (identifier) @call)))
(modifier_invocation (identifier) @call .)

(type_name (user_defined_type (identifier) @type .))
(using_directive (type_alias (identifier) @type .))

(inheritance_specifier ancestor: (user_defined_type (identifier) @inherit .))

(import_directive source: (string) @import)
(import_directive import_name: (identifier) @import)
