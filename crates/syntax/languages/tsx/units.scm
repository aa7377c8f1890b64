; inherits: typescript

; JSX at the top of a module.
(program
  (_ . (variable_declarator
    name: (identifier) @name
    value: [(jsx_element) (jsx_self_closing_element)]) .) @unit.constant)
(export_statement
  declaration: (_ . (variable_declarator
    name: (identifier) @name
    value: [(jsx_element) (jsx_self_closing_element)]) .)) @unit.constant
