; The image or the earlier stage that a stage is built on.
(from_instruction (image_spec name: (image_name) @inherit))

; Arguments and variables. (`--from=stage` has no node for the stage.)
(expansion (variable) @use)

; What is copied from the folder, but not where to.
((copy_instruction (path) @import . (path))
  (#not-match? @import "^[/<$]")
  (#set! import.prefix "./"))
((add_instruction (path) @import . (path))
  (#not-match? @import "^[/<$]")
  (#set! import.prefix "./"))
; Scripts that are run.
(run_instruction (shell_command) @import (#set! import.paths "all"))
(entrypoint_instruction (json_string_array (json_string) @import) (#set! import.paths "all"))
(cmd_instruction (json_string_array (json_string) @import) (#set! import.paths "all"))
