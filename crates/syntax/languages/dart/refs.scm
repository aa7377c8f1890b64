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

(uri (string_literal) @import)
