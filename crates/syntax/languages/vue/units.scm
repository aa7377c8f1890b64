(comment) @comment

; A template stays whole: headings in it do not make sections as in HTML.
((document (element (start_tag (tag_name) @name)) @unit.module)
  (#eq? @name "template"))

; A script or style has no name of its own: what is inside keeps its names.
((script_element (raw_text) @body) @unit.module (#match? @body "\\S"))
((style_element (raw_text) @body) @unit.module (#match? @body "\\S"))

; A script without a language is JavaScript.
((script_element (start_tag) @_tag (raw_text) @inject)
  (#not-match? @_tag "lang=[\"']?tsx?[\"'\\s>]")
  (#set! language "javascript"))
((script_element (start_tag) @_tag (raw_text) @inject)
  (#match? @_tag "lang=[\"']?ts[\"'\\s>]")
  (#set! language "typescript"))
((script_element (start_tag) @_tag (raw_text) @inject)
  (#match? @_tag "lang=[\"']?tsx[\"'\\s>]")
  (#set! language "tsx"))
((style_element (raw_text) @inject) (#set! language "css"))
