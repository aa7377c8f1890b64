(comment) @comment

; A heading, and what follows up to the next one. Markup inside a heading
; parts its text.
((element . (start_tag (tag_name) @_tag) . (text) @name . (end_tag)) @unit.section
  (#match? @_tag "^[hH][1-6]$"))
((element
  . (start_tag (tag_name) @_tag)
  . (text) @name
  . (entity) @name
  . (text) @name) @unit.section
  (#match? @_tag "^[hH][1-6]$"))
((element
  . (start_tag (tag_name) @_tag)
  . (text) @name
  . (element . (start_tag) . (text) @name)) @unit.section
  (#match? @_tag "^[hH][1-6]$"))
((element . (start_tag (tag_name) @_tag) . (element . (start_tag) . (text) @name)) @unit.section
  (#match? @_tag "^[hH][1-6]$"))

; The larger parts of a page that have a name.
((element
  (start_tag
    (tag_name) @_tag
    (attribute
      (attribute_name) @_id
      [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)])) @head) @unit.section
  (#eq? @_id "id")
  (#any-of? @_tag "section" "article" "main" "nav" "header" "footer" "aside" "form" "dialog" "template"))

; A script or style has no name of its own: what is inside keeps its names.
((script_element (raw_text) @body) @unit.module (#match? @body "\\S"))
((style_element (raw_text) @body) @unit.module (#match? @body "\\S"))

; Other types of scripts are data or templates.
((script_element (start_tag) @_tag (raw_text) @inject)
  (#not-match? @_tag "type=[\"']?(text/(html|template|x-|ng-)|application/(json|ld|x-)|importmap|speculationrules)|lang=[\"']?ts")
  (#set! language "javascript"))
((script_element (start_tag) @_tag (raw_text) @inject)
  (#match? @_tag "lang=[\"']?ts[\"'\\s>]")
  (#set! language "typescript"))
((style_element (raw_text) @inject) (#set! language "css"))
