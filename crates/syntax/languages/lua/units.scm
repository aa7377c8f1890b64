(comment) @comment

(function_declaration
  name: [(identifier) (dot_index_expression)] @name
  body: (block)? @body) @unit.function
(function_declaration
  name: (method_index_expression) @name
  body: (block)? @body) @unit.method

; Functions that are assigned to a name.
(assignment_statement
  (variable_list . name: (_) @name .)
  (expression_list . value: (function_definition body: (block)? @body) .)) @unit.function
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @name .)
    (expression_list . value: (function_definition body: (block)? @body) .))) @unit.function

; Functions in a table; the table's own name, if it has one, encloses them.
(field
  name: [(identifier) (string)] @name
  value: (function_definition body: (block)? @body)) @unit.function

; Names bound at the top of a chunk; a table is where its functions stand.
; What is required is no constant of its own.
(chunk
  (variable_declaration
    (assignment_statement
      (variable_list . name: (identifier) @name)
      (expression_list
        . value: [
          (table_constructor) (string) (number) (true) (false) (nil) (identifier)
          (binary_expression) (unary_expression) (parenthesized_expression)
          (dot_index_expression) (bracket_index_expression) (vararg_expression)
        ]))) @unit.constant)
(chunk
  (assignment_statement
    (variable_list . name: [(identifier) (dot_index_expression) (bracket_index_expression)] @name)
    (expression_list
      . value: [
        (table_constructor) (string) (number) (true) (false) (nil) (identifier)
        (binary_expression) (unary_expression) (parenthesized_expression)
        (dot_index_expression) (bracket_index_expression)
      ])) @unit.constant)
(chunk
  (variable_declaration
    (assignment_statement
      (variable_list . name: (identifier) @name)
      (expression_list . value: (function_call name: (_) @_made)))) @unit.constant
  (#not-match? @_made "^(require|import|dofile|loadfile|pcall)\\b"))
(chunk
  (assignment_statement
    (variable_list . name: [(identifier) (dot_index_expression) (bracket_index_expression)] @name)
    (expression_list . value: (function_call name: (_) @_made))) @unit.constant
  (#not-match? @_made "^(require|import|dofile|loadfile|pcall)\\b"))

; Tests of busted and its kin.
(function_call
  name: (identifier) @_test
  arguments: (arguments
    . (string content: (string_content) @name)
    (function_definition body: (block)? @body))
  (#any-of? @_test "describe" "context" "insulate" "expose" "it" "test" "pending")) @test.function

; Members of a table that has a name.
(chunk
  (variable_declaration
    (assignment_statement
      (expression_list
        value: (table_constructor (field name: (identifier) @name) @member.field)))))
(chunk
  (assignment_statement
    (expression_list
      value: (table_constructor (field name: (identifier) @name) @member.field))))
