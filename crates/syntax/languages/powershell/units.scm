(comment) @comment

; Help may stand inside, right after the brace.
(function_statement
  (function_name) @name
  "{" @body
  . (comment)? @doc) @unit.function

(class_statement . (simple_name) @name "{" @body) @unit.class
(class_method_definition (simple_name) @name "{" @body) @unit.method
(enum_statement (simple_name) @name "{" @body) @unit.enum
(data_statement (data_name) @name (statement_block) @body) @unit.constant

; Variables of a script, plain and with a type.
(program
  (statement_list
    (pipeline
      (assignment_expression (left_assignment_expression) @name)) @unit.constant)
  (#match? @name "^\\$[\\w:]+$"))
(program
  (statement_list
    (pipeline
      (assignment_expression
        (left_assignment_expression
          (logical_expression
            (bitwise_expression
              (comparison_expression
                (additive_expression
                  (multiplicative_expression
                    (format_expression
                      (range_expression
                        (array_literal_expression
                          (unary_expression
                            (expression_with_unary_operator
                              (cast_expression (unary_expression (variable) @name))))))))))))))) @unit.constant))

; Tests of Pester.
(command
  command_name: (command_name) @_test
  command_elements: (command_elements
    (array_literal_expression (unary_expression (string_literal) @name))
    (array_literal_expression (unary_expression (script_block_expression) @body)))
  (#match? @_test "^(?i)(Describe|Context|It)$")) @unit.function

; Members.
(class_property_definition (variable) @name) @member.field
(enum_member (simple_name) @name) @member.variant
