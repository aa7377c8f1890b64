(alias (alias_name) @use)

; Actions, images and parts of schemas.
(block_mapping_pair
  key: (flow_node) @_key
  value: (flow_node [(plain_scalar) (single_quote_scalar) (double_quote_scalar)] @import)
  (#any-of? @_key "uses" "image"))
(block_mapping_pair
  key: (flow_node) @_key
  value: (flow_node [(plain_scalar) (single_quote_scalar) (double_quote_scalar)] @use)
  (#any-of? @_key "$ref" "needs" "extends"))

; Jobs and services that have to come first.
(block_mapping_pair
  key: (flow_node) @_key
  value: (flow_node (flow_sequence (flow_node) @use))
  (#any-of? @_key "needs" "depends_on" "extends"))
(block_mapping_pair
  key: (flow_node) @_key
  value: (block_node (block_sequence (block_sequence_item (flow_node) @use)))
  (#any-of? @_key "needs" "depends_on" "extends"))
