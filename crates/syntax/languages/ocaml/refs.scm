(application_expression function: (value_path (value_name) @call))
(application_expression function: (constructor_path (constructor_name) @call))
(infix_expression
  operator: (rel_operator) @_op
  right: (value_path (value_name) @call)
  (#eq? @_op "|>"))
(infix_expression
  left: (value_path (value_name) @call)
  operator: (concat_operator) @_op
  (#eq? @_op "@@"))
(method_invocation (method_name) @call)
(new_expression (class_path (class_name) @call))
(module_application functor: (module_path (module_name) @call .))

(type_constructor_path (type_constructor) @type)
(module_type_path (module_type_name) @type)

(inheritance_definition class: (class_path (class_name) @inherit))
(include_module module: (module_path) @inherit)
(include_module_type module_type: (module_type_path) @inherit)

(open_module module: (module_path) @import)
(local_open_expression . (module_path) @import)
(include_module module: (module_path) @import)
(module_binding (module_name) @alias body: (module_path) @module)
