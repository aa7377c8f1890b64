(comment) @comment

(contract_declaration name: (identifier) @name body: (_) @body) @unit.class
(library_declaration name: (identifier) @name body: (_) @body) @unit.class
(interface_declaration name: (identifier) @name body: (_) @body) @unit.interface
(struct_declaration name: (identifier) @name body: (_) @body) @unit.struct
(enum_declaration name: (identifier) @name body: (_) @body) @unit.enum
(event_definition name: (identifier) @name) @unit.type
(error_declaration name: (identifier) @name) @unit.type
(user_defined_type_definition name: (identifier) @name) @unit.type

; Those of an interface have no body.
(function_definition name: (identifier) @name body: (_)? @body) @unit.function
(modifier_definition name: (identifier) @name body: (_)? @body) @unit.function
(constructor_definition "constructor" @name body: (_)? @body) @unit.function
(fallback_receive_definition ["fallback" "receive"] @name body: (_)? @body) @unit.function

; State variables are fields; these are the constants of a file.
(source_file (constant_variable_declaration name: (identifier) @name) @unit.constant)

; Members.
(state_variable_declaration name: (identifier) @name) @member.field
(struct_member name: (identifier) @name) @member.field
(enum_value) @name @member.variant
