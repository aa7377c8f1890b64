(comment) @comment

(snippet_statement (snippet_start (snippet_name) @name)) @unit.function

; A script or style has no name of its own: what is inside keeps its names.
((script_element (raw_text) @body) @unit.module (#match? @body "\\S"))
((style_element (raw_text) @body) @unit.module (#match? @body "\\S"))

; A script without a language is JavaScript.
((script_element (start_tag) @_tag (raw_text) @inject)
  (#not-match? @_tag "lang=[\"']?(ts|typescript)[\"'\\s>]")
  (#set! language "javascript"))
((script_element (start_tag) @_tag (raw_text) @inject)
  (#match? @_tag "lang=[\"']?(ts|typescript)[\"'\\s>]")
  (#set! language "typescript"))
((style_element (raw_text) @inject) (#set! language "css"))
