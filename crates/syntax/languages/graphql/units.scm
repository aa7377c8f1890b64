(comment) @comment

(object_type_definition
  (description (string_value) @doc)?
  "type" @head
  (name) @name
  (fields_definition)? @body) @unit.struct
(input_object_type_definition
  (description (string_value) @doc)?
  "input" @head
  (name) @name
  (input_fields_definition)? @body) @unit.struct
(interface_type_definition
  (description (string_value) @doc)?
  "interface" @head
  (name) @name
  (fields_definition)? @body) @unit.interface
(enum_type_definition
  (description (string_value) @doc)?
  "enum" @head
  (name) @name
  (enum_values_definition)? @body) @unit.enum
(union_type_definition
  (description (string_value) @doc)?
  "union" @head
  (name) @name) @unit.type
(scalar_type_definition
  (description (string_value) @doc)?
  "scalar" @head
  (name) @name) @unit.type
(directive_definition
  (description (string_value) @doc)?
  "directive" @head
  (name) @name) @unit.macro
(schema_definition
  (description (string_value) @doc)?
  "schema" @head @name) @unit.config

; Extensions add to a type that is defined elsewhere.
(object_type_extension (name) @name (fields_definition)? @body) @unit.impl
(input_object_type_extension (name) @name (input_fields_definition)? @body) @unit.impl
(interface_type_extension (name) @name (fields_definition)? @body) @unit.impl
(enum_type_extension (name) @name (enum_values_definition)? @body) @unit.impl
(union_type_extension (name) @name) @unit.impl
(scalar_type_extension (name) @name) @unit.impl
(schema_extension "schema" @name) @unit.impl

(operation_definition (name) @name (selection_set) @body) @unit.function
(fragment_definition (fragment_name (name) @name) (selection_set) @body) @unit.function
; Without a name, an operation is called what it does.
(operation_definition . (operation_type) @name . (selection_set) @body) @unit.function

; Members.
(field_definition (name) @name) @member.field
(input_fields_definition (input_value_definition (name) @name) @member.field)
(enum_value_definition (enum_value (name) @name)) @member.variant
