; A section is named by its heading and holds the smaller sections after it.
; Headings in quotations and lists begin nothing.
(document (section . (atx_heading heading_content: (inline) @name)) @unit.section)
(section (section . (atx_heading heading_content: (inline) @name)) @unit.section)
; The grammar does not nest sections under underlined headings.
(section (setext_heading heading_content: (paragraph (inline) @name)) @unit.section)
