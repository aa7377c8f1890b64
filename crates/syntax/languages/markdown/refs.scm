; Other files that are linked to by name; the grammar does not look into
; paragraphs.
(link_reference_definition
  (link_destination) @use
  (#not-match? @use "^[a-z]+:"))

; What is named in backticks.
((paragraph (inline) @use) (#set! code.spans "yes"))
((atx_heading (inline) @use) (#set! code.spans "yes"))
((pipe_table_cell) @use (#set! code.spans "yes"))
