(comment) @comment

; Attributes are inside the definitions: a signature begins after them.
(class_declaration
  ((attribute_list) . (modifier) @head)?
  name: (identifier) @name
  body: (_)? @body) @unit.class
(record_declaration
  ((attribute_list) . (modifier) @head)?
  name: (identifier) @name
  body: (_)? @body) @unit.class
(struct_declaration
  ((attribute_list) . (modifier) @head)?
  name: (identifier) @name
  body: (_)? @body) @unit.struct
(interface_declaration
  ((attribute_list) . (modifier) @head)?
  name: (identifier) @name
  body: (_)? @body) @unit.interface
(enum_declaration
  ((attribute_list) . (modifier) @head)?
  name: (identifier) @name
  body: (_)? @body) @unit.enum
(delegate_declaration name: (identifier) @name) @unit.type

(method_declaration
  ((attribute_list) . (modifier) @head)?
  name: (identifier) @name
  body: (_)? @body) @unit.method
(constructor_declaration
  ((attribute_list) . (modifier) @head)?
  name: (identifier) @name
  body: (_)? @body) @unit.method
(destructor_declaration name: (identifier) @name body: (_) @body) @unit.method
(operator_declaration "operator" @name operator: _ @name body: (_) @body) @unit.method
(conversion_operator_declaration "operator" @name type: (_) @name body: (_) @body) @unit.method
(indexer_declaration "this" @name) @unit.method
(event_declaration name: (identifier) @name accessors: (_) @body) @unit.method
(local_function_statement name: (identifier) @name body: (_) @body) @unit.function

; A property without code is a field.
(property_declaration
  ((attribute_list) . (modifier) @head)?
  name: (identifier) @name
  value: (arrow_expression_clause) @body) @unit.method
(property_declaration
  ((attribute_list) . (modifier) @head)?
  name: (identifier) @name
  accessors: (accessor_list (accessor_declaration body: (_))) @body) @unit.method

; Variables of a script or of a program without a class.
(compilation_unit
  (global_statement
    (local_declaration_statement
      (variable_declaration (variable_declarator name: (identifier) @name)))) @unit.constant)

; Members. The parameters of a record are its properties.
(property_declaration name: (identifier) @name) @member.field
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @member.field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @member.field
(enum_member_declaration name: (identifier) @name) @member.variant
(record_declaration (parameter_list (parameter name: (identifier) @name) @member.field))
