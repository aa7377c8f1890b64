(call_expression . (simple_identifier) @call)
(call_expression
  . (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call)))
(constructor_expression constructed_type: (user_type (type_identifier) @call))
(macro_invocation (simple_identifier) @call)

; The last part of a name with dots.
(user_type (type_identifier) @type .)
(user_type (type_identifier) @type . (type_arguments) .)

(inheritance_specifier inherits_from: (user_type (type_identifier) @inherit .))
(inheritance_specifier
  inherits_from: (user_type (type_identifier) @inherit . (type_arguments) .))

(import_declaration (identifier) @import)
