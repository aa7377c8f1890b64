(comment) @comment
(floating_attribute) @attribute

; Bindings at the top of a file or a module; each `and` is a unit of its own.
(compilation_unit
  (value_definition
    . (let_binding pattern: (value_name) @name (parameter) "=" @body) @unit.function) @head)
(structure
  (value_definition
    . (let_binding pattern: (value_name) @name (parameter) "=" @body) @unit.function) @head)
(compilation_unit
  (value_definition
    . (let_binding
      pattern: (value_name) @name
      "=" @body
      body: [(fun_expression) (function_expression)]) @unit.function) @head)
(structure
  (value_definition
    . (let_binding
      pattern: (value_name) @name
      "=" @body
      body: [(fun_expression) (function_expression)]) @unit.function) @head)
(compilation_unit
  (value_definition
    (let_binding pattern: (value_name) @name (parameter) "=" @body) @unit.function))
(structure
  (value_definition
    (let_binding pattern: (value_name) @name (parameter) "=" @body) @unit.function))
(compilation_unit
  (value_definition
    (let_binding
      pattern: (value_name) @name
      "=" @body
      body: [(fun_expression) (function_expression)]) @unit.function))
(structure
  (value_definition
    (let_binding
      pattern: (value_name) @name
      "=" @body
      body: [(fun_expression) (function_expression)]) @unit.function))
(compilation_unit
  (value_definition (let_binding pattern: (parenthesized_operator (_) @name) "=" @body) @unit.function) @head)
(structure
  (value_definition (let_binding pattern: (parenthesized_operator (_) @name) "=" @body) @unit.function) @head)
; A value whose type is written as that of a function.
(compilation_unit
  (value_definition
    (let_binding pattern: (value_name) @name type: (function_type) "=" @body) @unit.function) @head)
(structure
  (value_definition
    (let_binding pattern: (value_name) @name type: (function_type) "=" @body) @unit.function) @head)
(compilation_unit (value_definition (let_binding pattern: (value_name) @name) @unit.constant) @head)
(structure (value_definition (let_binding pattern: (value_name) @name) @unit.constant) @head)

; let%test "name" = …
(value_definition (attribute_id) (let_binding pattern: (string) @name) @unit.function) @head

(external (value_name) @name) @unit.function
(value_specification (value_name) @name type: (function_type)) @unit.function
(value_specification (value_name) @name type: (_)) @unit.constant
(value_specification (parenthesized_operator (_) @name)) @unit.function

(type_definition . (type_binding name: (_) @name body: (record_declaration)) @unit.struct) @head
(type_definition . (type_binding name: (_) @name body: [(variant_declaration) (polymorphic_variant_type)]) @unit.enum) @head
(type_definition (type_binding name: (_) @name body: (record_declaration)) @unit.struct)
(type_definition (type_binding name: (_) @name body: [(variant_declaration) (polymorphic_variant_type)]) @unit.enum)
(type_definition . (type_binding name: (_) @name) @unit.type) @head
(type_definition (type_binding name: (_) @name) @unit.type)
(exception_definition (constructor_declaration (constructor_name) @name)) @unit.type

(module_definition (module_binding (module_name) @name body: (structure) @body)) @unit.module
(module_definition (module_binding (module_name) @name module_type: (signature) @body)) @unit.module
(module_definition (module_binding . (module_name) @name)) @unit.module
(module_type_definition (module_type_name) @name body: (_)? @body) @unit.interface

(class_definition . (class_binding (class_name) @name body: (_)? @body)) @unit.class
(class_definition (class_binding (class_name) @name body: (_) @body) @unit.class)
(class_type_definition (class_type_binding (class_type_name) @name body: (_) @body)) @unit.interface
(method_definition (method_name) @name body: (_)? @body) @unit.function
(method_specification (method_name) @name) @unit.function

; Fields, constructors and the variables of objects.
(field_declaration (field_name) @name) @member.field
(constructor_declaration (constructor_name) @name) @member.variant
(instance_variable_definition (instance_variable_name) @name) @member.field
