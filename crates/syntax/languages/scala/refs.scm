(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (identifier) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression
  function: (generic_function function: (field_expression field: (identifier) @call)))
(infix_expression operator: (identifier) @call)
(instance_expression (type_identifier) @call)
(instance_expression (generic_type type: (type_identifier) @call))

[
  (class_parameter type: (type_identifier) @type)
  (parameter type: (type_identifier) @type)
  (binding type: (type_identifier) @type)
  (function_definition return_type: (type_identifier) @type)
  (function_declaration return_type: (type_identifier) @type)
  (val_definition type: (type_identifier) @type)
  (val_declaration type: (type_identifier) @type)
  (var_definition type: (type_identifier) @type)
  (var_declaration type: (type_identifier) @type)
  (given_definition return_type: (type_identifier) @type)
  (type_definition type: (type_identifier) @type)
  (self_type (type_identifier) @type)
  (generic_type type: (type_identifier) @type)
  (type_arguments (type_identifier) @type)
  (upper_bound type: (type_identifier) @type)
  (lower_bound type: (type_identifier) @type)
  (context_bound type: (type_identifier) @type)
  (compound_type (type_identifier) @type)
  (infix_type (type_identifier) @type)
  (function_type (type_identifier) @type)
  (parameter_types (type_identifier) @type)
  (tuple_type (type_identifier) @type)
  (repeated_parameter_type (type_identifier) @type)
  (lazy_parameter_type (type_identifier) @type)
  (stable_type_identifier (type_identifier) @type)
  (typed_pattern type: (type_identifier) @type)
  (ascription_expression (type_identifier) @type)
  (annotation name: (type_identifier) @type)
  (derives_clause (type_identifier) @type)
]

; The fields of these are not used: they hold only the first of many.
(extends_clause (type_identifier) @inherit)
(extends_clause (generic_type type: (type_identifier) @inherit))
(extends_clause (stable_type_identifier (type_identifier) @inherit))
(extends_clause (compound_type (type_identifier) @inherit))
(extends_clause (compound_type (generic_type type: (type_identifier) @inherit)))

