(comment) @comment

; What stands above the page is TypeScript; it keeps its names.
((frontmatter (frontmatter_js_block) @inject) @scope (#set! language "typescript"))

; The larger parts of a page that have a name.
((element
  (start_tag
    (tag_name) @_tag
    (attribute
      (attribute_name) @_id
      (quoted_attribute_value (attribute_value) @name))) @head) @unit.section
  (#eq? @_id "id")
  (#any-of? @_tag "section" "article" "main" "nav" "header" "footer" "aside" "form" "dialog" "template"))

; A script or style has no name of its own: what is inside keeps its names.
((script_element (raw_text) @body) @unit.module (#match? @body "\\S"))
((style_element (raw_text) @body) @unit.module (#match? @body "\\S"))

; Scripts are TypeScript unless their type says that they are data.
((script_element (start_tag) @_tag (raw_text) @inject)
  (#not-match? @_tag "type=[\"']?(text/(html|template|x-)|application/(json|ld|x-)|importmap|speculationrules)")
  (#set! language "typescript"))
((style_element (raw_text) @inject) (#set! language "css"))
