(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (identifier) @call))
(call_expression function: (null_aware_member_expression property: (identifier) @call))
(call_expression function: (instantiation_expression function: (identifier) @call))
(call_expression
  function: (instantiation_expression function: (member_expression property: (identifier) @call)))
(cascade_call_expression property: (identifier) @call)
(new_expression type: (type . (type_identifier) @call))
(const_object_expression type: (type . (type_identifier) @call))
(annotation name: (identifier) @call)

(type . (type_identifier) @type)

(superclass type: (type . (type_identifier) @inherit))
(mixins (type . (type_identifier) @inherit))
(interfaces (type . (type_identifier) @inherit))
(mixin_declaration (type . (type_identifier) @inherit))
(mixin_application . (type . (type_identifier) @inherit))

(import_specification
  uri: [(configurable_uri . (uri (string_literal) @import)) (uri (string_literal) @import)] .)
(import_specification
  uri: [(configurable_uri . (uri (string_literal) @import)) (uri (string_literal) @import)]
  . (combinator "hide") .)
(import_specification
  uri: [(configurable_uri . (uri (string_literal) @module)) (uri (string_literal) @module)]
  alias: (identifier) @alias)
(import_specification
  uri: [(configurable_uri . (uri (string_literal) @module)) (uri (string_literal) @module)]
  (combinator "show" (identifier) @import))
; `import 'a.dart' if (dart.library.io) 'b.dart'`
(configuration_uri (uri (string_literal) @import))
(library_export uri: (configurable_uri . (uri (string_literal) @import)) .)
(library_export uri: (configurable_uri . (uri (string_literal) @import)) . (combinator "hide") .)
(library_export
  uri: (configurable_uri . (uri (string_literal) @module))
  (combinator "show" (identifier) @import))
(part_directive uri: (uri (string_literal) @import))
(part_of_directive [(uri (string_literal) @import) (dotted_identifier_list) @import])

(assignment_expression left: [
  (assignable_expression property: (identifier) @write)
  (assignable_expression !object !property . (identifier) @write)
  (assignable_expression object: (identifier) @write index: (_))
])
(postfix_expression argument: [
  (assignable_expression property: (identifier) @write)
  (assignable_expression !object !property . (identifier) @write)
  (assignable_expression object: (identifier) @write index: (_))
])
(unary_expression operator: (increment_operator) [
  (assignable_expression property: (identifier) @write)
  (assignable_expression !object !property . (identifier) @write)
  (assignable_expression object: (identifier) @write index: (_))
])

; To declare a name is not to use it.
(formal_parameter name: (identifier) @skip)
(initialized_variable_declaration name: (identifier) @skip)
(for_statement name: (identifier) @skip)
