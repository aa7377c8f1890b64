(comment) @comment

; Functions and values with a name at the top.
(program
  (binary_operator
    lhs: [(identifier) (string) (extract_operator) (call)] @name
    operator: ["<-" "<<-" "=" ":="]
    rhs: (function_definition body: (_) @body)) @unit.function)
(program
  (binary_operator
    lhs: (identifier) @name
    operator: ["<-" "<<-" "="]
    rhs: (call function: [
      (identifier) @_maker
      (namespace_operator rhs: (identifier) @_maker)
    ] arguments: (arguments . (argument) . (comma)? @body))
    (#any-of? @_maker "R6Class" "setRefClass" "setClass" "new_class" "ggproto")) @unit.class)
(program
  (binary_operator
    lhs: (identifier) @name
    operator: ["<-" "<<-" "="]
    rhs: (_)) @unit.constant)

; Methods of R6 and reference classes stand in lists.
(call
  function: [(identifier) @_maker (namespace_operator rhs: (identifier) @_maker)]
  arguments: (arguments
    argument: (argument
      value: (call
        arguments: (arguments
          argument: (argument
            name: (identifier) @name
            value: (function_definition body: (_) @body)) @unit.function))))
  (#any-of? @_maker "R6Class" "setRefClass"))
(call
  function: (extract_operator rhs: (identifier) @_methods)
  arguments: (arguments
    argument: (argument
      name: (identifier) @name
      value: (function_definition body: (_) @body)) @unit.function)
  (#eq? @_methods "methods"))

; S4
(program
  (call
    function: (identifier) @_define
    arguments: (arguments . argument: (argument value: (string) @name))
    (#any-of? @_define "setClass" "setRefClass" "setClassUnion")) @unit.class)
(program
  (call
    function: (identifier) @_define
    arguments: (arguments
      . argument: (argument value: (string) @name)
      argument: (argument value: (function_definition body: (_) @body)))
    (#any-of? @_define "setGeneric" "setMethod" "setValidity" "setReplaceMethod")) @unit.function)
(program
  (call
    function: (identifier) @_define
    arguments: (arguments . argument: (argument value: (string) @name))
    (#any-of? @_define "setGeneric" "setMethod" "setValidity" "setReplaceMethod")) @unit.function)

(call
  function: [(identifier) @_test (namespace_operator rhs: (identifier) @_test)]
  arguments: (arguments
    . argument: (argument value: (string) @name)
    . (comma) @body
    argument: (argument value: (braced_expression)))
  (#any-of? @_test "test_that" "describe" "it")) @unit.function
