(line_comment) @comment
(block_comment) @comment

; Annotations are inside the definitions: a signature begins at the modifier
; after them.
(class_declaration
  (modifiers
    [(annotation) (marker_annotation)]
    . [
      "public" "protected" "private" "abstract" "static" "final" "strictfp"
      "default" "synchronized" "native" "sealed" "non-sealed"
    ] @head)?
  name: (identifier) @name
  body: (_) @body) @unit.class

(record_declaration
  (modifiers
    [(annotation) (marker_annotation)]
    . [
      "public" "protected" "private" "abstract" "static" "final" "strictfp"
      "default" "synchronized" "native" "sealed" "non-sealed"
    ] @head)?
  name: (identifier) @name
  body: (_) @body) @unit.class

(interface_declaration
  (modifiers
    [(annotation) (marker_annotation)]
    . [
      "public" "protected" "private" "abstract" "static" "final" "strictfp"
      "default" "synchronized" "native" "sealed" "non-sealed"
    ] @head)?
  name: (identifier) @name
  body: (_) @body) @unit.interface

(annotation_type_declaration
  (modifiers
    [(annotation) (marker_annotation)]
    . [
      "public" "protected" "private" "abstract" "static" "final" "strictfp"
      "default" "synchronized" "native" "sealed" "non-sealed"
    ] @head)?
  name: (identifier) @name
  body: (_) @body) @unit.interface

(enum_declaration
  (modifiers
    [(annotation) (marker_annotation)]
    . [
      "public" "protected" "private" "abstract" "static" "final" "strictfp"
      "default" "synchronized" "native" "sealed" "non-sealed"
    ] @head)?
  name: (identifier) @name
  body: (_) @body) @unit.enum

(method_declaration
  (modifiers
    [(annotation) (marker_annotation)]
    . [
      "public" "protected" "private" "abstract" "static" "final" "strictfp"
      "default" "synchronized" "native" "sealed" "non-sealed"
    ] @head)?
  name: (identifier) @name
  body: (block)? @body) @unit.method

(constructor_declaration
  (modifiers
    [(annotation) (marker_annotation)]
    . [
      "public" "protected" "private" "abstract" "static" "final" "strictfp"
      "default" "synchronized" "native" "sealed" "non-sealed"
    ] @head)?
  name: (identifier) @name
  body: (_) @body) @unit.method

(compact_constructor_declaration
  (modifiers
    [(annotation) (marker_annotation)]
    . [
      "public" "protected" "private" "abstract" "static" "final" "strictfp"
      "default" "synchronized" "native" "sealed" "non-sealed"
    ] @head)?
  name: (identifier) @name
  body: (_) @body) @unit.method

(annotation_type_element_declaration name: (identifier) @name) @unit.method

(module_declaration name: (_) @name body: (_) @body) @unit.module

; A value with methods of its own: the methods belong to it, not to the type.
(enum_constant name: (identifier) @name body: (class_body) @body) @unit.constant
(class_body
  (field_declaration
    declarator: (variable_declarator
      name: (identifier) @name
      value: [
        (object_creation_expression (class_body) @body)
        (method_invocation object: (object_creation_expression (class_body) @body))
      ])) @unit.constant)
(interface_body
  (constant_declaration
    declarator: (variable_declarator
      name: (identifier) @name
      value: (object_creation_expression (class_body) @body))) @unit.constant)

; Members. The components of a record are its fields.
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @member.field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @member.constant
(enum_constant name: (identifier) @name) @member.variant
(record_declaration
  parameters: (formal_parameters (formal_parameter name: (identifier) @name) @member.field))
