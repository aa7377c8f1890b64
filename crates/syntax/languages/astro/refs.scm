; Components.
((start_tag (tag_name) @call) (#match? @call "^[A-Z]"))
((self_closing_tag (tag_name) @call) (#match? @call "^[A-Z]"))

; Values given by name: `items={shown}`, `{shown}`.
((attribute_js_expr) @use (#match? @use "^[A-Za-z_$][A-Za-z0-9_$]*$"))
((html_interpolation (permissible_text) @use) (#match? @use "^[A-Za-z_$][A-Za-z0-9_$]*$"))

((script_element
  (start_tag
    (attribute
      (attribute_name) @_src
      (quoted_attribute_value (attribute_value) @import))))
  (#eq? @_src "src"))
