(comment) @comment
(multiline_comment) @comment

; Attributes are inside the definitions: a signature begins after them, at the
; keyword (first of each pair of patterns) or at the first modifier (second).
(class_declaration
  (modifiers (attribute) .)
  "class" @head
  name: (type_identifier) @name
  body: (_) @body) @unit.class
(class_declaration
  (modifiers
    (attribute)
    . [
      (visibility_modifier) (inheritance_modifier) (member_modifier)
      (property_modifier) (function_modifier) (mutation_modifier) (ownership_modifier)
    ] @head)?
  "class"
  name: (type_identifier) @name
  body: (_) @body) @unit.class
(class_declaration
  (modifiers (attribute) .)
  "actor" @head
  name: (type_identifier) @name
  body: (_) @body) @unit.class
(class_declaration
  (modifiers
    (attribute)
    . [
      (visibility_modifier) (inheritance_modifier) (member_modifier)
      (property_modifier) (function_modifier) (mutation_modifier) (ownership_modifier)
    ] @head)?
  "actor"
  name: (type_identifier) @name
  body: (_) @body) @unit.class
(class_declaration
  (modifiers (attribute) .)
  "struct" @head
  name: (type_identifier) @name
  body: (_) @body) @unit.struct
(class_declaration
  (modifiers
    (attribute)
    . [
      (visibility_modifier) (inheritance_modifier) (member_modifier)
      (property_modifier) (function_modifier) (mutation_modifier) (ownership_modifier)
    ] @head)?
  "struct"
  name: (type_identifier) @name
  body: (_) @body) @unit.struct
(class_declaration
  (modifiers (attribute) .)
  "enum" @head
  name: (type_identifier) @name
  body: (_) @body) @unit.enum
(class_declaration
  (modifiers
    (attribute)
    . [
      (visibility_modifier) (inheritance_modifier) (member_modifier)
      (property_modifier) (function_modifier) (mutation_modifier) (ownership_modifier)
    ] @head)?
  "enum"
  name: (type_identifier) @name
  body: (_) @body) @unit.enum
(protocol_declaration
  (modifiers (attribute) .)
  "protocol" @head
  name: (type_identifier) @name
  body: (_) @body) @unit.interface
(protocol_declaration
  (modifiers
    (attribute)
    . [
      (visibility_modifier) (inheritance_modifier) (member_modifier)
      (property_modifier) (function_modifier) (mutation_modifier) (ownership_modifier)
    ] @head)?
  "protocol"
  name: (type_identifier) @name
  body: (_) @body) @unit.interface
; An extension is named by the type it is for.
(class_declaration
  "extension"
  name: (user_type) @name
  body: (_) @body) @unit.impl

(typealias_declaration "typealias" . name: (type_identifier) @name) @unit.type
(macro_declaration
  "macro" @head
  . (simple_identifier) @name
  definition: (_)? @body) @unit.macro

; The name of a function may be an operator.
(function_declaration
  (modifiers (attribute) .)
  "func" @head
  . name: _ @name
  body: (function_body) @body) @unit.function
(function_declaration
  (modifiers
    (attribute)
    . [
      (visibility_modifier) (inheritance_modifier) (member_modifier)
      (property_modifier) (function_modifier) (mutation_modifier) (ownership_modifier)
    ] @head)?
  "func"
  . name: _ @name
  body: (function_body) @body) @unit.function
(protocol_function_declaration "func" . name: _ @name) @unit.method
(init_declaration
  (modifiers (attribute) . (_) @head)?
  "init" @name
  body: (function_body)? @body) @unit.method
(deinit_declaration "deinit" @name body: (function_body) @body) @unit.method
(subscript_declaration "subscript" @name (computed_property)? @body) @unit.method

; Properties are fields, but for those with code of their own.
(class_body
  (property_declaration
    name: (pattern bound_identifier: (simple_identifier) @name)
    computed_value: (computed_property) @body) @unit.method)
(enum_class_body
  (property_declaration
    name: (pattern bound_identifier: (simple_identifier) @name)
    computed_value: (computed_property) @body) @unit.method)

(source_file
  (property_declaration
    name: (pattern bound_identifier: (simple_identifier) @name)) @unit.constant)

; Tests named by a string.
(call_expression
  (simple_identifier) @_word
  (call_suffix
    (value_arguments . (value_argument value: (line_string_literal) @name))
    (lambda_literal) @body)
  (#any-of? @_word "describe" "context" "it")) @unit.function

; Members.
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @member.field)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @member.field)
(protocol_body
  (protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @member.field)
(enum_entry name: (simple_identifier) @name @member.variant)
