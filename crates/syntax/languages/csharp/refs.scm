(invocation_expression function: (identifier) @call)
(invocation_expression function: (generic_name . (identifier) @call))
(invocation_expression function: (member_access_expression name: (identifier) @call))
(invocation_expression
  function: (member_access_expression name: (generic_name . (identifier) @call)))
(invocation_expression
  function: (conditional_access_expression (member_binding_expression name: (identifier) @call)))
(invocation_expression
  function: (conditional_access_expression
    (member_binding_expression name: (generic_name . (identifier) @call))))
(object_creation_expression type: (identifier) @call)
(object_creation_expression type: (generic_name . (identifier) @call))
(object_creation_expression type: (qualified_name name: (identifier) @call))

(parameter
  type: [
    (identifier) @type
    (generic_name . (identifier) @type)
    (qualified_name name: (identifier) @type)
    (nullable_type type: (identifier) @type)
    (nullable_type type: (generic_name . (identifier) @type))
    (array_type type: (identifier) @type)
    (array_type type: (generic_name . (identifier) @type))
  ])
(variable_declaration
  type: [
    (identifier) @type
    (generic_name . (identifier) @type)
    (qualified_name name: (identifier) @type)
    (nullable_type type: (identifier) @type)
    (nullable_type type: (generic_name . (identifier) @type))
    (array_type type: (identifier) @type)
    (array_type type: (generic_name . (identifier) @type))
  ])
(method_declaration
  returns: [
    (identifier) @type
    (generic_name . (identifier) @type)
    (qualified_name name: (identifier) @type)
    (nullable_type type: (identifier) @type)
    (nullable_type type: (generic_name . (identifier) @type))
    (array_type type: (identifier) @type)
    (array_type type: (generic_name . (identifier) @type))
  ])
(property_declaration
  type: [
    (identifier) @type
    (generic_name . (identifier) @type)
    (qualified_name name: (identifier) @type)
    (nullable_type type: (identifier) @type)
    (nullable_type type: (generic_name . (identifier) @type))
    (array_type type: (identifier) @type)
    (array_type type: (generic_name . (identifier) @type))
  ])
(local_function_statement
  type: [
    (identifier) @type
    (generic_name . (identifier) @type)
    (qualified_name name: (identifier) @type)
    (nullable_type type: (identifier) @type)
    (nullable_type type: (generic_name . (identifier) @type))
    (array_type type: (identifier) @type)
    (array_type type: (generic_name . (identifier) @type))
  ])
(delegate_declaration
  type: [
    (identifier) @type
    (generic_name . (identifier) @type)
    (qualified_name name: (identifier) @type)
    (nullable_type type: (identifier) @type)
    (nullable_type type: (generic_name . (identifier) @type))
    (array_type type: (identifier) @type)
    (array_type type: (generic_name . (identifier) @type))
  ])
(type_argument_list (identifier) @type)
(type_argument_list (generic_name . (identifier) @type))
(type_parameter_constraint type: (identifier) @type)
(type_parameter_constraint type: (generic_name . (identifier) @type))
(array_creation_expression type: (array_type type: (identifier) @type))
(cast_expression type: (identifier) @type)
(cast_expression type: (generic_name . (identifier) @type))
(as_expression right: (identifier) @type)
(typeof_expression type: (identifier) @type)
(declaration_pattern type: (identifier) @type)
(recursive_pattern type: (identifier) @type)
(foreach_statement type: (identifier) @type)
(catch_declaration type: (identifier) @type)
(attribute name: (identifier) @type)
(attribute name: (qualified_name name: (identifier) @type))

(base_list (identifier) @inherit)
(base_list (generic_name . (identifier) @inherit))
(base_list (qualified_name name: (identifier) @inherit))
(base_list (primary_constructor_base_type type: (identifier) @inherit))
(base_list (primary_constructor_base_type type: (generic_name . (identifier) @inherit)))

(using_directive
  !name
  [(identifier) (alias_qualified_name) (qualified_name name: (identifier))] @import)
(using_directive
  name: (identifier) @alias
  [(identifier) (alias_qualified_name) (qualified_name name: (identifier))] @import)
; `using Counts = Dictionary<string, int>`, with and without a namespace.
(using_directive
  name: (identifier) @alias
  [
    (generic_name . (identifier) @import)
    (qualified_name qualifier: (_) @module name: (generic_name . (identifier) @import))
  ])

(assignment_expression left: [
  (identifier) @write
  (member_access_expression name: (identifier) @write)
  (element_access_expression expression: (identifier) @write)
  (element_access_expression expression: (member_access_expression name: (identifier) @write))
])
(postfix_unary_expression (identifier) @write . ["++" "--"])
(postfix_unary_expression (member_access_expression name: (identifier) @write) . ["++" "--"])
(prefix_unary_expression ["++" "--"] . (identifier) @write)
(prefix_unary_expression ["++" "--"] . (member_access_expression name: (identifier) @write))

; To declare a name is not to use it.
(variable_declarator name: (identifier) @skip)
(parameter name: (identifier) @skip)
(foreach_statement left: (identifier) @skip)
