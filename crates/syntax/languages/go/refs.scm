(call_expression function: (identifier) @call)
(call_expression function: (selector_expression field: (field_identifier) @call))
(call_expression function: (parenthesized_expression (identifier) @call))
; With type arguments: `f[int](x)`.
(call_expression function: (index_expression operand: (identifier) @call))
(call_expression
  function: (index_expression operand: (selector_expression field: (field_identifier) @call)))
(call_expression function: (type_instantiation_expression type: (type_identifier) @call))

[
  (parameter_declaration type: (type_identifier) @type)
  (variadic_parameter_declaration type: (type_identifier) @type)
  (field_declaration name: (_) type: (type_identifier) @type)
  (function_declaration result: (type_identifier) @type)
  (method_declaration result: (type_identifier) @type)
  (method_elem result: (type_identifier) @type)
  (func_literal result: (type_identifier) @type)
  (function_type result: (type_identifier) @type)
  (pointer_type (type_identifier) @type)
  (slice_type element: (type_identifier) @type)
  (array_type element: (type_identifier) @type)
  (map_type key: (type_identifier) @type)
  (map_type value: (type_identifier) @type)
  (channel_type value: (type_identifier) @type)
  (generic_type type: (type_identifier) @type)
  (type_arguments (type_elem (type_identifier) @type))
  (type_constraint (type_identifier) @type)
  (negated_type (type_identifier) @type)
  (composite_literal type: (type_identifier) @type)
  (type_conversion_expression type: (type_identifier) @type)
  (type_assertion_expression type: (type_identifier) @type)
  (type_case type: (type_identifier) @type)
  (const_spec type: (type_identifier) @type)
  (var_spec type: (type_identifier) @type)
  (type_spec type: (type_identifier) @type)
  (type_alias type: (type_identifier) @type)
  (qualified_type name: (type_identifier) @type)
]

; The name of the package is no use of anything.
(package_clause (package_identifier) @skip)

; What a struct or an interface embeds.
(field_declaration !name type: (type_identifier) @inherit)
(field_declaration !name type: (qualified_type name: (type_identifier) @inherit))
(field_declaration !name type: (generic_type type: (type_identifier) @inherit))
(interface_type (type_elem . (type_identifier) @inherit .))
(interface_type (type_elem . (qualified_type name: (type_identifier) @inherit) .))

(import_spec !name path: (_) @import)
(import_spec name: (package_identifier) @alias path: (_) @import)
; Neither a dot nor a blank is a name.
(import_spec name: [(dot) (blank_identifier)] path: (_) @import)

(short_var_declaration left: (expression_list (identifier) @bind))
(var_spec name: (identifier) @bind)
(parameter_declaration name: (identifier) @param)
(range_clause left: (expression_list (identifier) @param))

(assignment_statement left: (expression_list [
  (identifier) @write
  (selector_expression field: (field_identifier) @write)
  (unary_expression operand: (identifier) @write)
  (index_expression operand: (identifier) @write)
  (index_expression operand: (selector_expression field: (field_identifier) @write))
]))
(inc_statement [(identifier) @write (selector_expression field: (field_identifier) @write)])
(dec_statement [(identifier) @write (selector_expression field: (field_identifier) @write)])
; `Cart{Limit: 3}`: a field, unless it is a key of a map.
(composite_literal
  type: [(type_identifier) (qualified_type) (generic_type)]
  body: (literal_value (keyed_element key: (literal_element (identifier) @write))))

; What is said of types.
(parameter_declaration name: (identifier) @var type: (_) @is)
(variadic_parameter_declaration name: (identifier) @var type: (slice_type) @is)
(variadic_parameter_declaration name: (identifier) @var type: (_) @is)
(var_spec name: (identifier) @var type: (_) @is)
(var_spec . name: (identifier) @var !type value: (expression_list . (_) @from))
(short_var_declaration
  left: (expression_list . (identifier) @var)
  right: (expression_list . (_) @from))
(short_var_declaration
  left: (expression_list . (_) . (identifier) @var)
  right: (expression_list . (_) . (_) @from))
(range_clause left: (expression_list . (_) . (identifier) @var) right: (_) @each)
(range_clause left: (expression_list . (identifier) @var .) right: (_) @each)
(type_switch_statement alias: (expression_list . (identifier) @var) value: (_) @from)
(field_declaration name: (field_identifier) @field type: (_) @is)
(function_declaration name: (identifier) @fn result: (_) @is)
(method_declaration name: (field_identifier) @fn result: (_) @is)
(method_elem name: (field_identifier) @fn result: (_) @is)
(type_spec name: (type_identifier) @sub type: [(type_identifier) (qualified_type) (pointer_type) (slice_type) (map_type) (generic_type)] @is)
(type_alias name: (type_identifier) @sub type: (_) @is)
(type_parameter_declaration name: (identifier) @var type: (_) @is)
; What is embedded is a field of its type's name.
(field_declaration !name type: (type_identifier) @field @is)
(field_declaration !name type: (qualified_type name: (type_identifier) @field) @is)
(field_declaration !name type: (generic_type type: (type_identifier) @field) @is)

; A package is no use of what is called like it.
(package_clause (package_identifier) @skip)
