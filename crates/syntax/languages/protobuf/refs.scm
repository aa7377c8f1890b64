(message_or_enum_type (identifier) @type .)
(extend (full_ident (identifier) @type .))
(import path: (string) @import)
; Options that someone defined.
(option (full_ident) @use)
(field_option (full_ident) @use)
