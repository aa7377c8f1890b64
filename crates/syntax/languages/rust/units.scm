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

; Members: fields, variants, and the types of traits and their impls.
(field_declaration name: (field_identifier) @name) @member.field
(enum_variant name: (identifier) @name) @member.variant
(trait_item body: (declaration_list (associated_type name: (type_identifier) @name) @member.type))
(impl_item body: (declaration_list (type_item name: (type_identifier) @name) @member.type))

; What a macro makes of items is not parsed: an item in it is a keyword and a name.
(macro_invocation
  (token_tree ["struct" "union"] . (identifier) @name @member.struct))
(macro_invocation (token_tree "enum" . (identifier) @name @member.enum))
(macro_invocation (token_tree "trait" . (identifier) @name @member.trait))
(macro_invocation (token_tree "type" . (identifier) @name @member.type))
(macro_invocation (token_tree "fn" . (identifier) @name @member.function))
(macro_invocation (token_tree ["const" "static" "ref"] . (identifier) @name @member.constant))
((macro_invocation
  macro: (identifier) @_macro
  (token_tree "struct" . (identifier) @name)) @member.struct
  (#eq? @_macro "bitflags"))
((macro_invocation
  macro: (identifier) @_macro
  (token_tree (token_tree "const" . (identifier) @name @member.constant)))
  (#eq? @_macro "bitflags"))

; A macro that only says when its items are there.
((macro_invocation macro: (identifier) @_macro (token_tree) @inject)
  (#match? @_macro "^cfg_")
  (#not-eq? @_macro "cfg_if")
  (#match? @inject "^\\{")
  (#set! language "rust"))
((macro_invocation macro: (identifier) @_macro (token_tree (token_tree) @inject))
  (#eq? @_macro "cfg_if")
  (#match? @inject "^\\{")
  (#set! language "rust"))
