(apply_expression function: (variable_expression name: (identifier) @call))
(apply_expression function: (select_expression attrpath: (attrpath attr: (identifier) @call .)))

; `import ./x.nix` and what is handed to callPackage.
(path_expression) @import

(inherit_from attrs: (inherited_attrs attr: (identifier) @use))
(binding expression: (variable_expression name: (identifier) @use)
  (#not-any-of? @use "true" "false" "null"))
(binding expression: (select_expression attrpath: (attrpath attr: (identifier) @use .)))
(list_expression element: (variable_expression name: (identifier) @use)
  (#not-any-of? @use "true" "false" "null"))
(list_expression element: (select_expression attrpath: (attrpath attr: (identifier) @use .)))
(apply_expression argument: (variable_expression name: (identifier) @use)
  (#not-any-of? @use "true" "false" "null"))
(apply_expression argument: (select_expression attrpath: (attrpath attr: (identifier) @use .)))
