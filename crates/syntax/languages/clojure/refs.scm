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

; In `ns`, or as a call with quotes.
(list_lit
  . (kwd_lit name: (kwd_name) @_kind)
  [(sym_lit name: (sym_name) @import) (read_cond_lit (sym_lit name: (sym_name) @import))]
  (#any-of? @_kind "require" "use" "import" "require-macros"))
(list_lit
  . (sym_lit name: (sym_name) @_kind)
  (quoting_lit (sym_lit name: (sym_name) @import))
  (#any-of? @_kind "require" "use" "import" "require-macros"))
(list_lit
  . (sym_lit name: (sym_name) @_kind)
  (sym_lit name: (sym_name) @import)
  (#eq? @_kind "import"))
; [a.b] and what does not name anything: [a.b :refer :all]
(list_lit
  . [(kwd_lit name: (kwd_name) @_kind) (sym_lit name: (sym_name) @_kind)]
  [
    (vec_lit . [(sym_lit name: (sym_name) @import) (str_lit) @import]) @_spec
    (quoting_lit
      (vec_lit . [(sym_lit name: (sym_name) @import) (str_lit) @import]) @_spec)
    (read_cond_lit
      (vec_lit . [(sym_lit name: (sym_name) @import) (str_lit) @import]) @_spec)
  ]
  (#any-of? @_kind "require" "use" "require-macros")
  (#not-match? @_spec ":(as|as-alias|default)\\s|:(refer|only|refer-macros)\\s+[\\[(]"))
; [a.b :as c]
(list_lit
  . [(kwd_lit name: (kwd_name) @_kind) (sym_lit name: (sym_name) @_kind)]
  [
    (vec_lit
      . [(sym_lit name: (sym_name) @module) (str_lit) @module]
      (kwd_lit name: (kwd_name) @_as) . (sym_lit name: (sym_name) @alias))
    (quoting_lit
      (vec_lit
        . [(sym_lit name: (sym_name) @module) (str_lit) @module]
        (kwd_lit name: (kwd_name) @_as) . (sym_lit name: (sym_name) @alias)))
    (read_cond_lit
      (vec_lit
        . [(sym_lit name: (sym_name) @module) (str_lit) @module]
        (kwd_lit name: (kwd_name) @_as) . (sym_lit name: (sym_name) @alias)))
  ]
  (#any-of? @_kind "require" "use" "require-macros")
  (#any-of? @_as "as" "as-alias" "default"))
; [a.b :refer [c d]]
(list_lit
  . [(kwd_lit name: (kwd_name) @_kind) (sym_lit name: (sym_name) @_kind)]
  [
    (vec_lit
      . [(sym_lit name: (sym_name) @module) (str_lit) @module]
      (kwd_lit name: (kwd_name) @_refer)
      . [
        (vec_lit (sym_lit name: (sym_name) @import))
        (list_lit (sym_lit name: (sym_name) @import))
      ])
    (quoting_lit
      (vec_lit
        . [(sym_lit name: (sym_name) @module) (str_lit) @module]
        (kwd_lit name: (kwd_name) @_refer)
        . [
          (vec_lit (sym_lit name: (sym_name) @import))
          (list_lit (sym_lit name: (sym_name) @import))
        ]))
    (read_cond_lit
      (vec_lit
        . [(sym_lit name: (sym_name) @module) (str_lit) @module]
        (kwd_lit name: (kwd_name) @_refer)
        . [
          (vec_lit (sym_lit name: (sym_name) @import))
          (list_lit (sym_lit name: (sym_name) @import))
        ]))
  ]
  (#any-of? @_kind "require" "use" "require-macros")
  (#any-of? @_refer "refer" "only" "refer-macros"))
; (a [b :as c] d) stands for a.b and a.d.
(list_lit
  . [(kwd_lit name: (kwd_name) @_kind) (sym_lit name: (sym_name) @_kind)]
  [
    (list_lit
      . (sym_lit name: (sym_name) @module)
      [(sym_lit name: (sym_name) @import) (vec_lit . (sym_lit name: (sym_name) @import) .)])
    (quoting_lit
      (list_lit
        . (sym_lit name: (sym_name) @module)
        [(sym_lit name: (sym_name) @import) (vec_lit . (sym_lit name: (sym_name) @import) .)]))
  ]
  (#any-of? @_kind "require" "use" "require-macros"))
(list_lit
  . [(kwd_lit name: (kwd_name) @_kind) (sym_lit name: (sym_name) @_kind)]
  [
    (list_lit
      . (sym_lit name: (sym_name) @module)
      (vec_lit
        . (sym_lit name: (sym_name) @import)
        (kwd_lit name: (kwd_name) @_as) . (sym_lit name: (sym_name) @alias)))
    (quoting_lit
      (list_lit
        . (sym_lit name: (sym_name) @module)
        (vec_lit
          . (sym_lit name: (sym_name) @import)
          (kwd_lit name: (kwd_name) @_as) . (sym_lit name: (sym_name) @alias))))
  ]
  (#any-of? @_kind "require" "use" "require-macros")
  (#eq? @_as "as"))
; (java.time Instant LocalDate)
(list_lit
  . [(kwd_lit name: (kwd_name) @_kind) (sym_lit name: (sym_name) @_kind)]
  [
    (list_lit . (sym_lit name: (sym_name) @module) (sym_lit name: (sym_name) @import))
    (vec_lit . (sym_lit name: (sym_name) @module) (sym_lit name: (sym_name) @import))
    (quoting_lit
      [
        (list_lit . (sym_lit name: (sym_name) @module) (sym_lit name: (sym_name) @import))
        (vec_lit . (sym_lit name: (sym_name) @module) (sym_lit name: (sym_name) @import))
      ])
    (read_cond_lit
      [
        (list_lit . (sym_lit name: (sym_name) @module) (sym_lit name: (sym_name) @import))
        (vec_lit . (sym_lit name: (sym_name) @module) (sym_lit name: (sym_name) @import))
      ])
  ]
  (#eq? @_kind "import"))
