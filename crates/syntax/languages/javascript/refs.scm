(call_expression function: (identifier) @call (#not-eq? @call "require"))
(call_expression function: (member_expression property: (_) @call))
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression property: (_) @call))
(decorator (identifier) @call)
(decorator (member_expression property: (_) @call))

; A component in JSX; lower case is plain HTML.
(jsx_opening_element name: (identifier) @call (#match? @call "^[A-Z]"))
(jsx_self_closing_element name: (identifier) @call (#match? @call "^[A-Z]"))
(jsx_opening_element name: (member_expression property: (_) @call))
(jsx_self_closing_element name: (member_expression property: (_) @call))

; Functions handed over by name: `router.get("/", list)`, `onClick={save}`.
(arguments (identifier) @use)
(jsx_attribute (jsx_expression (identifier) @use))

(class_heritage (identifier) @inherit)
(class_heritage (member_expression property: (_) @inherit))
(class_heritage (call_expression arguments: (arguments (identifier) @inherit)))

(import_statement source: (string) @import)
(import_clause (identifier) @import)
(import_clause (namespace_import (identifier) @import))
(import_specifier name: (_) @import)
(export_statement source: (string) @import)
(export_statement (export_clause (export_specifier name: (_) @import)) source: (string))
(call_expression
  function: (identifier) @_require
  arguments: (arguments . (string) @import)
  (#eq? @_require "require"))
(call_expression function: (import) arguments: (arguments . (string) @import))
