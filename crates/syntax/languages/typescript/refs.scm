; inherits: _ecma

; The grammar takes `await f<T>(x)` for a call of `await f`.
(call_expression function: (await_expression (identifier) @call))
(call_expression function: (await_expression (member_expression property: (_) @call)))

(class_heritage (extends_clause value: (identifier) @inherit))
(class_heritage (extends_clause value: (member_expression property: (_) @inherit)))
(class_heritage
  (extends_clause value: (call_expression arguments: (arguments (identifier) @inherit))))
(implements_clause (type_identifier) @inherit)
(implements_clause (generic_type name: (type_identifier) @inherit))
(implements_clause (nested_type_identifier name: (_) @inherit))
(extends_type_clause type: (type_identifier) @inherit)
(extends_type_clause type: (generic_type name: (type_identifier) @inherit))
(extends_type_clause type: (nested_type_identifier name: (_) @inherit))

; Every place of a type but the names that declarations give.
(type_annotation (type_identifier) @type)
(generic_type name: (type_identifier) @type)
(nested_type_identifier name: (type_identifier) @type)
(type_arguments (type_identifier) @type)
(union_type (type_identifier) @type)
(intersection_type (type_identifier) @type)
(array_type (type_identifier) @type)
(tuple_type (type_identifier) @type)
(rest_type (type_identifier) @type)
(readonly_type (type_identifier) @type)
(parenthesized_type (type_identifier) @type)
(lookup_type (type_identifier) @type)
(index_type_query (type_identifier) @type)
(conditional_type (type_identifier) @type)
(function_type return_type: (type_identifier) @type)
(type_alias_declaration value: (type_identifier) @type)
(constraint (type_identifier) @type)
(default_type (type_identifier) @type)
(type_predicate type: (type_identifier) @type)
(as_expression (type_identifier) @type)
(satisfies_expression (type_identifier) @type)
(type_query (identifier) @type)

(import_require_clause (identifier) @alias source: (string) @module)

(required_parameter pattern: (identifier) @param)
(optional_parameter pattern: (identifier) @param)

; What is said of types.
(variable_declarator name: (identifier) @var type: (type_annotation (_) @is))
(required_parameter pattern: (identifier) @var type: (type_annotation (_) @is))
(optional_parameter pattern: (identifier) @var type: (type_annotation (_) @is))
(required_parameter pattern: (identifier) @var value: (_) @from)
(required_parameter (accessibility_modifier) pattern: (identifier) @field type: (type_annotation (_) @is))
(optional_parameter (accessibility_modifier) pattern: (identifier) @field type: (type_annotation (_) @is))
(required_parameter "readonly" pattern: (identifier) @field type: (type_annotation (_) @is))
(public_field_definition name: (_) @field type: (type_annotation (_) @is))
(public_field_definition name: (_) @field !type value: (_) @from)
(property_signature name: (_) @field type: (type_annotation (_) @is))
(method_definition name: (_) @fn return_type: (type_annotation (_) @is))
(method_definition "get" name: (_) @field return_type: (type_annotation (_) @is))
(method_signature name: (_) @fn return_type: (type_annotation (_) @is))
(abstract_method_signature name: (_) @fn return_type: (type_annotation (_) @is))
(function_declaration name: (identifier) @fn return_type: (type_annotation (_) @is))
(function_signature name: (identifier) @fn return_type: (type_annotation (_) @is))
(variable_declarator
  name: (identifier) @fn value: (arrow_function return_type: (type_annotation (_) @is)))
(type_alias_declaration name: (type_identifier) @sub value: (_) @is)
(type_parameter name: (type_identifier) @var constraint: (constraint (_) @is))
(call_expression
  function: (member_expression object: (_) @each)
  arguments: (arguments
    . (arrow_function parameters: (formal_parameters
        . (required_parameter pattern: (identifier) @var !type)))))
