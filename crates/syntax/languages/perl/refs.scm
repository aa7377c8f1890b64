(function_call_expression function: (function) @call (#not-match? @call "^&"))
(function_call_expression function: (function (varname) @call))
; What has no parentheses is mostly built in.
(ambiguous_function_call_expression
  function: (function) @call
  (#not-any-of? @call
    "and" "binmode" "bless" "close" "delete" "die" "each" "exec" "exists" "exit" "grep" "has" "index" "join"
    "kill" "map" "mkdir" "not" "open" "or" "pack" "pop" "print" "printf" "push" "read" "return" "reverse" "say"
    "seek" "select" "shift" "sort" "splice" "split" "sprintf" "substr" "system" "unlink" "unpack" "unshift"
    "utime" "warn" "write" "extends" "with"))
(method_call_expression method: (method) @call (#not-match? @call "^\\$"))
(method_call_expression invocant: (bareword) @type (#not-eq? @type "__PACKAGE__"))

(use_statement
  "use"
  module: (package) @import
  (#not-any-of? @import
    "strict" "warnings" "utf8" "feature" "vars" "lib" "constant" "parent" "base" "experimental" "if"))
; A parent is loaded too, unless it is said to be here already.
(use_statement
  "use"
  module: (package) @_parent
  [
    (string_literal content: (_) @import)
    (interpolated_string_literal content: (_) @import)
    (quoted_word_list content: (_) @import)
    (list_expression (string_literal content: (_) @import))
  ] @_list
  (#any-of? @_parent "parent" "base")
  (#match? @import "^\\s*[\\w:]+\\s*$")
  (#not-match? @_list "-norequire"))
(require_expression (bareword) @import)
(require_expression
  [(string_literal content: (_) @import) (interpolated_string_literal content: (_) @import)]
  (#not-match? @import "[$@]"))
; do "settings.pl";
(eval_expression
  (filename
    [(string_literal content: (_) @import) (interpolated_string_literal content: (_) @import)])
  (#not-match? @import "[$@]"))

(use_statement
  module: (package) @_parent
  [
    (string_literal content: (_) @inherit)
    (interpolated_string_literal content: (_) @inherit)
    (quoted_word_list content: (_) @inherit)
    (list_expression (string_literal content: (_) @inherit))
  ]
  (#any-of? @_parent "parent" "base"))
(ambiguous_function_call_expression
  function: (function) @_extends
  arguments: [
    (string_literal content: (_) @inherit)
    (quoted_word_list content: (_) @inherit)
    (list_expression (string_literal content: (_) @inherit))
  ]
  (#any-of? @_extends "extends" "with"))
(assignment_expression
  left: (variable_declaration variable: (array (varname) @_isa))
  right: [
    (quoted_word_list content: (_) @inherit)
    (parenthesized_expression (string_literal content: (_) @inherit))
    (parenthesized_expression (list_expression (string_literal content: (_) @inherit)))
  ]
  (#eq? @_isa "ISA"))
(attribute name: (attribute_name) @_isa value: (attribute_value) @inherit (#any-of? @_isa "isa" "does"))
