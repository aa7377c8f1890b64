(function_call name: (identifier) @call (#not-eq? @call "require"))
(function_call name: (dot_index_expression field: (identifier) @call))
(function_call name: (method_index_expression method: (identifier) @call))

; With a name, the first or the second of several.
(assignment_statement
  (variable_list . name: (identifier) @alias)
  (expression_list
    . value: (function_call
      name: (identifier) @_require
      arguments: (arguments . (string content: (string_content) @module))))
  (#any-of? @_require "require" "dofile" "loadfile"))
(assignment_statement
  (variable_list . (_) . name: (identifier) @alias)
  (expression_list
    . (_)
    . value: (function_call
      name: (identifier) @_require
      arguments: (arguments . (string content: (string_content) @module))))
  (#any-of? @_require "require" "dofile" "loadfile"))
; `local parse = require("reader").parse`
(assignment_statement
  (variable_list . name: (identifier) @alias)
  (expression_list
    . value: (dot_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @module)))
      field: (identifier) @import))
  (#any-of? @_require "require" "dofile" "loadfile"))
(assignment_statement
  (variable_list . (_) . name: (identifier) @alias)
  (expression_list
    . (_)
    . value: (dot_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @module)))
      field: (identifier) @import))
  (#any-of? @_require "require" "dofile" "loadfile"))
; Without a name, by where it stands.
([
  (chunk
    (function_call
      name: (identifier) @_require
      arguments: (arguments . (string content: (string_content) @import))))
  (block
    (function_call
      name: (identifier) @_require
      arguments: (arguments . (string content: (string_content) @import))))
  (return_statement
    (expression_list
      (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @import)))))
  (assignment_statement
    (variable_list . name: [(dot_index_expression) (bracket_index_expression)])
    (expression_list
      . value: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @import)))))
  (assignment_statement
    (expression_list
      . (_)
      . (_)
      value: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @import)))))
  (field
    value: (function_call
      name: (identifier) @_require
      arguments: (arguments . (string content: (string_content) @import))))
  (arguments
    (function_call
      name: (identifier) @_require
      arguments: (arguments . (string content: (string_content) @import))))
  (binary_expression
    (function_call
      name: (identifier) @_require
      arguments: (arguments . (string content: (string_content) @import))))
  (unary_expression
    (function_call
      name: (identifier) @_require
      arguments: (arguments . (string content: (string_content) @import))))
  (parenthesized_expression
    (function_call
      name: (identifier) @_require
      arguments: (arguments . (string content: (string_content) @import))))
  (bracket_index_expression
    table: (function_call
      name: (identifier) @_require
      arguments: (arguments . (string content: (string_content) @import))))
  (dot_index_expression
    table: (dot_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @import)))))
  (function_call
    name: [
      (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @import)))
      (dot_index_expression
        table: (function_call
          name: (identifier) @_require
          arguments: (arguments . (string content: (string_content) @import))))
      (method_index_expression
        table: (function_call
          name: (identifier) @_require
          arguments: (arguments . (string content: (string_content) @import))))
    ])
]
  (#any-of? @_require "require" "dofile" "loadfile"))
([
  (return_statement
    (expression_list
      (dot_index_expression
        table: (function_call
          name: (identifier) @_require
          arguments: (arguments . (string content: (string_content) @module)))
        field: (identifier) @import)))
  (assignment_statement
    (variable_list . name: [(dot_index_expression) (bracket_index_expression)])
    (expression_list
      . value: (dot_index_expression
        table: (function_call
          name: (identifier) @_require
          arguments: (arguments . (string content: (string_content) @module)))
        field: (identifier) @import)))
  (assignment_statement
    (expression_list
      . (_)
      . (_)
      value: (dot_index_expression
        table: (function_call
          name: (identifier) @_require
          arguments: (arguments . (string content: (string_content) @module)))
        field: (identifier) @import)))
  (variable_list
    name: (dot_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @module)))
      field: (identifier) @import))
  (field
    value: (dot_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @module)))
      field: (identifier) @import))
  (arguments
    (dot_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @module)))
      field: (identifier) @import))
  (binary_expression
    (dot_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @module)))
      field: (identifier) @import))
  (unary_expression
    (dot_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @module)))
      field: (identifier) @import))
  (parenthesized_expression
    (dot_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @module)))
      field: (identifier) @import))
  (bracket_index_expression
    table: (dot_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @module)))
      field: (identifier) @import))
  (method_index_expression
    table: (dot_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @module)))
      field: (identifier) @import))
  (if_statement
    condition: (dot_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @module)))
      field: (identifier) @import))
]
  (#any-of? @_require "require" "dofile" "loadfile"))
; A module that may be missing: `local ok, x = pcall(require, "name")`.
(assignment_statement
  (variable_list . (_) . name: (identifier) @alias)
  (expression_list
    . value: (function_call
      name: (identifier) @_pcall
      arguments: (arguments . (identifier) @_require . (string content: (string_content) @module))))
  (#eq? @_pcall "pcall")
  (#eq? @_require "require"))
([
  (assignment_statement
    (variable_list . (_) .)
    (expression_list
      . value: (function_call
        name: (identifier) @_pcall
        arguments: (arguments . (identifier) @_require . (string content: (string_content) @import)))))
  (chunk
    (function_call
      name: (identifier) @_pcall
      arguments: (arguments . (identifier) @_require . (string content: (string_content) @import))))
  (block
    (function_call
      name: (identifier) @_pcall
      arguments: (arguments . (identifier) @_require . (string content: (string_content) @import))))
  (return_statement
    (expression_list
      (function_call
        name: (identifier) @_pcall
        arguments: (arguments . (identifier) @_require . (string content: (string_content) @import)))))
  (binary_expression
    (function_call
      name: (identifier) @_pcall
      arguments: (arguments . (identifier) @_require . (string content: (string_content) @import))))
  (unary_expression
    (function_call
      name: (identifier) @_pcall
      arguments: (arguments . (identifier) @_require . (string content: (string_content) @import))))
  (if_statement
    condition: (function_call
      name: (identifier) @_pcall
      arguments: (arguments . (identifier) @_require . (string content: (string_content) @import))))
]
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

; Not in a `local` declaration.
(chunk (assignment_statement (variable_list name: [
  (identifier) @write
  (dot_index_expression field: (identifier) @write)
  (bracket_index_expression table: (identifier) @write)
])))
(block (assignment_statement (variable_list name: [
  (identifier) @write
  (dot_index_expression field: (identifier) @write)
  (bracket_index_expression table: (identifier) @write)
])))

; To declare a name is not to use it.
(variable_declaration (assignment_statement (variable_list name: (identifier) @skip)))
(variable_declaration (variable_list name: (identifier) @skip))
(parameters name: (identifier) @skip)
(for_generic_clause (variable_list name: (identifier) @skip))

; What is said of types.
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @var)
    (expression_list . value: (_) @from)))
(assignment_statement
  (variable_list . name: (identifier) @var)
  (expression_list . value: (_) @from))
(assignment_statement
  (variable_list . name: (dot_index_expression table: (identifier) @_self field: (identifier) @field))
  (expression_list . value: (_) @from)
  (#eq? @_self "self"))
(return_statement (expression_list . [(function_call) (identifier) (dot_index_expression)] @from))
