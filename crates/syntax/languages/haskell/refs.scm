(apply function: (variable) @call)
(apply function: (constructor) @call)
(apply function: (qualified id: (variable) @call))
(apply function: (qualified id: (constructor) @call))
(exp (variable) @call)
(exp (qualified id: (variable) @call))
(record expression: (constructor) @call)

; `f $ x`, `f . g`, `x & f`, and a `f` b.
(infix
  left_operand: [(variable) @call (qualified id: (variable) @call)]
  operator: (operator) @_op
  (#any-of? @_op "$" "$!" "." "<$>" "<$!>" "=<<" ">=>" "<=<" "<*>"))
(infix
  operator: (operator) @_op
  right_operand: [(variable) @call (qualified id: (variable) @call)]
  (#any-of? @_op "." ">>=" "&" "<&>" ">=>" "<=<"))
(infix operator: (infix_id [(variable) @call (qualified id: (variable) @call)]))

(signature type: (name) @type)
(function parameter: (name) @type)
(function result: (name) @type)
(apply constructor: (name) @type)
(apply argument: (name) @type)
(qualified id: (name) @type)
(list (name) @type)
(function parameter: (tuple (name) @type))
(function result: (tuple (name) @type))
(apply argument: (tuple (name) @type))
(signature type: (tuple (name) @type))
(field type: (name) @type)
(field (name) @type)
(prefix field: (name) @type)
(strict_field (name) @type)
(type_synonym type: (name) @type)
(type_patterns (name) @type)
(context context: (name) @type)

(instance name: (name) @inherit)
(instance name: (qualified id: (name) @inherit))
(deriving_instance name: (name) @inherit)
(deriving classes: (name) @inherit)
(deriving classes: (tuple (name) @inherit))
(class context: (context context: (apply constructor: (name) @inherit)))
(class context: (context context: (tuple (apply constructor: (name) @inherit))))

; What is listed after `hiding` is not taken.
(import module: (module) @import !alias !names)
(import module: (module) @module alias: (module) @alias)
(import module: (module) @import !alias names: (import_list !name))
((import module: (module) @import !alias names: (import_list name: (_))) @_import
  (#match? @_import "\\shiding\\s*\\("))
((import
  module: (module) @module
  names: (import_list
    name: [
      (import_name variable: (variable) @import)
      (import_name type: (name) @import)
      (import_name operator: (prefix_id (_) @import))
      (import_name
        children: (children
          element: [
            (constructor) @import
            (variable) @import
            (prefix_id (_) @import)
          ]))
    ])) @_import
  (#not-match? @import "^<.*>$")
  (#not-match? @_import "\\shiding\\s*\\("))
; Bare, these would be taken for a path in brackets.
((import
  module: (module) @module
  names: (import_list name: (import_name operator: (prefix_id) @import))) @_import
  (#match? @import "^\\(\\s*<.*>\\s*\\)$")
  (#not-match? @_import "\\shiding\\s*\\("))

(signature name: (variable) @skip)
