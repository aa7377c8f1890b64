(comment) @comment

; `resource "aws_s3_bucket" "data"` is `resource.aws_s3_bucket.data`: the type
; and all labels but the last only lend their names.
(block . (identifier) @name . [(string_lit) (identifier)]) @scope
(block . (identifier) . [(string_lit) (identifier)] @name . [(string_lit) (identifier)]) @scope
(block [(string_lit) (identifier)] @name . (block_start)) @unit.config

; What `local.name` refers to.
(block
  . (identifier) @_type
  (body (attribute . (identifier) @name) @unit.constant)
  (#eq? @_type "locals"))

; The variables of a .tfvars file.
(config_file (body (attribute . (identifier) @name) @unit.constant))
