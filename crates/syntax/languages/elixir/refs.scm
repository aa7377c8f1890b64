; Without arguments and without a module it may be a field.
(call target: (dot right: (identifier) @call) (arguments))
(call target: (dot left: (alias) right: (identifier) @call))
(binary_operator operator: "|>" right: (identifier) @call)

; Local calls by where they stand: in `def f(x)` the inner call is a head.
([
  (source (call target: (identifier) @call))
  (do_block (call target: (identifier) @call))
  (else_block (call target: (identifier) @call))
  (rescue_block (call target: (identifier) @call))
  (after_block (call target: (identifier) @call))
  (body (call target: (identifier) @call))
  (block (call target: (identifier) @call))
  (tuple (call target: (identifier) @call))
  (list (call target: (identifier) @call))
  (map_content (call target: (identifier) @call))
  (interpolation (call target: (identifier) @call))
  (access_call (call target: (identifier) @call))
  (pair value: (call target: (identifier) @call))
  (dot left: (call target: (identifier) @call))
  (unary_operator operator: ["!" "not" "&" "-" "^"] operand: (call target: (identifier) @call))
  (binary_operator right: (call target: (identifier) @call))
  (binary_operator left: (call target: (identifier) @call) operator: _ @_operator)
  (call target: (identifier) @_outer (arguments (call target: (identifier) @call)))
  (call target: (dot) (arguments (call target: (identifier) @call)))
]
  (#not-any-of? @_operator "when" "::")
  (#not-any-of? @_outer
    "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp" "spec")
  (#not-any-of? @call
    "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp"
    "defmodule" "defprotocol" "defimpl" "defstruct" "defexception" "defoverridable"
    "alias" "import" "require" "use" "if" "unless" "case" "cond" "with" "for" "try" "receive"
    "quote" "unquote" "unquote_splicing" "fn" "super" "test" "describe"))
; &parse/1
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @call operator: "/"))
(unary_operator operator: "&" operand: (binary_operator left: (call target: (dot right: (identifier) @call)) operator: "/"))

(struct (alias) @type)
(call target: (dot left: (alias) @type))

; The types of specifications.
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_attribute
    (arguments (binary_operator right: (call target: (dot left: (alias) @type)))))
  (#any-of? @_attribute "spec" "callback" "type"))

(unary_operator
  operand: (call target: (identifier) @_attribute (arguments (alias) @inherit))
  (#eq? @_attribute "behaviour"))
(call
  target: (identifier) @_define
  (arguments . (alias) @inherit)
  (#any-of? @_define "defimpl" "use"))

(call
  target: (identifier) @_import
  (arguments . [(alias) (dot right: (alias))] @import)
  (#any-of? @_import "import" "use"))
(call
  target: (identifier) @_import
  (arguments . [(alias) (dot right: (alias))] @import .)
  (#any-of? @_import "alias" "require"))
(call
  target: (identifier) @_import
  (arguments
    . [(alias) (dot right: (alias)) (identifier)] @import
    (keywords (pair key: (keyword) @_as value: (alias) @alias)))
  (#any-of? @_import "alias" "require")
  (#match? @_as "^as:"))
(call
  target: (identifier) @_import
  (arguments
    . [(alias) (dot right: (alias))] @import
    (keywords . (pair key: (keyword) @_key) .))
  (#any-of? @_import "alias" "require")
  (#not-match? @_key "^as:"))
; `alias A.{B, C}`
(call
  target: (identifier) @_import
  (arguments . (dot left: (_) @module right: (tuple (alias) @import)))
  (#any-of? @_import "alias" "import" "require" "use"))
