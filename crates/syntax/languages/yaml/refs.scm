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

; What is built, included or read: paths, written with or without `./`.
(block_mapping_pair
  key: (flow_node) @_key
  value: (flow_node [(plain_scalar) (single_quote_scalar) (double_quote_scalar)] @import)
  (#any-of? @_key "build" "context" "dockerfile" "file" "local" "env_file" "include" "chart" "path")
  (#set! import.prefix "./"))
(block_mapping_pair
  key: (flow_node) @_key
  value: (block_node (block_sequence (block_sequence_item (flow_node) @import)))
  (#any-of? @_key
    "env_file" "include" "resources" "bases" "components" "valueFiles" "patchesStrategicMerge")
  (#set! import.prefix "./"))
; Scripts that a step runs.
(block_mapping_pair
  key: (flow_node) @_key
  value: [(flow_node) (block_node (block_scalar))] @import
  (#any-of? @_key "run" "command" "entrypoint" "script")
  (#set! import.paths "all"))
(block_mapping_pair
  key: (flow_node) @_key
  value: (block_node (block_sequence (block_sequence_item (flow_node) @import)))
  (#any-of? @_key "command" "entrypoint" "script" "before_script" "after_script")
  (#set! import.paths "all"))
; Helm: a chart that lies in the repository.
((flow_node [(plain_scalar) (single_quote_scalar) (double_quote_scalar)] @import)
  (#match? @import "^[\"']?file://\\.")
  (#set! import.paths "all"))
