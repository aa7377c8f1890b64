; inherits: _ecma, _jsx

(class_heritage (identifier) @inherit)
(class_heritage (member_expression property: (_) @inherit))
(class_heritage (call_expression arguments: (arguments (identifier) @inherit)))

(formal_parameters (identifier) @param)
(formal_parameters (assignment_pattern left: (identifier) @param))

; What is said of types.
(field_definition property: (_) @field value: (_) @from)
(call_expression
  function: (member_expression object: (_) @each)
  arguments: (arguments
    . (arrow_function parameters: (formal_parameters . (identifier) @var))))

(export_statement
  (export_clause (export_specifier name: (identifier) @from "default" @fn)))
