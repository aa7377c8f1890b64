(comment) @comment

; What documents or annotates the definition below it. The text of @doc is
; taken by the patterns for functions, so the row itself is only an attribute.
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_attribute
    (#any-of? @_attribute
      "doc" "typedoc" "spec" "impl" "deprecated" "dialyzer" "since" "tag" "describetag" "decorate"))) @attribute

(call
  target: (identifier) @_define
  (arguments . (alias) @name)
  (do_block
    (unary_operator
      operand: (call
        target: (identifier) @_doc
        (arguments [(string (quoted_content) @doc) (sigil (quoted_content) @doc)])))) @body
  (#eq? @_define "defmodule")
  (#any-of? @_doc "moduledoc" "shortdoc")) @unit.module
(call
  target: (identifier) @_define
  (arguments . (alias) @name)
  (do_block) @body
  (#eq? @_define "defmodule")) @unit.module
(call
  target: (identifier) @_define
  (arguments . (alias) @name)
  (do_block
    (unary_operator
      operand: (call
        target: (identifier) @_doc
        (arguments [(string (quoted_content) @doc) (sigil (quoted_content) @doc)])))) @body
  (#eq? @_define "defprotocol")
  (#eq? @_doc "moduledoc")) @unit.trait
(call
  target: (identifier) @_define
  (arguments . (alias) @name)
  (do_block) @body
  (#eq? @_define "defprotocol")) @unit.trait
; An implementation is named by its protocol and its type.
(call
  target: (identifier) @_define
  (arguments . (alias) @name . (keywords (pair value: (_) @name)))
  (do_block) @body
  (#eq? @_define "defimpl")) @unit.impl
(call
  target: (identifier) @_define
  (arguments . (alias) @name)
  (do_block) @body
  (#eq? @_define "defimpl")) @unit.impl

; A documented function: up to two attributes may stand between. The first
; pattern that matches wins. Siblings without their parent: it compiles faster.
((unary_operator
    operand: (call
      target: (identifier) @_doc
      (arguments [(string (quoted_content) @doc) (sigil (quoted_content) @doc)])))
  . (unary_operator operand: (call target: (identifier) @_between))?
  . (unary_operator operand: (call target: (identifier) @_between))?
  . (call
    target: (identifier) @_define
    (arguments
      . [
        (identifier) @name
        (call target: (identifier) @name)
        (binary_operator left: (call target: (identifier) @name) operator: "when")
      ])
    (do_block)? @body) @unit.function
  (#eq? @_doc "doc")
  (#any-of? @_between "spec" "impl" "deprecated" "since" "dialyzer" "doc")
  (#any-of? @_define "def" "defp" "defdelegate" "defguard" "defguardp" "defn" "defnp"))
((unary_operator
    operand: (call
      target: (identifier) @_doc
      (arguments [(string (quoted_content) @doc) (sigil (quoted_content) @doc)])))
  . (unary_operator operand: (call target: (identifier) @_between))?
  . (unary_operator operand: (call target: (identifier) @_between))?
  . (call
    target: (identifier) @_define
    (arguments
      . [
        (identifier) @name
        (call target: (identifier) @name)
        (binary_operator left: (call target: (identifier) @name) operator: "when")
      ])
    (do_block)? @body) @unit.macro
  (#eq? @_doc "doc")
  (#any-of? @_between "spec" "impl" "deprecated" "since" "dialyzer" "doc")
  (#any-of? @_define "defmacro" "defmacrop"))

(call
  target: (identifier) @_define
  (arguments
    . [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
    ])
  (do_block)? @body
  (#any-of? @_define "def" "defp" "defdelegate" "defguard" "defguardp" "defn" "defnp")) @unit.function
(call
  target: (identifier) @_define
  (arguments
    . [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
    ])
  (do_block)? @body
  (#any-of? @_define "defmacro" "defmacrop")) @unit.macro
; def a <> b
(call
  target: (identifier) @_define
  (arguments . (binary_operator left: (identifier) operator: _ @name right: (identifier)))
  (#any-of? @_define "def" "defp" "defmacro" "defmacrop")
  (#not-eq? @name "when")) @unit.function

; Types and callbacks, with their documentation where it stands above.
((unary_operator
    operand: (call
      target: (identifier) @_doc
      (arguments [(string (quoted_content) @doc) (sigil (quoted_content) @doc)])))
  . (unary_operator
    operand: (call
      target: (identifier) @_define
      (arguments
        (binary_operator left: [(identifier) @name (call target: (identifier) @name)])))) @unit.type
  (#eq? @_doc "typedoc")
  (#any-of? @_define "type" "opaque"))
((unary_operator
    operand: (call
      target: (identifier) @_doc
      (arguments [(string (quoted_content) @doc) (sigil (quoted_content) @doc)])))
  . (unary_operator
    operand: (call
      target: (identifier) @_define
      (arguments
        [
          (binary_operator left: (call target: (identifier) @name))
          (binary_operator left: (binary_operator left: (call target: (identifier) @name)))
        ]))) @unit.function
  (#eq? @_doc "doc")
  (#any-of? @_define "callback" "macrocallback"))
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_define
    (arguments
      (binary_operator left: [(identifier) @name (call target: (identifier) @name)])))
  (#any-of? @_define "type" "typep" "opaque")) @unit.type
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_define
    (arguments
      [
        (binary_operator left: (call target: (identifier) @name))
        (binary_operator left: (binary_operator left: (call target: (identifier) @name)))
      ]))
  (#any-of? @_define "callback" "macrocallback")) @unit.function

; Module attributes that hold a value.
(do_block
  (unary_operator
    operator: "@"
    operand: (call target: (identifier) @name (arguments))) @unit.constant
  (#not-any-of? @name
    "moduledoc" "doc" "typedoc" "shortdoc" "spec" "impl" "deprecated" "dialyzer" "since" "decorate"
    "behaviour" "tag" "moduletag" "describetag" "type" "typep" "opaque" "callback" "macrocallback"
    "optional_callbacks" "derive" "before_compile" "after_compile" "on_load" "on_definition" "compile"))

; Tests, and the schemas of Ecto.
(call
  target: (identifier) @_define
  (arguments . (string (quoted_content) @name))
  (do_block) @body
  (#any-of? @_define "test" "describe" "property" "feature")) @unit.function
(call
  target: (identifier) @_define
  (arguments . (string (quoted_content) @name))
  (do_block)
  (#eq? @_define "schema")) @unit.table

; The fields of a struct, and what a module keeps in attributes.
((call
  target: (identifier) @_def
  (arguments [
    (list (atom) @name @member.field)
    (list (keywords (pair key: (keyword) @name) @member.field))
    (keywords (pair key: (keyword) @name) @member.field)
  ]))
  (#any-of? @_def "defstruct" "defexception"))
((unary_operator
  operand: (call target: (identifier) @name (arguments))) @assigned.constant
  (#not-any-of? @name "moduledoc" "doc" "typedoc" "spec" "type" "typep" "opaque" "callback"
    "macrocallback" "impl" "behaviour" "tag" "moduletag" "describetag" "deprecated" "since" "dialyzer"
    "derive" "enforce_keys" "before_compile" "after_compile" "on_definition" "on_load" "compile" "vsn"
    "external_resource" "optional_callbacks" "nifs"))
