(function_call name: (identifier) @call (#not-eq? @call "require"))
(function_call name: (dot_index_expression field: (identifier) @call))
(function_call name: (method_index_expression method: (identifier) @call))

(function_call
  name: (identifier) @_require
  arguments: (arguments . (string content: (string_content) @import))
  (#any-of? @_require "require" "dofile" "loadfile"))
; A module that may be missing: `pcall(require, "name")`.
(function_call
  name: (identifier) @_pcall
  arguments: (arguments . (identifier) @_require . (string content: (string_content) @import))
  (#eq? @_pcall "pcall")
  (#eq? @_require "require"))

; The usual ways to have a parent: a metatable, `Parent:extend()`, `class("Name", Parent)`.
(function_call
  name: (identifier) @_set
  arguments: (arguments
    (table_constructor
      (field name: (identifier) @_index value: (identifier) @inherit)))
  (#eq? @_set "setmetatable")
  (#eq? @_index "__index"))
(function_call
  name: (method_index_expression table: (identifier) @inherit method: (identifier) @_extend)
  (#any-of? @_extend "extend" "subclass"))
(function_call
  name: (identifier) @_class
  arguments: (arguments (string) . (identifier) @inherit)
  (#any-of? @_class "class" "Class"))
