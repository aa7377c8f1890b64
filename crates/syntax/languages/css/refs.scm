; Custom properties.
(call_expression
  (function_name) @_var
  (arguments . (plain_value) @use)
  (#eq? @_var "var"))

(import_statement (string_value) @import)
(import_statement (call_expression (arguments (string_value) @import)))
; The grammar knows no other at-rules that end in a string.
((ERROR (at_keyword) @_keyword . (string_value) @import)
  (#any-of? @_keyword "@use" "@forward" "@import" "@plugin" "@config"))

; Mixins of SCSS.
((postcss_statement
  (at_keyword) @_include
  . [(plain_value) @call (call_expression (function_name) @call)])
  (#eq? @_include "@include"))
((at_rule (at_keyword) @_include . (keyword_query) @call)
  (#eq? @_include "@include"))
