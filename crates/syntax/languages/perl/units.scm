((comment) @comment (#not-match? @comment "^#!"))
(pod) @comment

(subroutine_declaration_statement name: (_) @name body: (block) @body) @unit.function
(method_declaration_statement name: (_) @name body: (block) @body) @unit.function

; A package without a block reaches to the next definition, as a heading does.
(package_statement . name: (package) @name .) @unit.section
(package_statement . name: (package) @name . version: (_) .) @unit.section
(package_statement name: (package) @name (block) @body) @unit.module

(class_statement name: (package) @name (block) @body) @unit.class
(role_statement name: (package) @name (block) @body) @unit.trait

; Subroutines that are assigned to a name.
(expression_statement
  (assignment_expression
    left: (variable_declaration variable: (scalar (varname) @name))
    right: (anonymous_subroutine_expression body: (block) @body))) @unit.function
(expression_statement
  (assignment_expression
    left: (glob (varname) @name)
    right: (anonymous_subroutine_expression body: (block) @body))) @unit.function

; `use constant`; a block of several goes by the first name.
(use_statement
  module: (package) @_constant
  (list_expression . (autoquoted_bareword) @name)
  (#eq? @_constant "constant")) @unit.constant
(use_statement
  module: (package) @_constant
  (anonymous_hash_expression (list_expression . (autoquoted_bareword) @name))
  (#eq? @_constant "constant")) @unit.constant
(expression_statement
  (ambiguous_function_call_expression
    function: (function) @_readonly
    arguments: (list_expression . (variable_declaration variable: (_ (varname) @name))))
  (#any-of? @_readonly "Readonly" "Const" "const")) @unit.constant

; Variables of a file.
(source_file
  (expression_statement (variable_declaration variable: (_ (varname) @name))) @unit.constant)
(source_file
  (expression_statement
    (assignment_expression
      left: (variable_declaration variable: (_ (varname) @name))
      right: (_) @_value)) @unit.constant
  (#not-match? @_value "^sub\\b"))
(source_file
  (expression_statement
    (assignment_expression
      left: (variable_declaration . variables: (_ (varname) @name)))) @unit.constant)

; Tests with a name of their own.
(expression_statement
  (ambiguous_function_call_expression
    function: (function) @_test
    arguments: (list_expression
      . [(string_literal) (interpolated_string_literal)] @name
      (anonymous_subroutine_expression body: (block) @body)))
  (#any-of? @_test "subtest" "describe" "context" "it" "test")) @unit.function
