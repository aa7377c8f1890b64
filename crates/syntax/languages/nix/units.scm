(comment) @comment

; The arguments may fill several lines, or be one name after another.
(binding
  attrpath: (attrpath) @name
  expression: (function_expression formals: (formals) body: (_) @body)) @unit.function
(binding
  attrpath: (attrpath) @name
  expression: (function_expression !formals)) @unit.function

; Sets, and calls such as `mkDerivation { … }`, where they fill lines.
(binding
  attrpath: (attrpath) @name
  expression: [(attrset_expression) (rec_attrset_expression) (apply_expression)] @_value
  (#match? @_value "\n")) @unit.config

; Names bound at the top of a file, which may be a function of its arguments.
; Only these kinds of value: functions and sets are taken above.
(source_code (let_expression (binding_set (binding
  attrpath: (attrpath) @name
  expression: [
    (string_expression) (indented_string_expression) (integer_expression) (path_expression)
    (list_expression) (variable_expression) (select_expression) (apply_expression)
    (binary_expression) (if_expression) (with_expression) (let_expression)]) @unit.constant)))
(source_code (function_expression (let_expression (binding_set (binding
  attrpath: (attrpath) @name
  expression: [
    (string_expression) (indented_string_expression) (integer_expression) (path_expression)
    (list_expression) (variable_expression) (select_expression) (apply_expression)
    (binary_expression) (if_expression) (with_expression) (let_expression)]) @unit.constant))))
(source_code (attrset_expression (binding_set (binding
  attrpath: (attrpath) @name
  expression: [
    (string_expression) (indented_string_expression) (integer_expression) (path_expression)
    (list_expression) (variable_expression) (select_expression) (apply_expression)
    (binary_expression) (if_expression) (with_expression) (let_expression)]) @unit.constant)))
(source_code (function_expression (attrset_expression (binding_set (binding
  attrpath: (attrpath) @name
  expression: [
    (string_expression) (indented_string_expression) (integer_expression) (path_expression)
    (list_expression) (variable_expression) (select_expression) (apply_expression)
    (binary_expression) (if_expression) (with_expression) (let_expression)]) @unit.constant))))
(source_code (function_expression (let_expression body: (attrset_expression (binding_set (binding
  attrpath: (attrpath) @name
  expression: [
    (string_expression) (indented_string_expression) (integer_expression) (path_expression)
    (list_expression) (variable_expression) (select_expression) (apply_expression)
    (binary_expression) (if_expression) (with_expression) (let_expression)]) @unit.constant)))))
(source_code (function_expression (function_expression (attrset_expression (binding_set (binding
  attrpath: (attrpath) @name
  expression: [
    (string_expression) (indented_string_expression) (integer_expression) (path_expression)
    (list_expression) (variable_expression) (select_expression) (apply_expression)
    (binary_expression) (if_expression) (with_expression) (let_expression)]) @unit.constant)))))
