; Components.
((start_tag (tag_name) @call) (#match? @call "^[A-Z]"))
((self_closing_tag (tag_name) @call) (#match? @call "^[A-Z]"))

; Handlers and values given by name: `onclick={save}`, `{save}`.
((attribute (expression (svelte_raw_text) @use))
  (#match? @use "^[A-Za-z_$][A-Za-z0-9_$]*$"))
((attribute (attribute_name (svelte_raw_text) @use))
  (#match? @use "^[A-Za-z_$][A-Za-z0-9_$]*$"))

; What a block goes through, if it is a plain name.
((each_start identifier: (svelte_raw_text) @use)
  (#match? @use "^[A-Za-z_$][A-Za-z0-9_$]*$"))
