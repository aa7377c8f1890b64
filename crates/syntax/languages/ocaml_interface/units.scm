(comment) @comment
(floating_attribute) @attribute

(value_specification (value_name) @name type: (function_type)) @unit.function
(value_specification (value_name) @name type: (_)) @unit.constant
(value_specification (parenthesized_operator (_) @name)) @unit.function
(external (value_name) @name) @unit.function

; Each `and` of a type is a unit of its own.
(type_definition . (type_binding name: (_) @name body: (record_declaration)) @unit.struct) @head
(type_definition . (type_binding name: (_) @name body: [(variant_declaration) (polymorphic_variant_type)]) @unit.enum) @head
(type_definition (type_binding name: (_) @name body: (record_declaration)) @unit.struct)
(type_definition (type_binding name: (_) @name body: [(variant_declaration) (polymorphic_variant_type)]) @unit.enum)
(type_definition . (type_binding name: (_) @name) @unit.type) @head
(type_definition (type_binding name: (_) @name) @unit.type)
(exception_definition (constructor_declaration (constructor_name) @name)) @unit.type

(module_definition (module_binding (module_name) @name module_type: (signature) @body)) @unit.module
(module_definition (module_binding . (module_name) @name)) @unit.module
(module_type_definition (module_type_name) @name body: (_)? @body) @unit.interface

(class_definition (class_binding (class_name) @name class_type: (_))) @unit.class
(class_type_definition (class_type_binding (class_type_name) @name body: (_) @body)) @unit.interface
(method_specification (method_name) @name) @unit.function
