(comment) @comment
; Often right above the rule that it names.
((rule (targets) @_phony) @attribute (#eq? @_phony ".PHONY"))

; Special targets (.PHONY and the like) define nothing. An `=` among targets
; comes from a variable whose name the grammar did not understand.
((rule (targets) @name .) @unit.rule
  (#not-match? @name "^\\.[A-Z_]+$|=|\n"))
((rule (targets) @name . [(prerequisites) (pattern_list)] .) @unit.rule
  (#not-match? @name "^\\.[A-Z_]+$|=|\n"))
((rule (targets) @name . [(prerequisites) (pattern_list)] . [(prerequisites) (pattern_list)] .) @unit.rule
  (#not-match? @name "^\\.[A-Z_]+$|=|\n"))
((rule (targets) @name (recipe (recipe_line) .) @body) @unit.rule
  (#not-match? @name "^\\.[A-Z_]+$|=|\n"))
((rule (targets) @name (recipe (recipe_line) . (comment) .) @body) @unit.rule
  (#not-match? @name "^\\.[A-Z_]+$|=|\n"))
((rule (targets) @name (recipe (conditional consequence: [(recipe_line) "\t"]) .) @body) @unit.rule
  (#not-match? @name "^\\.[A-Z_]+$|=|\n"))
((rule
   (targets) @name
   (recipe (conditional consequence: (conditional consequence: [(recipe_line) "\t"])) .) @body) @unit.rule
  (#not-match? @name "^\\.[A-Z_]+$|=|\n"))
((rule (targets) @name (recipe (conditional (else_directive consequence: (recipe_line))) .) @body) @unit.rule
  (#not-match? @name "^\\.[A-Z_]+$|=|\n"))
; The grammar takes a condition around later variables and rules for the end
; of the recipe. Such a rule reaches to the next definition, as a heading does.
(rule
  (targets) @name @unit.section
  (recipe (conditional) .) @body
  (#not-match? @name "^\\.[A-Z_]+$|=|\n"))
; A variable that is set for one target.
(variable_assignment
  target_or_pattern: (list) @name
  (#not-match? @name "=|\n")) @unit.rule

(define_directive name: (word) @name) @unit.macro

; Variables, but not those that depend on a condition: these stay with it.
(makefile
  [
    (variable_assignment !target_or_pattern name: (word) @name)
    (shell_assignment name: (word) @name)
    (VPATH_assignment name: _ @name)
    (export_directive (variable_assignment name: (word) @name))
    (override_directive (variable_assignment name: (word) @name))
    (private_directive (variable_assignment name: (word) @name))
  ] @unit.constant)
; The grammar takes `name-$(SET) := value` for a rule.
(makefile
  (rule (targets) @name . (ERROR) . (prerequisites) .) @unit.constant
  (#not-match? @name "\n"))
