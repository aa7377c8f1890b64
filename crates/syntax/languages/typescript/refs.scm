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
(type_query (identifier) @use)

(import_require_clause (identifier) @alias source: (string) @module)

(required_parameter pattern: (identifier) @param)
(optional_parameter pattern: (identifier) @param)
