(method_invocation name: (identifier) @call)
(object_creation_expression type: (type_identifier) @call)
(object_creation_expression type: (generic_type . (type_identifier) @call))
(object_creation_expression type: (scoped_type_identifier (type_identifier) @call .))

(superclass (type_identifier) @inherit)
(superclass (generic_type . (type_identifier) @inherit))
(superclass (scoped_type_identifier (type_identifier) @inherit .))
(superclass (generic_type . (scoped_type_identifier (type_identifier) @inherit .)))
(super_interfaces (type_list (type_identifier) @inherit))
(super_interfaces (type_list (generic_type . (type_identifier) @inherit)))
(super_interfaces (type_list (scoped_type_identifier (type_identifier) @inherit .)))
(extends_interfaces (type_list (type_identifier) @inherit))
(extends_interfaces (type_list (generic_type . (type_identifier) @inherit)))
(extends_interfaces (type_list (scoped_type_identifier (type_identifier) @inherit .)))

[
  (method_declaration type: (type_identifier) @type)
  (annotation_type_element_declaration type: (type_identifier) @type)
  (field_declaration type: (type_identifier) @type)
  (constant_declaration type: (type_identifier) @type)
  (local_variable_declaration type: (type_identifier) @type)
  (formal_parameter type: (type_identifier) @type)
  (spread_parameter (type_identifier) @type)
  (enhanced_for_statement type: (type_identifier) @type)
  (resource type: (type_identifier) @type)
  (catch_type (type_identifier) @type)
  (throws (type_identifier) @type)
  (permits (type_list (type_identifier) @type))
  (type_bound (type_identifier) @type)
  (type_arguments (type_identifier) @type)
  (wildcard (type_identifier) @type)
  (generic_type . (type_identifier) @type)
  (array_type element: (type_identifier) @type)
  (array_creation_expression type: (type_identifier) @type)
  (cast_expression type: (type_identifier) @type)
  (instanceof_expression right: (type_identifier) @type)
  (type_pattern (type_identifier) @type)
  (record_pattern (identifier) @type)
  (class_literal (type_identifier) @type)
]
; Not the packages of `java.io.Closeable`.
((scoped_type_identifier (type_identifier) @type .) (#match? @type "^[A-Z]"))
(marker_annotation name: (identifier) @type)
(annotation name: (identifier) @type)

(import_declaration (scoped_identifier) @import .)
(import_declaration [(identifier) (scoped_identifier)] @module . (asterisk) @import)
(requires_module_directive module: (_) @import)

(assignment_expression left: [
  (identifier) @write
  (field_access field: (identifier) @write)
  (array_access array: (identifier) @write)
  (array_access array: (field_access field: (identifier) @write))
])
(update_expression [(identifier) @write (field_access field: (identifier) @write)])

; To declare a name is not to use it.
(variable_declarator name: (identifier) @skip)
(formal_parameter name: (identifier) @skip)
(spread_parameter (variable_declarator name: (identifier) @skip))
(catch_formal_parameter name: (identifier) @skip)
(enhanced_for_statement name: (identifier) @skip)
(resource name: (identifier) @skip)
(lambda_expression parameters: (identifier) @skip)
(inferred_parameters (identifier) @skip)

; What is said of types.
(local_variable_declaration
  type: (_) @is
  declarator: (variable_declarator name: (identifier) @var)
  (#not-eq? @is "var"))
(local_variable_declaration
  type: (_) @_var
  declarator: (variable_declarator name: (identifier) @var value: (_) @from)
  (#eq? @_var "var"))
(formal_parameter type: (_) @is name: (identifier) @var)
(spread_parameter . (_) @is (variable_declarator name: (identifier) @var))
(enhanced_for_statement type: (_) @is name: (identifier) @var (#not-eq? @is "var"))
(enhanced_for_statement
  type: (_) @_var name: (identifier) @var value: (_) @each
  (#eq? @_var "var"))
(resource type: (_) @is name: (identifier) @var (#not-eq? @is "var"))
(resource type: (_) @_var name: (identifier) @var value: (_) @from (#eq? @_var "var"))
(catch_formal_parameter (catch_type) @is name: (identifier) @var)
(instanceof_expression right: (_) @is name: (identifier) @var)
(type_pattern . (_) @is . (identifier) @var .)
(type_parameter . (type_identifier) @var (type_bound . (_) @is))
(field_declaration type: (_) @is declarator: (variable_declarator name: (identifier) @field))
(constant_declaration type: (_) @is declarator: (variable_declarator name: (identifier) @field))
(record_declaration parameters: (formal_parameters
  (formal_parameter type: (_) @is name: (identifier) @field)))
(record_declaration parameters: (formal_parameters
  (formal_parameter type: (_) @is name: (identifier) @fn)))
(method_declaration type: (_) @is name: (identifier) @fn)
; What a lambda is given comes from what it is called on.
(method_invocation
  object: (_) @each
  arguments: (argument_list . (lambda_expression parameters: (identifier) @var)))
(method_invocation
  object: (_) @each
  arguments: (argument_list
    . (lambda_expression parameters: (inferred_parameters . (identifier) @var))))
