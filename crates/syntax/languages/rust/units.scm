(line_comment) @comment
(block_comment) @comment
(attribute_item) @attribute

(function_item name: (identifier) @name body: (_) @body) @unit.function
(function_signature_item name: (identifier) @name) @unit.function
(struct_item name: (type_identifier) @name body: (field_declaration_list) @body) @unit.struct
(struct_item name: (type_identifier) @name body: (ordered_field_declaration_list)) @unit.struct
(struct_item name: (type_identifier) @name !body) @unit.struct
(union_item name: (type_identifier) @name body: (_) @body) @unit.struct
(enum_item name: (type_identifier) @name body: (_) @body) @unit.enum
(trait_item name: (type_identifier) @name body: (_) @body) @unit.trait
; Not the types of an impl, which are like its fields.
(source_file (type_item name: (type_identifier) @name) @unit.type)
(mod_item body: (declaration_list (type_item name: (type_identifier) @name) @unit.type))
(const_item name: (identifier) @name) @unit.constant
(static_item name: (identifier) @name) @unit.constant
(macro_definition name: (identifier) @name) @unit.macro
(mod_item name: (identifier) @name body: (_) @body) @unit.module

; An impl is named by the type it is for.
(impl_item type: (type_identifier) @name body: (_) @body) @unit.impl
(impl_item type: (generic_type type: (type_identifier) @name) body: (_) @body) @unit.impl
(impl_item
  type: (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
  body: (_) @body) @unit.impl
(impl_item type: (scoped_type_identifier name: (type_identifier) @name) body: (_) @body) @unit.impl
(impl_item type: (reference_type type: (type_identifier) @name) body: (_) @body) @unit.impl
(impl_item
  type: (reference_type type: (generic_type type: (type_identifier) @name))
  body: (_) @body) @unit.impl
(impl_item
  type: [
    (primitive_type) (array_type) (tuple_type) (unit_type) (pointer_type) (function_type)
    (dynamic_type) (never_type)
  ] @name
  body: (_) @body) @unit.impl
