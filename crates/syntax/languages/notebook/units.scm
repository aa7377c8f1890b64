; inherits: markdown
; A cell of code (`src/notebook.rs` fences it). What is defined in it keeps its
; name; what is left of the cell is a unit of its own.
((fenced_code_block
  . (fenced_code_block_delimiter) @_fence
  (info_string (language) @inject.language)
  (code_fence_content) @inject) @scope
  (#eq? @_fence "~~~~"))
