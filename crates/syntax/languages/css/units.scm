(comment) @comment
; What SCSS and Less have.
(js_comment) @comment

; Selectors with such marks in them are what is left of SCSS that was not
; understood.
((rule_set (selectors) @name (block) @body) @unit.rule
  (#not-match? @name "[;{}$]|\\s//"))

(media_statement "@media" @name . (_) @name (block) @body) @unit.rule
(supports_statement "@supports" @name . (_) @name (block) @body) @unit.rule
(keyframes_statement
  ["@keyframes" (at_keyword)] @name
  (keyframes_name) @name
  (keyframe_block_list) @body) @unit.rule
(scope_statement "@scope" @name (block) @body) @unit.rule

; `@layer base { … }` and `@font-face { … }`. Control flow of SCSS is no
; definition.
((at_rule (at_keyword) @name . (block) @body) @unit.rule
  (#not-match? @name "^@(mixin|function|include|if|else|each|for|while)$"))
((at_rule
  (at_keyword) @name
  . [(keyword_query) (feature_query) (parenthesized_query) (binary_query)] @name
  (block) @body) @unit.rule
  (#not-match? @name "^@(mixin|function|include|if|else|each|for|while)$"))

; Mixins and functions of SCSS. The grammar stumbles over their parameters, so
; the block may be missing.
((at_rule (at_keyword) @_keyword . (keyword_query) @name) @unit.function
  (#any-of? @_keyword "@mixin" "@function"))
