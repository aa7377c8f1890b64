(call_expression . (simple_identifier) @call)
(call_expression
  . (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call)))
; The grammar takes `a + b()` for a call of `a + b`.
(call_expression . (_ rhs: (simple_identifier) @call))
(call_expression
  . (_ rhs: (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call))))
(constructor_expression constructed_type: (user_type (type_identifier) @call))
(macro_invocation (simple_identifier) @call)

; The last part of a name with dots.
(user_type (type_identifier) @type .)
(user_type (type_identifier) @type . (type_arguments) .)

(inheritance_specifier inherits_from: (user_type (type_identifier) @inherit .))
(inheritance_specifier
  inherits_from: (user_type (type_identifier) @inherit . (type_arguments) .))

((import_declaration (identifier) @import) @_import
  (#not-match? @_import "import\\s+(typealias|struct|class|enum|protocol|let|var|func)\\s"))
; `import struct Weather.Forecast`
(import_declaration
  ["typealias" "struct" "class" "enum" "protocol" "let" "var" "func"]
  (identifier . (simple_identifier) @module . (simple_identifier) @import .))
(import_declaration
  ["typealias" "struct" "class" "enum" "protocol" "let" "var" "func"]
  (identifier
    . (simple_identifier) @module
    . (simple_identifier) @module
    . (simple_identifier) @import .))

(assignment target: (directly_assignable_expression [
  (simple_identifier) @write
  (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @write))
  (call_expression . (simple_identifier) @write)
]))

; To declare a name is not to use it.
(pattern bound_identifier: (simple_identifier) @skip)
(parameter name: (simple_identifier) @skip)
(parameter external_name: (simple_identifier) @skip)
