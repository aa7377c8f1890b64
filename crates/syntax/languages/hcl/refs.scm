(function_call . (identifier) @call)

; `var.region`, `local.tags`, `module.cache`: the name after the dot.
(expression
  . (variable_expr (identifier) @_space)
  . (get_attr (identifier) @use)
  (#any-of? @_space "var" "local" "module"))

; `data.aws_ami.base`
(expression
  . (variable_expr (identifier) @_space)
  . (get_attr (identifier) @type)
  . (get_attr (identifier) @use)
  (#eq? @_space "data"))

; `aws_s3_bucket.data`: a resource type begins with the name of its provider.
; `rule_name.value` is the element of a dynamic block.
(expression
  . (variable_expr (identifier) @type)
  . (get_attr (identifier) @use)
  (#match? @type "_")
  (#not-eq? @use "value"))

; Which type a resource or data block is of.
(block
  . (identifier) @_block
  . (string_lit (template_literal) @type)
  . (string_lit)
  (#any-of? @_block "resource" "data"))

; Where a module or a provider comes from.
(attribute
  . (identifier) @_key
  (expression (literal_value (string_lit (template_literal) @import)))
  (#eq? @_key "source"))
(object_elem
  key: (expression (variable_expr (identifier) @_key))
  val: (expression (literal_value (string_lit (template_literal) @import)))
  (#eq? @_key "source"))
