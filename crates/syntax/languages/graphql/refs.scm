(type (named_type (name) @type))
(non_null_type (named_type (name) @type))
(union_member_types (named_type (name) @type))
(type_condition (named_type (name) @type))
(root_operation_type_definition (named_type (name) @type))
(implements_interfaces (named_type (name) @inherit))
(fragment_spread (fragment_name (name) @call))
(directive (name) @use)

; What an operation asks for: the fields of its root types.
(operation_definition (selection_set (selection (field (name) @call))))
