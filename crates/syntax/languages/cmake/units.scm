(line_comment) @comment
(bracket_comment) @comment

(function_def
  (function_command (argument_list . (argument) @name))
  (body) @body) @unit.function
(macro_def
  (macro_command (argument_list . (argument) @name))
  (body) @body) @unit.macro

(normal_command
  (identifier) @_command
  (argument_list . (argument) @name)
  (#match? @_command "^(?i)(project)$")) @unit.config

; What is built. Also where a condition decides about it.
(normal_command
  (identifier) @_command
  (argument_list . (argument) @name)
  (#match? @_command "^(?i)\\w*add_(\\w+_)?(library|executable|target|module|plugin)$")) @unit.rule
; Tests, and libraries by commands of the project's own.
(normal_command
  (argument_list . (argument) @_name . (argument) @name . (_)? @body)
  (#eq? @_name "NAME")) @unit.rule

; Variables and options of a file.
(source_file
  (normal_command
    (identifier) @_command
    (argument_list . (argument) @name)
    (#match? @_command "^(?i)(set|option|cmake_dependent_option)$")) @unit.constant)
