(call_expression . (identifier) @call)
(call_expression . (navigation_expression (identifier) @call .))
(infix_expression (_) . (identifier) @call . (_))

; The last part of a name with dots.
(user_type (identifier) @type .)
(user_type (identifier) @type . (type_arguments) .)

(delegation_specifier (user_type (identifier) @inherit .))
(delegation_specifier (user_type (identifier) @inherit . (type_arguments) .))
(delegation_specifier (constructor_invocation (user_type (identifier) @inherit .)))
(delegation_specifier
  (constructor_invocation (user_type (identifier) @inherit . (type_arguments) .)))
(delegation_specifier (explicit_delegation . (user_type (identifier) @inherit .)))
(delegation_specifier
  (explicit_delegation . (user_type (identifier) @inherit . (type_arguments) .)))

((import (qualified_identifier) @import .) @_import (#not-match? @_import "\\*$"))
(import (qualified_identifier) @import (identifier) @alias)
(import (qualified_identifier) @module "*" @import)

(assignment left: [
  (identifier) @write
  (navigation_expression (identifier) @write .)
  (index_expression . (identifier) @write)
  (index_expression . (navigation_expression (identifier) @write .))
])
(unary_expression ["++" "--"] argument: (identifier) @write)
(unary_expression argument: (identifier) @write ["++" "--"])

; To declare a name is not to use it.
(variable_declaration (identifier) @skip)
(parameter . (identifier) @skip)
(class_parameter (identifier) @skip)
