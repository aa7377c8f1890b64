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