; A path has no node of its own: a pattern for each length.
; Where one `import` has several paths, the tree does not tell which names belong
; together: a comma outside of braces.
((import_declaration . (identifier) @import .) @_import (#not-match? @_import "^[^{]*,"))
((import_declaration
  . (as_renamed_identifier name: (identifier) @import alias: (identifier) @alias) .) @_import
  (#not-match? @_import "^[^{]*,"))
((import_declaration
  . (identifier) @module
  . [
    (identifier) @import
    (operator_identifier) @import
    (namespace_wildcard) @import
    (as_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
    (type_identifier) @import
    (generic_type type: (type_identifier) @import)
    (namespace_selectors [
      (identifier) @import
      (operator_identifier) @import
      (namespace_wildcard) @import
      (arrow_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
      (as_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
      (type_identifier) @import
      (generic_type type: (type_identifier) @import)
    ])
  ] .) @_import
  (#not-match? @_import "^[^{]*,")
  (#not-eq? @import "given"))
((import_declaration
  . (identifier) @module . (identifier) @module
  . [
    (identifier) @import
    (operator_identifier) @import
    (namespace_wildcard) @import
    (as_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
    (type_identifier) @import
    (generic_type type: (type_identifier) @import)
    (namespace_selectors [
      (identifier) @import
      (operator_identifier) @import
      (namespace_wildcard) @import
      (arrow_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
      (as_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
      (type_identifier) @import
      (generic_type type: (type_identifier) @import)
    ])
  ] .) @_import
  (#not-match? @_import "^[^{]*,")
  (#not-eq? @import "given"))
((import_declaration
  . (identifier) @module . (identifier) @module . (identifier) @module
  . [
    (identifier) @import
    (operator_identifier) @import
    (namespace_wildcard) @import
    (as_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
    (type_identifier) @import
    (generic_type type: (type_identifier) @import)
    (namespace_selectors [
      (identifier) @import
      (operator_identifier) @import
      (namespace_wildcard) @import
      (arrow_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
      (as_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
      (type_identifier) @import
      (generic_type type: (type_identifier) @import)
    ])
  ] .) @_import
  (#not-match? @_import "^[^{]*,")
  (#not-eq? @import "given"))
((import_declaration
  . (identifier) @module . (identifier) @module . (identifier) @module . (identifier) @module
  . [
    (identifier) @import
    (operator_identifier) @import
    (namespace_wildcard) @import
    (as_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
    (type_identifier) @import
    (generic_type type: (type_identifier) @import)
    (namespace_selectors [
      (identifier) @import
      (operator_identifier) @import
      (namespace_wildcard) @import
      (arrow_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
      (as_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
      (type_identifier) @import
      (generic_type type: (type_identifier) @import)
    ])
  ] .) @_import
  (#not-match? @_import "^[^{]*,")
  (#not-eq? @import "given"))
((import_declaration
  . (identifier) @module . (identifier) @module . (identifier) @module . (identifier) @module
  . (identifier) @module
  . [
    (identifier) @import
    (operator_identifier) @import
    (namespace_wildcard) @import
    (as_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
    (type_identifier) @import
    (generic_type type: (type_identifier) @import)
    (namespace_selectors [
      (identifier) @import
      (operator_identifier) @import
      (namespace_wildcard) @import
      (arrow_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
      (as_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
      (type_identifier) @import
      (generic_type type: (type_identifier) @import)
    ])
  ] .) @_import
  (#not-match? @_import "^[^{]*,")
  (#not-eq? @import "given"))
((import_declaration
  . (identifier) @module . (identifier) @module . (identifier) @module . (identifier) @module
  . (identifier) @module . (identifier) @module
  . [
    (identifier) @import
    (operator_identifier) @import
    (namespace_wildcard) @import
    (as_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
    (type_identifier) @import
    (generic_type type: (type_identifier) @import)
    (namespace_selectors [
      (identifier) @import
      (operator_identifier) @import
      (namespace_wildcard) @import
      (arrow_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
      (as_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
      (type_identifier) @import
      (generic_type type: (type_identifier) @import)
    ])
  ] .) @_import
  (#not-match? @_import "^[^{]*,")
  (#not-eq? @import "given"))
((import_declaration
  . (identifier) @module . (identifier) @module . (identifier) @module . (identifier) @module
  . (identifier) @module . (identifier) @module . (identifier) @module
  . [
    (identifier) @import
    (operator_identifier) @import
    (namespace_wildcard) @import
    (as_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
    (type_identifier) @import
    (generic_type type: (type_identifier) @import)
    (namespace_selectors [
      (identifier) @import
      (operator_identifier) @import
      (namespace_wildcard) @import
      (arrow_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
      (as_renamed_identifier name: (identifier) @import alias: (identifier) @alias)
      (type_identifier) @import
      (generic_type type: (type_identifier) @import)
    ])
  ] .) @_import
  (#not-match? @_import "^[^{]*,")
  (#not-eq? @import "given"))
; `given` alone takes what needs no name.
([
  (import_declaration
    . (identifier) @module
    . [(namespace_wildcard) @_given (namespace_selectors . (namespace_wildcard) @_given .)] .)
  (import_declaration
    . (identifier) @module . (identifier) @module
    . [(namespace_wildcard) @_given (namespace_selectors . (namespace_wildcard) @_given .)] .)
  (import_declaration
    . (identifier) @module . (identifier) @module . (identifier) @module
    . [(namespace_wildcard) @_given (namespace_selectors . (namespace_wildcard) @_given .)] .)
  (import_declaration
    . (identifier) @module . (identifier) @module . (identifier) @module . (identifier) @module
    . [(namespace_wildcard) @_given (namespace_selectors . (namespace_wildcard) @_given .)] .)
] @_import
  (#not-match? @_import "^[^{]*,")
  (#eq? @_given "given"))

(assignment_expression left: [
  (identifier) @write
  (field_expression field: (identifier) @write)
  (call_expression function: (identifier) @write)
])

; To declare a name is not to use it.
(parameter name: (identifier) @skip)
(class_parameter name: (identifier) @skip)
(val_definition pattern: (identifier) @skip)
(var_definition pattern: (identifier) @skip)
(enumerator . (identifier) @skip)

; What is said of types.
(val_definition pattern: (identifier) @var type: (_) @is)
(var_definition pattern: (identifier) @var type: (_) @is)
(val_definition pattern: (identifier) @var !type value: (_) @from)
(var_definition pattern: (identifier) @var !type value: (_) @from)
(parameter name: (identifier) @var type: (_) @is)
(binding name: (identifier) @var type: (_) @is)
(class_parameter name: (identifier) @field type: (_) @is)
(class_parameter name: (identifier) @var type: (_) @is)
(template_body (val_definition pattern: (identifier) @field type: (_) @is))
(template_body (var_definition pattern: (identifier) @field type: (_) @is))
(template_body (val_definition pattern: (identifier) @field !type value: (_) @from))
(template_body (var_definition pattern: (identifier) @field !type value: (_) @from))
(template_body (val_declaration name: (identifier) @field type: (_) @is))
(template_body (var_declaration name: (identifier) @field type: (_) @is))
(function_definition name: (identifier) @fn return_type: (_) @is)
(function_definition name: (identifier) @fn !return_type body: [(call_expression) (instance_expression) (field_expression)] @from)
(function_declaration name: (identifier) @fn return_type: (_) @is)
(function_definition name: (identifier) @field !parameters return_type: (_) @is)
(function_declaration name: (identifier) @field !parameters return_type: (_) @is)
(typed_pattern pattern: (identifier) @var type: (_) @is)
(type_definition name: (type_identifier) @sub type: (_) @is)

; Names that functions and patterns give.
(lambda_expression parameters: (identifier) @param)
(lambda_expression parameters: (bindings (binding name: (identifier) @param)))
(case_clause pattern: (identifier) @param)
(case_clause pattern: (tuple_pattern (identifier) @param))
(case_class_pattern pattern: (identifier) @param)
(case_class_pattern pattern: (tuple_pattern (identifier) @param))
(typed_pattern pattern: (identifier) @param)
(capture_pattern name: (identifier) @param)
(self_type . (identifier) @param)

; What has a self type has what that has.
(trait_definition
  name: (identifier) @sub body: (template_body (self_type (type_identifier) @is)))
(class_definition
  name: (identifier) @sub body: (template_body (self_type (type_identifier) @is)))
; `_` is one of what the function is called on.
(call_expression
  function: (field_expression value: (_) @each)
  arguments: (arguments . (call_expression function: (field_expression value: (wildcard) @var))))
(call_expression
  function: (field_expression value: (_) @each)
  arguments: (arguments . (field_expression value: (wildcard) @var)))
(call_expression
  function: (field_expression value: (_) @each)
  arguments: [
    (arguments . (lambda_expression parameters: (identifier) @var))
    (block . (lambda_expression parameters: (identifier) @var))
  ])
(call_expression
  function: (field_expression value: (_) @each)
  arguments: (arguments . (lambda_expression parameters: (bindings . (binding name: (identifier) @var)))))
