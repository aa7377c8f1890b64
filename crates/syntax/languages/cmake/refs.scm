; Commands of the project itself; those of CMake are known.
(normal_command
  (identifier) @call
  (#not-match? @call "^(?i)(set|unset|message|list|string|option|math|return|file|install|export|project|include|find_\\w+|add_\\w+|target_\\w+|set_\\w+|get_\\w+|configure_file|enable_\\w+|mark_as_advanced|cmake_\\w+|execute_process|include_\\w+|link_\\w+|break|continue)$"))

(normal_command
  (identifier) @_command
  (argument_list . (argument) @import)
  (#match? @_command "^(?i)(include|find_package|add_subdirectory|FetchContent_MakeAvailable)$"))

; Targets that something is done to or linked with.
(normal_command
  (identifier) @_command
  (argument_list . (argument) @use)
  (#match? @_command "^(?i)target_\\w+$")
  (#not-match? @use "^\\$"))
(normal_command
  (identifier) @_command
  (argument_list (argument (unquoted_argument) @use))
  (#match? @_command "^(?i)(target_link_libraries|add_dependencies)$")
  (#not-any-of? @use "PUBLIC" "PRIVATE" "INTERFACE")
  (#not-match? @use "^\\$"))

(variable_ref (_ (variable) @use))
(if_command
  (argument_list (argument (unquoted_argument) @use))
  (#match? @use "^[A-Z][A-Z0-9_]*_[A-Z0-9_]+$"))
