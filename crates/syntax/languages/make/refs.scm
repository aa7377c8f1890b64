; Rules that a rule needs.
(prerequisites (word) @use)

(variable_reference (word) @use)
(substitution_reference text: (word) @use)
(ifdef_directive variable: (word) @use)
(ifndef_directive variable: (word) @use)

(function_call
  function: "call"
  (arguments . argument: (text) @call)
  (#match? @call "^[\\w.-]+$"))

(include_directive filenames: (list (_) @import))
