(command
  command_name: (command_name) @call
  (#not-match? @call "^(?i)(using|Import-Module|[0-9].*|Write-(Host|Output|Verbose|Debug|Warning|Error))$"))
; `& Name` calls it as well.
(command
  (command_invokation_operator) @_and
  command_name: (command_name_expr [(command_name) (path_command_name)] @call)
  (#eq? @_and "&"))
(invokation_expression (member_name (simple_name) @call))

(type_literal (type_spec (type_name) @type))
(type_literal (type_spec (generic_type_name (type_name) @type)))
(generic_type_arguments (type_spec (type_name) @type))
(attribute (attribute_name (type_spec (type_name) @type)))

(class_statement . (simple_name) (simple_name) @inherit)

(command
  command_name: (command_name) @_import
  command_elements: (command_elements . (command_argument_sep) . (generic_token) @import)
  (#match? @_import "^(?i)Import-Module$"))
(command
  command_name: (command_name) @_import
  command_elements: (command_elements
    . (command_argument_sep) . (array_literal_expression (unary_expression [(string_literal) (variable)])) @import)
  (#match? @_import "^(?i)Import-Module$"))
; The grammar takes `using module Name` for a command.
(command
  command_name: (command_name) @_using
  command_elements: (command_elements (generic_token) (generic_token) @import)
  (#match? @_using "^(?i)using$"))
; Dot sourcing.
(command
  (command_invokation_operator) @_dot
  command_name: (command_name_expr) @import
  (#eq? @_dot "."))
