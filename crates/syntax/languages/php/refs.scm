(function_call_expression function: (name) @call)
(function_call_expression function: (qualified_name (name) @call))
(member_call_expression name: (name) @call)
(nullsafe_member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression (name) @call)
(object_creation_expression (qualified_name (name) @call))
(attribute (name) @call)
(attribute (qualified_name (name) @call))

((named_type (name) @type) (#not-any-of? @type "self" "static" "parent"))
(named_type (qualified_name (name) @type))
(scoped_call_expression scope: (name) @type)
(scoped_call_expression scope: (qualified_name (name) @type))
(class_constant_access_expression . (name) @type)
(class_constant_access_expression . (qualified_name (name) @type))
(scoped_property_access_expression scope: (name) @type)
(binary_expression operator: "instanceof" right: (name) @type)
(binary_expression operator: "instanceof" right: (qualified_name (name) @type))

(base_clause (name) @inherit)
(base_clause (qualified_name (name) @inherit))
(class_interface_clause (name) @inherit)
(class_interface_clause (qualified_name (name) @inherit))
(use_declaration (name) @inherit)
(use_declaration (qualified_name (name) @inherit))

(namespace_use_declaration
  (namespace_use_clause . [(name) (qualified_name)] @import !alias))
(namespace_use_declaration
  (namespace_use_clause . [(name) (qualified_name)] @import alias: (name) @alias))
(namespace_use_declaration
  (namespace_name) @module
  body: (namespace_use_group
    (namespace_use_clause . [(name) (qualified_name)] @import !alias)))
(namespace_use_declaration
  (namespace_name) @module
  body: (namespace_use_group
    (namespace_use_clause . [(name) (qualified_name)] @import alias: (name) @alias)))

; A path as a whole, or the end of one: `__DIR__ . '/page.php'`.
(include_expression
  [
    (string) @import
    (encapsed_string . (string_content) @import .)
    (parenthesized_expression
      [(string) @import (encapsed_string . (string_content) @import .)])
    (binary_expression
      operator: "."
      right: [(string) @import (encapsed_string . (string_content) @import .)])
    (parenthesized_expression
      (binary_expression
        operator: "."
        right: [(string) @import (encapsed_string . (string_content) @import .)]))
  ])
(include_once_expression
  [
    (string) @import
    (encapsed_string . (string_content) @import .)
    (parenthesized_expression
      [(string) @import (encapsed_string . (string_content) @import .)])
    (binary_expression
      operator: "."
      right: [(string) @import (encapsed_string . (string_content) @import .)])
    (parenthesized_expression
      (binary_expression
        operator: "."
        right: [(string) @import (encapsed_string . (string_content) @import .)]))
  ])
(require_expression
  [
    (string) @import
    (encapsed_string . (string_content) @import .)
    (parenthesized_expression
      [(string) @import (encapsed_string . (string_content) @import .)])
    (binary_expression
      operator: "."
      right: [(string) @import (encapsed_string . (string_content) @import .)])
    (parenthesized_expression
      (binary_expression
        operator: "."
        right: [(string) @import (encapsed_string . (string_content) @import .)]))
  ])
(require_once_expression
  [
    (string) @import
    (encapsed_string . (string_content) @import .)
    (parenthesized_expression
      [(string) @import (encapsed_string . (string_content) @import .)])
    (binary_expression
      operator: "."
      right: [(string) @import (encapsed_string . (string_content) @import .)])
    (parenthesized_expression
      (binary_expression
        operator: "."
        right: [(string) @import (encapsed_string . (string_content) @import .)]))
  ])

(assignment_expression left: [
  (variable_name (name) @write)
  (member_access_expression name: (name) @write)
  (scoped_property_access_expression name: (variable_name (name) @write))
  (subscript_expression . (variable_name (name) @write))
  (subscript_expression . (member_access_expression name: (name) @write))
])
(augmented_assignment_expression left: [
  (variable_name (name) @write)
  (member_access_expression name: (name) @write)
  (scoped_property_access_expression name: (variable_name (name) @write))
])
(update_expression argument: [
  (variable_name (name) @write)
  (member_access_expression name: (name) @write)
  (scoped_property_access_expression name: (variable_name (name) @write))
])

; To declare a name is not to use it.
(simple_parameter name: (variable_name (name) @skip))

; What is said of types.
(simple_parameter type: (_) @is name: (variable_name (name) @var))
(property_promotion_parameter type: (_) @is name: (variable_name (name) @field))
(property_promotion_parameter type: (_) @is name: (variable_name (name) @var))
(property_declaration type: (_) @is (property_element name: (variable_name (name) @field)))
(assignment_expression left: (variable_name (name) @var) right: (_) @from)
(assignment_expression
  left: (member_access_expression
    object: (variable_name (name) @_this) name: (name) @field)
  right: (_) @from
  (#eq? @_this "this"))
(foreach_statement . (_) @each . (variable_name (name) @var))
(foreach_statement . (_) @each . (pair (variable_name (name) @var) .))
(catch_clause type: (_) @is name: (variable_name (name) @var))
(function_definition name: (name) @fn return_type: (_) @is)
(method_declaration name: (name) @fn return_type: (_) @is)
(return_statement [(object_creation_expression) (member_call_expression) (scoped_call_expression) (member_access_expression)] @from)
