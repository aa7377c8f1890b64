(call_expression function: (identifier) @call (#not-eq? @call "require"))
(call_expression function: (member_expression property: (_) @call))
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression property: (_) @call))
(decorator (identifier) @call)
(decorator (member_expression property: (_) @call))

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

(import_statement source: (string) @import)
(import_statement (import_clause (identifier) @alias) source: (string) @module)
(import_statement
  (import_clause (namespace_import (identifier) @alias))
  source: (string) @module)
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @import !alias)))
  source: (string) @module)
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @import alias: (_) @alias)))
  source: (string) @module)
(export_statement source: (string) @import)
(export_statement
  (export_clause (export_specifier name: (_) @import !alias))
  source: (string) @module)
(export_statement
  (export_clause (export_specifier name: (_) @import alias: (_) @alias))
  source: (string) @module)
(call_expression function: (import) arguments: (arguments . (string) @import))
(call_expression
  function: (identifier) @_require
  arguments: (arguments . (string) @import)
  (#eq? @_require "require"))
(variable_declarator
  name: (identifier) @alias
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string) @module))
  (#eq? @_require "require"))
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @import)
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string) @module))
  (#eq? @_require "require"))
(variable_declarator
  name: (object_pattern (pair_pattern key: (_) @import value: (identifier) @alias))
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string) @module))
  (#eq? @_require "require"))
; `const parse = require("./parse").default`
(variable_declarator
  name: (identifier) @alias
  value: (member_expression
    object: (call_expression
      function: (identifier) @_require
      arguments: (arguments . (string) @module))
    property: (property_identifier) @import)
  (#eq? @_require "require"))
(import_require_clause (identifier) @alias source: (string) @module)

(variable_declarator name: (identifier) @bind)
(assignment_expression
  left: (member_expression object: (identifier) @_exports property: (property_identifier) @bind)
  (#eq? @_exports "exports"))
(required_parameter pattern: (identifier) @param)
(optional_parameter pattern: (identifier) @param)
(arrow_function parameter: (identifier) @param)
(shorthand_property_identifier_pattern) @bind
(object_pattern (pair_pattern value: (identifier) @bind))
(array_pattern (identifier) @bind)
(for_in_statement left: (identifier) @param)
(catch_clause parameter: (identifier) @param)

(assignment_expression left: [
  (identifier) @write
  (member_expression property: (_) @write)
  (subscript_expression object: (identifier) @write)
  (subscript_expression object: (member_expression property: (_) @write))
])
(augmented_assignment_expression left: [
  (identifier) @write
  (member_expression property: (_) @write)
  (subscript_expression object: (identifier) @write)
  (subscript_expression object: (member_expression property: (_) @write))
])
(update_expression argument: [
  (identifier) @write
  (member_expression property: (_) @write)
  (subscript_expression object: (identifier) @write)
])
