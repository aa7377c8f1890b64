(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))
(decorator (identifier) @call)
(decorator (attribute attribute: (identifier) @call))
(decorator (call function: (identifier) @call))

(type (identifier) @type)
(type (generic_type (identifier) @type))
(type (attribute attribute: (identifier) @type))
; `A | None`, `list[A] | None`, `A | B | None`
(type (binary_operator (identifier) @type))
(type (binary_operator (attribute attribute: (identifier) @type)))
(type (binary_operator (subscript (identifier) @type)))
(type (binary_operator (binary_operator (identifier) @type)))
(except_clause value: (identifier) @type)
(except_clause value: (attribute attribute: (identifier) @type))
(except_clause value: (tuple (identifier) @type))
(except_clause value: (as_pattern . (identifier) @type))
(except_clause value: (as_pattern . (attribute attribute: (identifier) @type)))
(except_clause value: (as_pattern . (tuple (identifier) @type)))
(except_clause value: (as_pattern . (tuple (attribute attribute: (identifier) @type))))
(class_pattern (dotted_name (identifier) @type .))

(class_definition superclasses: (argument_list (identifier) @inherit))
(class_definition superclasses: (argument_list (attribute attribute: (identifier) @inherit)))
(class_definition superclasses: (argument_list (subscript value: (identifier) @inherit)))
(class_definition superclasses: (argument_list (subscript value: (attribute attribute: (identifier) @inherit))))
(class_definition superclasses: (argument_list (subscript subscript: (identifier) @type)))
(class_definition superclasses: (argument_list (keyword_argument name: (identifier) @_key value: (identifier) @type))
  (#eq? @_key "metaclass"))

(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (dotted_name) @import alias: (identifier) @alias))
(import_from_statement module_name: (_) @module name: (dotted_name) @import)
(import_from_statement
  module_name: (_) @module
  name: (aliased_import name: (dotted_name) @import alias: (identifier) @alias))
(import_from_statement module_name: (_) @module (wildcard_import) @import)

(assignment left: (identifier) @param)
(assignment left: (pattern_list (identifier) @param))
(parameters (identifier) @param)
(parameters (typed_parameter . (identifier) @param))
(parameters (default_parameter name: (identifier) @param))
(parameters (typed_default_parameter name: (identifier) @param))
(lambda_parameters (identifier) @param)
(for_statement left: (identifier) @param)
(for_statement left: (pattern_list (identifier) @param))
(for_in_clause left: (identifier) @param)
(for_in_clause left: (pattern_list (identifier) @param))
(as_pattern alias: (as_pattern_target (identifier) @param))
(named_expression name: (identifier) @param)

; A plain name that is assigned to is given; these are there already.
(assignment left: [
  (attribute attribute: (identifier) @write)
  (subscript value: (identifier) @write)
  (subscript value: (attribute attribute: (identifier) @write))
  (pattern_list (attribute attribute: (identifier) @write))
])
(augmented_assignment left: [
  (identifier) @write
  (attribute attribute: (identifier) @write)
  (subscript value: (identifier) @write)
  (subscript value: (attribute attribute: (identifier) @write))
])
(delete_statement (identifier) @write)
(delete_statement (attribute attribute: (identifier) @write))

; What is said of types.
(assignment left: (identifier) @var type: (_) @is)
(assignment left: (identifier) @var !type right: (_) @from)
(assignment
  left: (attribute object: (identifier) @_self attribute: (identifier) @field) type: (_) @is
  (#any-of? @_self "self" "cls"))
(assignment
  left: (attribute object: (identifier) @_self attribute: (identifier) @field) !type right: (_) @from
  (#any-of? @_self "self" "cls"))
(class_definition body: (block (expression_statement
  (assignment left: (identifier) @field type: (_) @is))))
(class_definition body: (block (expression_statement
  (assignment left: (identifier) @field !type right: (_) @from))))
(typed_parameter . (identifier) @var type: (_) @is)
(typed_default_parameter name: (identifier) @var type: (_) @is)
(default_parameter name: (identifier) @var value: (call) @from)
(with_item value: (as_pattern . (_) @from alias: (as_pattern_target (identifier) @var)))
(except_clause value: (as_pattern . (_) @is alias: (as_pattern_target (identifier) @var)))
(for_statement left: (identifier) @var right: (_) @each)
(for_in_clause left: (identifier) @var right: (_) @each)
(named_expression name: (identifier) @var value: (_) @from)
(function_definition name: (identifier) @fn return_type: (_) @is)
(return_statement [(call) (attribute) (identifier)] @from)
; A property is read as a field is.
(decorated_definition
  (decorator (identifier) @_property)
  definition: (function_definition name: (identifier) @field return_type: (_) @is)
  (#match? @_property "property$"))
