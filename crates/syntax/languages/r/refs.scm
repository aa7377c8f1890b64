(call function: (identifier) @call)
(call function: (namespace_operator rhs: (identifier) @call))
(call function: (extract_operator rhs: (identifier) @call))
(namespace_operator lhs: (identifier) @import)

(call
  function: (identifier) @_import
  arguments: (arguments . argument: (argument value: [(identifier) (string)] @import))
  (#any-of? @_import "library" "require" "requireNamespace" "source"))

(argument name: (identifier) @_name value: (identifier) @inherit (#eq? @_name "inherit"))
(argument name: (identifier) @_name value: (string) @inherit (#eq? @_name "contains"))
(call
  function: (identifier) @_new
  arguments: (arguments . argument: (argument value: (string) @type))
  (#any-of? @_new "new" "setValidity"))
; setMethod("area", "Circle", …)
(call
  function: (identifier) @_define
  arguments: (arguments . (argument) . (comma) . (argument value: (string) @type))
  (#eq? @_define "setMethod"))
