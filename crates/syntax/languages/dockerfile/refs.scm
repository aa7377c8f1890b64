; The image or the earlier stage that a stage is built on.
(from_instruction (image_spec name: (image_name) @inherit))

; Arguments and variables. (`--from=stage` has no node for the stage.)
(expansion (variable) @use)
