(comment) @comment

(table . [(bare_key) (quoted_key) (dotted_key)] @name) @unit.config
(table_array_element . [(bare_key) (quoted_key) (dotted_key)] @name) @unit.config

; A list that fills many lines is worth its own unit in a long table.
(pair
  . [(bare_key) (quoted_key) (dotted_key)] @name
  . [(array) (inline_table)] @_value @body
  (#match? @_value "(\n[^\n]*){8}")) @unit.config
