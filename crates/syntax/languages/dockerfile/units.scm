(comment) @comment

; A stage begins with FROM and runs to the next one. It is named by its alias,
; or by its image.
(from_instruction (image_spec name: (image_name) @name) !as) @unit.section
(from_instruction as: (image_alias) @name) @unit.section
