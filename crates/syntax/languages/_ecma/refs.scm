(call_expression function: (identifier) @call (#not-eq? @call "require"))
(call_expression function: (member_expression property: (_) @call))
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression property: (_) @call))
(decorator (identifier) @call)
(decorator (member_expression property: (_) @call))

(import_statement source: (string) @import)
((import_statement (import_clause (identifier) @alias) source: (string) @module)
  (#set! import.name "default"))
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

(variable_declarator name: (identifier) @bind)
(assignment_expression
  left: (member_expression object: (identifier) @_exports property: (property_identifier) @bind)
  (#eq? @_exports "exports"))
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

; What is said of types.
(variable_declarator name: (identifier) @var value: (_) @from)
(assignment_expression left: (identifier) @var right: (_) @from)
(assignment_expression
  left: (member_expression object: (this) property: (property_identifier) @field)
  right: (_) @from)
(for_in_statement left: (identifier) @var operator: "of" right: (_) @each)
(return_statement [(new_expression) (call_expression) (member_expression) (this) (identifier)] @from)
(arrow_function body: [(new_expression) (call_expression) (member_expression)] @from)
(call_expression
  function: (member_expression object: (_) @each)
  arguments: (arguments . (arrow_function parameter: (identifier) @var)))
; What a module gives where all of it is asked for, by its name.
(export_statement "default" @fn declaration: (_ name: (_) @from))
(export_statement "default" @fn value: (identifier) @from)
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @fn)
  right: (identifier) @from
  (#eq? @_module "module")
  (#eq? @fn "exports"))
; What a module is by default.
(export_statement value: [(new_expression) (call_expression) (identifier)] @from)
