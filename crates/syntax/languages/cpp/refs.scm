; inherits: c

(call_expression function: (qualified_identifier name: (identifier) @call))
(call_expression function: (qualified_identifier name: (qualified_identifier name: (identifier) @call)))
(call_expression function: (template_function name: (identifier) @call))
(call_expression function: (qualified_identifier name: (template_function name: (identifier) @call)))
(call_expression
  function: (qualified_identifier
    name: (qualified_identifier name: (template_function name: (identifier) @call))))
(call_expression
  function: (field_expression field: (template_method name: (field_identifier) @call)))
(new_expression type: (type_identifier) @call)
(new_expression type: (qualified_identifier name: (type_identifier) @call))

(optional_parameter_declaration type: (type_identifier) @type)
(function_definition type: (type_identifier) @type declarator: (reference_declarator))
(template_type name: (type_identifier) @type)
(qualified_identifier name: (type_identifier) @type)

(base_class_clause (type_identifier) @inherit)
(base_class_clause (qualified_identifier name: (type_identifier) @inherit))
(base_class_clause (template_type name: (type_identifier) @inherit))
(base_class_clause (qualified_identifier name: (template_type name: (type_identifier) @inherit)))

; The grammar does not know `using typename Base::Item`.
((using_declaration [(identifier) (qualified_identifier)] @import)
  (#not-match? @import "^typename\\s"))
(namespace_alias_definition
  name: (_) @alias
  [(namespace_identifier) (nested_namespace_specifier)] @import)

(declaration declarator: (init_declarator declarator: (reference_declarator (identifier) @skip)))
(parameter_declaration declarator: (reference_declarator (identifier) @skip))
(optional_parameter_declaration declarator: (identifier) @skip)
(for_range_loop declarator: (identifier) @skip)
(for_range_loop declarator: (reference_declarator (identifier) @skip))

; What is said of types; `auto` is told by the value.
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator declarator: (identifier) @var value: (_) @from))
(declaration type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: (pointer_declarator declarator: (identifier) @var)
    value: (_) @from))
(declaration type: (placeholder_type_specifier)
  declarator: (init_declarator declarator: (reference_declarator (identifier) @var) value: (_) @from))
(declaration type: (_) @is
  declarator: (init_declarator declarator: (reference_declarator (identifier) @var)))
(parameter_declaration type: (_) @is declarator: (reference_declarator (identifier) @var))
(optional_parameter_declaration type: (_) @is declarator: [
  (identifier) @var
  (pointer_declarator declarator: (identifier) @var)
  (reference_declarator (identifier) @var)
])
(for_range_loop type: (_) @is declarator: [
  (identifier) @var
  (reference_declarator (identifier) @var)
])
(for_range_loop type: (placeholder_type_specifier) declarator: [
  (identifier) @var
  (reference_declarator (identifier) @var)
] right: (_) @each)
(field_declaration type: (_) @is declarator: (reference_declarator (field_identifier) @field))
(field_declaration type: (_) @is declarator: [
  (function_declarator declarator: (field_identifier) @fn)
  (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @fn))
  (reference_declarator (function_declarator declarator: (field_identifier) @fn))
])
(function_definition type: (_) @is declarator: [
  (function_declarator declarator: [(field_identifier) @fn (qualified_identifier name: (identifier) @fn)])
  (pointer_declarator declarator: (function_declarator
    declarator: [(field_identifier) @fn (qualified_identifier name: (identifier) @fn)]))
  (reference_declarator (function_declarator
    declarator: [(field_identifier) @fn (qualified_identifier name: (identifier) @fn)]))
])
(alias_declaration name: (type_identifier) @sub type: (_) @is)

; The class of a method that is defined outside of it.
(function_declarator declarator: [
  (qualified_identifier
    scope: (namespace_identifier) @type
    name: [(identifier) (destructor_name) (operator_name)])
  (qualified_identifier
    scope: (template_type name: (type_identifier) @type)
    name: [(identifier) (destructor_name) (operator_name)])
  (qualified_identifier
    name: (qualified_identifier
      scope: (namespace_identifier) @type
      name: [(identifier) (destructor_name) (operator_name)]))
])
