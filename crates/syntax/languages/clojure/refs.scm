; The head of a list is called, unless it defines or is a special form.
; A name with a dot inside is a package that is imported.
((list_lit . (sym_lit name: (sym_name) @call))
  (#not-match? @call "^[a-z].*\\.[a-z]+$")
  (#not-any-of? @call
    "ns" "def" "defn" "defn-" "defonce" "declare" "defmacro" "defmulti" "defmethod" "defprotocol"
    "definterface" "defrecord" "deftype" "deftest" "extend-type" "extend-protocol" "reify"
    "let" "letfn" "if" "if-not" "if-let" "if-some" "when" "when-not" "when-let" "when-some" "do"
    "loop" "recur" "fn" "cond" "case" "and" "or" "quote" "throw" "try" "catch" "finally"
    "->" "->>" "some->" "some->>" "cond->" "cond->>" "as->" "for" "doseq" "dotimes" "while"
    "binding" "comment" "testing" "new" "set!" "var" "is"))
; (-> x f g)
(list_lit
  . (sym_lit name: (sym_name) @_thread)
  . (_)
  (sym_lit name: (sym_name) @call)
  (#any-of? @_thread "->" "->>" "some->" "some->>"))

(list_lit
  . (sym_lit name: (sym_name) @_define)
  . (sym_lit)
  (sym_lit name: (sym_name) @inherit)
  (#any-of? @_define "defrecord" "deftype" "extend-type"))

(list_lit
  . (kwd_lit name: (kwd_name) @_kind)
  [
    (vec_lit . (sym_lit name: (sym_name) @import))
    (sym_lit name: (sym_name) @import)
    (list_lit . (sym_lit name: (sym_name) @import))
  ]
  (#any-of? @_kind "require" "use" "import" "require-macros"))
(list_lit
  . (kwd_lit name: (kwd_name) @_kind)
  (vec_lit (kwd_lit name: (kwd_name) @_refer) . (vec_lit (sym_lit name: (sym_name) @import)))
  (#any-of? @_kind "require" "use" "require-macros")
  (#any-of? @_refer "refer" "only"))
(list_lit
  . (kwd_lit name: (kwd_name) @_kind)
  [
    (list_lit . (sym_lit) (sym_lit name: (sym_name) @import))
    (vec_lit . (sym_lit) (sym_lit name: (sym_name) @import))
  ]
  (#eq? @_kind "import"))
