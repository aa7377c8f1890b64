; Commands, but not what every script says.
(command
  name: (command_name (word) @call)
  (#not-any-of? @call
    "." ":" "[" "alias" "break" "builtin" "cat" "cd" "command" "continue" "echo" "eval" "exec" "exit" "export"
    "false" "getopts" "hash" "kill" "let" "load" "local" "popd" "print" "printf" "pushd" "pwd" "read" "return"
    "set" "setopt" "shift" "shopt" "sleep" "source" "test" "trap" "true" "type" "ulimit" "umask" "unset"
    "wait" "{" "}" "@test"))
(command
  name: (command_name) @_trap
  . argument: (word) @call
  (#eq? @_trap "trap")
  (#not-match? @call "^-"))
; `run` of bats and `command`, `exec`, `sudo` start what follows.
(command
  name: (command_name) @_start
  . argument: (word) @call
  (#any-of? @_start "run" "command" "exec" "sudo" "builtin")
  (#not-match? @call "^-"))

; A path that is all variable says nothing.
(command
  name: (command_name) @_source
  . argument: [(word) (string) (raw_string) (concatenation)] @import
  (#any-of? @_source "source" "." "\\." "load" "bats_load_library")
  (#not-match? @import "^\"?\\$(\\w+|\\{\\w+\\})\"?$"))
