(comment) @comment

(message (message_name) @name (message_body) @body) @unit.struct
(enum (enum_name) @name (enum_body) @body) @unit.enum
(service (service_name) @name) @unit.interface
(rpc (rpc_name) @name) @unit.function
; Fields added to a message of another file.
(extend (full_ident) @name (message_body) @body) @unit.impl

; Members.
(field (identifier) @name) @member.field
(map_field (identifier) @name) @member.field
(oneof_field (identifier) @name) @member.field
(enum_field (identifier) @name) @member.variant
