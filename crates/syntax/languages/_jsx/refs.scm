; A component in JSX; lower case is plain HTML.
(jsx_opening_element name: (identifier) @call (#match? @call "^[A-Z]"))
(jsx_self_closing_element name: (identifier) @call (#match? @call "^[A-Z]"))
(jsx_opening_element name: (member_expression property: (_) @call))
(jsx_self_closing_element name: (member_expression property: (_) @call))

; A handler given by name: `onClick={save}`.
(jsx_attribute (jsx_expression (identifier) @read))
