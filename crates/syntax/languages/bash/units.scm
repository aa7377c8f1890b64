((comment) @comment (#not-match? @comment "^#!"))

(function_definition name: (word) @name body: (_) @body) @unit.function

; Variables set at the top of a script, in the order of rising decoration:
; plain, `readonly A=1`, `declare -a A=()`, `declare -g -r A=1`.
(program (variable_assignment name: (variable_name) @name) @unit.constant)
(program (variable_assignments . (variable_assignment name: (variable_name) @name)) @unit.constant)
(program (declaration_command . (variable_assignment name: (variable_name) @name)) @unit.constant)
(program (declaration_command . (word) . (variable_assignment name: (variable_name) @name)) @unit.constant)
(program
  (declaration_command . (word) . (word) . (variable_assignment name: (variable_name) @name)) @unit.constant)
; `declare -A NAME` makes an empty table; `export -f name` makes nothing.
(program
  (declaration_command . (word) @_flags . (variable_name) @name) @unit.constant
  (#match? @_flags "^-[a-zA-Z]*[aAi]"))

; The grammar does not know bats: a test is a command `@test "…" {`, its lines
; are the commands after it. A section reaches to the next definition.
(program
  (command name: (command_name) @_test . argument: (string) @name) @unit.section
  (#eq? @_test "@test"))
