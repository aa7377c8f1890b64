(comment) @comment

; The signature begins after the attributes: with a modifier or a keyword.
(class_declaration !attributes name: (name) @name body: (_) @body) @unit.class
(class_declaration attributes: (_) . (_) @head name: (name) @name body: (_) @body) @unit.class
(class_declaration attributes: (_) . "class" @head name: (name) @name body: (_) @body) @unit.class
(method_declaration !attributes name: (name) @name body: (_)? @body) @unit.function
(method_declaration attributes: (_) . (_) @head name: (name) @name body: (_)? @body) @unit.function
(method_declaration attributes: (_) . "function" @head name: (name) @name body: (_)? @body) @unit.function
(function_definition !attributes name: (name) @name body: (_) @body) @unit.function
(function_definition attributes: (_) . "function" @head name: (name) @name body: (_) @body) @unit.function
(interface_declaration name: (name) @name body: (_) @body) @unit.interface
(trait_declaration name: (name) @name body: (_) @body) @unit.trait
(enum_declaration "enum" @head name: (name) @name body: (_) @body) @unit.enum

; Constants outside classes.
(program (const_declaration (const_element . (name) @name)) @unit.constant)
(namespace_definition
  body: (compound_statement (const_declaration (const_element . (name) @name)) @unit.constant))
(program
  (expression_statement
    (function_call_expression
      function: (name) @_define
      arguments: (arguments . (argument (string) @name)))) @unit.constant
  (#eq? @_define "define"))

; Functions that were given a name.
(program
  (expression_statement
    (assignment_expression
      left: (variable_name (name) @name)
      right: [(anonymous_function body: (_) @body) (arrow_function)])) @unit.function)

; Tests with a sentence for a name.
((expression_statement
  (function_call_expression
    function: (name) @_test
    arguments: (arguments
      .
      (argument [(string) (encapsed_string)] @name)
      (argument [(anonymous_function body: (_) @body) (arrow_function)])))) @test.function
  (#any-of? @_test "it" "test" "describe"))
((expression_statement
  (member_call_expression
    object: (function_call_expression
      function: (name) @_test
      arguments: (arguments
        .
        (argument [(string) (encapsed_string)] @name)
        (argument [(anonymous_function body: (_) @body) (arrow_function)]))))) @test.function
  (#any-of? @_test "it" "test" "describe"))

; Members. A parameter of a constructor may be one as well.
(property_declaration (property_element name: (variable_name (name) @name))) @member.field
(const_declaration (const_element . (name) @name)) @member.constant
(enum_case name: (name) @name) @member.variant
(property_promotion_parameter name: (variable_name (name) @name)) @assigned.field
