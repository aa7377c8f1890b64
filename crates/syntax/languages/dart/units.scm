(comment) @comment
(documentation_comment) @comment

; Annotations are inside the definitions: a signature begins after the last.
(class_declaration
  ((annotation) . ["abstract" "base" "final" "interface" "sealed" "mixin" "class"] @head)?
  name: (identifier) @name
  body: (class_body)? @body) @unit.class
(class_declaration (mixin_application_class . (identifier) @name)) @unit.class
(mixin_declaration
  ((annotation) . ["base" "mixin"] @head)?
  name: (identifier) @name
  body: (class_body)? @body) @unit.trait
(enum_declaration
  ((annotation) . "enum" @head)?
  name: (identifier) @name
  body: (enum_body) @body) @unit.enum
(extension_type_declaration
  name: (extension_type_name . (identifier) @name)
  body: (_)? @body) @unit.class
; An extension without a name is known by the type it is for.
(extension_declaration name: (identifier) @name body: (_) @body) @unit.impl
(extension_declaration !name class: (type) @name body: (_) @body) @unit.impl

(type_alias (type_identifier) @name) @unit.type

(function_declaration
  signature: (function_signature name: (identifier) @name) @head
  body: (_) @body) @unit.function
(local_function_declaration
  (function_signature name: (identifier) @name)
  (function_body) @body) @unit.function
(getter_declaration
  signature: (getter_signature name: (identifier) @name)
  body: (_) @body) @unit.function
(setter_declaration
  signature: (setter_signature name: (identifier) @name)
  body: (_) @body) @unit.function
(external_function_declaration
  signature: (function_signature name: (identifier) @name)) @unit.function

; Members with a body. A constructor is known by its last name.
(member_declaration
  (method_declaration
    signature: (method_signature
      [
        (function_signature name: (identifier) @name)
        (getter_signature name: (identifier) @name)
        (setter_signature name: (identifier) @name)
        (operator_signature operator: (_) @name)
        (constructor_signature (identifier) @name . parameters: (_))
        (factory_constructor_signature (identifier) @name . parameters: (_))
      ]) @head
    body: (function_body) @body)) @unit.method

; Members without one.
(member_declaration
  (declaration
    [
      (function_signature name: (identifier) @name)
      (getter_signature name: (identifier) @name)
      (setter_signature name: (identifier) @name)
      (operator_signature operator: (_) @name)
      (constructor_signature (identifier) @name . parameters: (_))
      (constant_constructor_signature (identifier) @name . parameters: (_))
      (factory_constructor_signature (identifier) @name . parameters: (_))
      (redirecting_factory_constructor_signature (identifier) @name . parameters: (_))
    ]) @head) @unit.method

(source_file
  (top_level_variable_declaration
    [
      (static_final_declaration_list . (static_final_declaration name: (identifier) @name))
      (initialized_identifier_list . (initialized_identifier name: (identifier) @name))
    ]) @unit.constant)

; Tests named by a string.
(call_expression
  function: (identifier) @_word
  arguments: (arguments
    . (string_literal) @name
    (function_expression body: (_) @body))
  (#any-of? @_word "test" "group" "testWidgets" "testGoldens" "blocTest")) @unit.function

; Members.
(class_body
  (member_declaration
    (declaration (initialized_identifier_list (initialized_identifier name: (identifier) @name))) @member.field))
(class_body
  (member_declaration
    (declaration (static_final_declaration_list (static_final_declaration name: (identifier) @name))) @member.field))
(enum_body
  (member_declaration
    (declaration (initialized_identifier_list (initialized_identifier name: (identifier) @name))) @member.field))
(enum_body
  (member_declaration
    (declaration (static_final_declaration_list (static_final_declaration name: (identifier) @name))) @member.field))
(enum_entry name: (identifier) @name) @member.variant
