((call method: (identifier) @call)
  (#not-any-of? @call
    "require" "require_relative" "include" "extend" "prepend" "private" "public" "protected"
    "attr_reader" "attr_writer" "attr_accessor" "raise" "lambda" "proc"))
(call method: (constant) @call)
; `map(&:name)` calls it.
(block_argument (simple_symbol) @call)

; What the language itself has is no use of anything.
((identifier) @skip
  (#any-of? @skip
    "require" "require_relative" "include" "extend" "prepend" "private" "public" "protected"
    "attr_reader" "attr_writer" "attr_accessor" "raise" "lambda" "proc"))

; A class that something is asked of, or that lies in a module.
(call receiver: (constant) @type)
(call receiver: (scope_resolution name: (constant) @type))
(exceptions (constant) @type)
(exceptions (scope_resolution name: (constant) @type))
((call method: (identifier) @_raise arguments: (argument_list . (constant) @type))
  (#eq? @_raise "raise"))

(superclass (constant) @inherit)
(superclass (scope_resolution name: (constant) @inherit))
((call method: (identifier) @_mix arguments: (argument_list (constant) @inherit))
  (#any-of? @_mix "include" "extend" "prepend"))
((call
  method: (identifier) @_mix
  arguments: (argument_list (scope_resolution name: (constant) @inherit)))
  (#any-of? @_mix "include" "extend" "prepend"))

((call
  !receiver
  method: (identifier) @_require
  arguments: (argument_list . (string . (string_content) @import .)))
  (#any-of? @_require "require" "load" "require_dependency"))
; Beside this file.
((call
  !receiver
  method: (identifier) @_require
  arguments: (argument_list . (string . (string_content) @import .)))
  (#eq? @_require "require_relative")
  (#set! import.prefix "./"))
; `require File.expand_path("../name", __dir__)`, `require File.join(__dir__, "name")`
((call
  !receiver
  method: (identifier) @_require
  arguments: (argument_list
    . (call
      receiver: (constant) @_file
      method: (identifier) @_expand
      arguments: (argument_list . (string . (string_content) @import .)))))
  (#any-of? @_require "require" "load")
  (#eq? @_file "File")
  (#eq? @_expand "expand_path")
  (#set! import.prefix "./"))
((call
  !receiver
  method: (identifier) @_require
  arguments: (argument_list
    . (call
      receiver: (constant) @_file
      method: (identifier) @_join
      arguments: (argument_list . (_) . (string . (string_content) @import .) .))))
  (#any-of? @_require "require" "load")
  (#eq? @_file "File")
  (#eq? @_join "join")
  (#set! import.prefix "./"))
; `autoload :Name, "path"`
((call
  method: (identifier) @_autoload
  arguments: (argument_list . (_) . (string . (string_content) @import .)))
  (#eq? @_autoload "autoload"))

; A plain name that is assigned to is a variable of its own from there on.
(assignment left: (identifier) @param)
(assignment left: (left_assignment_list (identifier) @param))
(assignment left: (call method: (identifier) @write))
(assignment left: (element_reference object: (call method: (identifier) @write)))
(operator_assignment left: [(identifier) @write (call method: (identifier) @write)])
(method_parameters (identifier) @param)
(method_parameters (optional_parameter name: (identifier) @param))
(method_parameters (keyword_parameter name: (identifier) @param))
(method_parameters (splat_parameter name: (identifier) @param))
(method_parameters (hash_splat_parameter name: (identifier) @param))
(method_parameters (block_parameter name: (identifier) @param))
(block_parameters (identifier) @param)
(block_parameters (keyword_parameter name: (identifier) @param))
(block_parameters (optional_parameter name: (identifier) @param))
(block_parameters (splat_parameter name: (identifier) @param))
(destructured_parameter (identifier) @param)
(lambda_parameters (identifier) @param)
(exception_variable (identifier) @param)
(for pattern: (identifier) @param)

; What is said of types.
(assignment left: (identifier) @var right: (_) @from)
(assignment left: (instance_variable) @field right: (_) @from)
(operator_assignment left: (instance_variable) @field right: (_) @from)
