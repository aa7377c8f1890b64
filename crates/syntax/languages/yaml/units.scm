(comment) @comment

; A key with anything below it; a key with a plain value is part of its block.
; Not the keys of a list's item, which belong together: so a key at the top, or
; in one at the top, or with two keys around it.
(document (block_node (block_mapping
  (block_mapping_pair
    key: (flow_node) @name
    value: (block_node [(block_mapping) (block_sequence)])) @unit.config)))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair
    key: (flow_node) @name
    value: (block_node [(block_mapping) (block_sequence)])) @unit.config))))))
(block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair value: (block_node (block_mapping
    (block_mapping_pair
      key: (flow_node) @name
      value: (block_node [(block_mapping) (block_sequence)])) @unit.config))))))

; A step, task or container of some length, by its name or by what it uses.
(block_sequence_item
  (block_node (block_mapping
    (block_mapping_pair key: (flow_node) @_key value: (flow_node) @name))) @_item
  (#eq? @_key "name")
  (#match? @_item "(\n[^\n]*){3}")) @unit.config
(block_sequence_item
  (block_node (block_mapping
    . (block_mapping_pair key: (flow_node) @_key value: (flow_node) @name))) @_item
  (#eq? @_key "uses")
  (#match? @_item "(\n[^\n]*){3}")) @unit.config

; A file for Kubernetes holds several objects: each is known by kind and name.
; The anchors keep long mappings from being matched pair by pair.
(document (block_node (block_mapping
  . (block_mapping_pair key: (flow_node) @_version)
  . (block_mapping_pair key: (flow_node) @_kind value: (flow_node) @name)))
  (#eq? @_version "apiVersion")
  (#eq? @_kind "kind")) @scope
(document (block_node (block_mapping
  . (block_mapping_pair key: (flow_node) @_version)
  . (block_mapping_pair key: (flow_node) @_kind) @head
  . (block_mapping_pair
    key: (flow_node) @_metadata
    value: (block_node (block_mapping
      (block_mapping_pair key: (flow_node) @_key value: (flow_node) @name))))))
  (#eq? @_version "apiVersion")
  (#eq? @_kind "kind")
  (#eq? @_metadata "metadata")
  (#eq? @_key "name")) @unit.config
