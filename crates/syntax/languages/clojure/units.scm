; A namespace names what is in its file.
(source
  (list_lit . (sym_lit name: (sym_name) @_define) . (sym_lit name: (sym_name) @name))
  (#eq? @_define "ns")) @scope

(comment) @comment
(source
  (list_lit . (sym_lit name: (sym_name) @_define) . (sym_lit) . (str_lit) @comment)
  (#eq? @_define "ns"))

; Definitions stand at the top, but also in `let`, `do` and reader conditionals.
; The signature ends before the documentation or after the parameters.
((list_lit
  . (sym_lit name: (sym_name) @_define)
  . (sym_lit name: (sym_name) @name)
  . (vec_lit)
  . (_) @body) @unit.function
  (#any-of? @_define "defn" "defn-"))
((list_lit
  . (sym_lit name: (sym_name) @_define)
  . (sym_lit name: (sym_name) @name)
  . (str_lit) @doc @body) @unit.function
  (#any-of? @_define "defn" "defn-" "defmulti"))
((list_lit
  . (sym_lit name: (sym_name) @_define)
  . (sym_lit name: (sym_name) @name)
  . (list_lit) @body) @unit.function
  (#any-of? @_define "defn" "defn-" "deftest" "deftest-" "defspec"))
((list_lit
  . (sym_lit name: (sym_name) @_define)
  . (sym_lit name: (sym_name) @name)) @unit.function
  (#any-of? @_define "defn" "defn-" "defmulti" "deftest" "deftest-" "defspec" "fdef"))
((list_lit
  . (sym_lit name: (sym_name) @_define)
  . (sym_lit name: (sym_name) @name)
  . (str_lit) @doc @body) @unit.macro
  (#eq? @_define "defmacro"))
((list_lit
  . (sym_lit name: (sym_name) @_define)
  . (sym_lit name: (sym_name) @name)
  . (vec_lit)? . (_) @body) @unit.macro
  (#eq? @_define "defmacro"))
((list_lit
  . (sym_lit name: (sym_name) @_define)
  . (sym_lit name: (sym_name) @name)
  . (str_lit)? @doc) @unit.constant
  (#any-of? @_define "def" "defonce" "declare"))
; A method is named by its multimethod and the value it is for.
((list_lit
  . (sym_lit name: (sym_name) @_define)
  . (sym_lit name: (sym_name) @name)
  . (_) @name
  . (vec_lit)
  . (_)? @body) @unit.function
  (#eq? @_define "defmethod"))
; (s/def ::name …)
((list_lit . (sym_lit name: (sym_name) @_define) . (kwd_lit) @name) @unit.type
  (#eq? @_define "def"))

((list_lit
  . (sym_lit name: (sym_name) @_define)
  . (sym_lit name: (sym_name) @name)
  . (str_lit) @doc @body) @unit.trait
  (#any-of? @_define "defprotocol" "definterface"))
((list_lit
  . (sym_lit name: (sym_name) @_define)
  . (sym_lit name: (sym_name) @name)
  . (_)? @body) @unit.trait
  (#any-of? @_define "defprotocol" "definterface"))
((list_lit
  . (sym_lit name: (sym_name) @_define)
  . (sym_lit name: (sym_name) @name)
  . (vec_lit)
  . (_)? @body) @unit.struct
  (#any-of? @_define "defrecord" "deftype"))
((list_lit
  . (sym_lit name: (sym_name) @_define)
  . (sym_lit name: (sym_name) @name)
  . (_)? @body) @unit.impl
  (#any-of? @_define "extend-type" "extend-protocol"))
(list_lit
  . (sym_lit name: (sym_name) @_define)
  . (sym_lit)
  (list_lit
    . (sym_lit name: (sym_name) @name)
    . (vec_lit)
    . (str_lit) @doc @body) @unit.function
  (#any-of? @_define "defprotocol" "definterface"))
(list_lit
  . (sym_lit name: (sym_name) @_define)
  . (sym_lit)
  (list_lit . (sym_lit name: (sym_name) @name) . (vec_lit) . (_)? @body) @unit.function
  (#any-of? @_define "defprotocol" "definterface" "defrecord" "deftype" "extend-type" "extend-protocol"))

((list_lit . (sym_lit name: (sym_name) @_define) . (str_lit) @name . (_) @body) @unit.function
  (#any-of? @_define "testing" "describe"))
