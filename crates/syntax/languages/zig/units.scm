(comment) @comment

(function_declaration
  name: (identifier) @name
  type: (_) @_type
  body: (_)? @body
  (#not-eq? @_type "type")) @unit.function
; A function that returns a type is a generic type, and its functions are methods.
(function_declaration
  name: (identifier) @name
  type: (builtin_type) @_type
  body: (_) @body
  (#eq? @_type "type")) @unit.struct

; Types are values with a name.
(variable_declaration . (identifier) @name (struct_declaration)) @unit.struct
(variable_declaration . (identifier) @name (opaque_declaration)) @unit.struct
(variable_declaration . (identifier) @name (union_declaration)) @unit.struct
(variable_declaration . (identifier) @name (enum_declaration)) @unit.enum
(variable_declaration . (identifier) @name (error_set_declaration)) @unit.enum

; Other values of the file, but neither the types above nor private imports.
(source_file
  (variable_declaration . (identifier) @name) @unit.constant
  (#not-match? @unit.constant "^[^={]*=\\s*((packed |extern )?(struct|enum|union)\\b|opaque|error *\\{)")
  (#not-match? @unit.constant "^const [^=]*=\\s*(@import|@cImport|[a-zA-Z_]+(\\.[a-zA-Z_]+)+;)"))

(test_declaration . [(string) (identifier)] @name (block) @body) @unit.function

; Members, and the constants of a type.
(struct_declaration (container_field name: (identifier) @name) @member.field)
(union_declaration (container_field name: (identifier) @name) @member.field)
(enum_declaration (container_field name: (identifier) @name) @member.variant)
