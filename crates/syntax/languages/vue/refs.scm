; Components, in either spelling.
((start_tag (tag_name) @call) (#match? @call "^[A-Z]|-"))
((self_closing_tag (tag_name) @call) (#match? @call "^[A-Z]|-"))

; Handlers and values given by name: `@click="save"`, `:items="shown"`.
((attribute
  (attribute_name) @_name
  (quoted_attribute_value (attribute_value) @use))
  (#match? @_name "^([@:#]|v-)")
  (#match? @use "^[A-Za-z_$][A-Za-z0-9_$]*$"))

((script_element
  (start_tag
    (attribute
      (attribute_name) @_src
      (quoted_attribute_value (attribute_value) @import))))
  (#eq? @_src "src"))
