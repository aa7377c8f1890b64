((script_element
  (start_tag
    (attribute
      (attribute_name) @_src
      (quoted_attribute_value (attribute_value) @import))))
  (#eq? @_src "src"))
((element
  [
    (start_tag
      (tag_name) @_tag
      (attribute
        (attribute_name) @_href
        (quoted_attribute_value (attribute_value) @import)))
    (self_closing_tag
      (tag_name) @_tag
      (attribute
        (attribute_name) @_href
        (quoted_attribute_value (attribute_value) @import)))
  ])
  (#eq? @_tag "link")
  (#eq? @_href "href"))

; Custom elements have a hyphen in their name.
((start_tag (tag_name) @use) (#match? @use "-"))
((self_closing_tag (tag_name) @use) (#match? @use "-"))
