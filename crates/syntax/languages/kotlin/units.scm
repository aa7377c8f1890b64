(line_comment) @comment
(block_comment) @comment
; The grammar takes one annotation with arguments for a statement.
(source_file (annotated_expression (annotation) . (parenthesized_expression) .) @attribute)

; The body of a class may be an argument: `class ASpec : FunSpec({ … })`.
(class_declaration
  name: (identifier) @name
  (delegation_specifiers
    (delegation_specifier
      (constructor_invocation
        (value_arguments (value_argument (lambda_literal) @body)))))) @unit.class

; Annotations are inside the definitions: a signature begins after them, at the
; keyword (first of each pair of patterns) or at the first modifier (second).
(class_declaration
  (modifiers (annotation) .)
  "class" @head
  name: (identifier) @name
  (enum_class_body) @body) @unit.enum
(class_declaration
  (modifiers
    (annotation)
    . [
      (class_modifier) (member_modifier) (function_modifier) (property_modifier)
      (visibility_modifier) (inheritance_modifier) (platform_modifier)
    ] @head)?
  "class"
  name: (identifier) @name
  (enum_class_body) @body) @unit.enum

(class_declaration
  (modifiers (annotation) .)
  "class" @head
  name: (identifier) @name
  (class_body)? @body) @unit.class
(class_declaration
  (modifiers
    (annotation)
    . [
      (class_modifier) (member_modifier) (function_modifier) (property_modifier)
      (visibility_modifier) (inheritance_modifier) (platform_modifier)
    ] @head)?
  "class"
  name: (identifier) @name
  (class_body)? @body) @unit.class

(class_declaration
  (modifiers (annotation) .)
  "interface" @head
  name: (identifier) @name
  (class_body)? @body) @unit.interface
(class_declaration
  (modifiers
    (annotation)
    . [
      (class_modifier) (member_modifier) (function_modifier) (property_modifier)
      (visibility_modifier) (inheritance_modifier) (platform_modifier)
    ] @head)?
  "interface"
  name: (identifier) @name
  (class_body)? @body) @unit.interface

(object_declaration
  (modifiers (annotation) .)
  "object" @head
  name: (identifier) @name
  (class_body)? @body) @unit.class
(object_declaration
  (modifiers
    (annotation)
    . [
      (class_modifier) (member_modifier) (function_modifier) (property_modifier)
      (visibility_modifier) (inheritance_modifier) (platform_modifier)
    ] @head)?
  "object"
  name: (identifier) @name
  (class_body)? @body) @unit.class

; A companion without a name: its members are known by the class's name.
(companion_object !name (class_body)? @body) @unit.class
(companion_object name: (identifier) @name (class_body)? @body) @unit.class

(enum_entry (identifier) @name (class_body) @body) @unit.constant
(type_alias type: (identifier) @name) @unit.type

; An extension is known by what it extends: the scope, found first, is the same
; node and lends it that name.
(source_file
  (function_declaration
    [
      (user_type (identifier) @name . (type_arguments)? .)
      (nullable_type (user_type (identifier) @name . (type_arguments)? .))
    ]
    . name: (identifier)) @scope)
(source_file
  (property_declaration
    [
      (user_type (identifier) @name . (type_arguments)? .)
      (nullable_type (user_type (identifier) @name . (type_arguments)? .))
    ]
    . (variable_declaration)) @scope)

(function_declaration
  (modifiers (annotation) .)
  "fun" @head
  name: (identifier) @name
  (function_body)? @body) @unit.function
(function_declaration
  (modifiers
    (annotation)
    . [
      (class_modifier) (member_modifier) (function_modifier) (property_modifier)
      (visibility_modifier) (inheritance_modifier) (platform_modifier)
    ] @head)?
  "fun"
  name: (identifier) @name
  (function_body)? @body) @unit.function

(anonymous_initializer "init" @name (block) @body) @unit.method
(secondary_constructor "constructor" @name (block)? @body) @unit.method

(source_file
  (property_declaration
    (modifiers (annotation) .)
    ["val" "var"] @head
    (variable_declaration . (identifier) @name)) @unit.constant)
(source_file
  (property_declaration (variable_declaration . (identifier) @name)) @unit.constant)

; Properties of a class are fields, but for those with code of their own.
(class_body
  (property_declaration
    (modifiers (annotation) .)
    ["val" "var"] @head
    (variable_declaration . (identifier) @name)
    (getter (function_body))) @unit.method)
(class_body
  (property_declaration
    (variable_declaration . (identifier) @name)
    (getter (function_body))) @unit.method)
(class_body
  (property_declaration
    (variable_declaration . (identifier) @name)
    (object_literal (class_body) @body)) @unit.constant)

; Tests named by a string.
(call_expression
  (call_expression
    . (identifier) @_word
    (value_arguments . (value_argument (string_literal) @name)))
  (annotated_lambda (lambda_literal) @body)
  (#any-of? @_word "describe" "context" "it" "test" "given" "feature" "scenario" "expect" "should")) @unit.function

; The blocks of a build script.
(source_file
  (call_expression
    . (identifier) @name
    (annotated_lambda (lambda_literal) @body)) @unit.config)
(source_file
  (call_expression
    (call_expression
      . (navigation_expression)
      (value_arguments . (value_argument (string_literal) @name)))
    (annotated_lambda (lambda_literal) @body)) @unit.config)

; Members. A parameter of a class may be one as well.
(class_parameter ["val" "var"] (identifier) @name) @member.field
(class_body (property_declaration (variable_declaration (identifier) @name)) @member.field)
(enum_entry (identifier) @name) @member.variant
