; Other files that are linked to by name; the grammar does not look into
; paragraphs.
(link_reference_definition
  (link_destination) @use
  (#not-match? @use "^[a-z]+:"))
