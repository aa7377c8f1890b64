(type_constructor_path (type_constructor) @type)
(module_type_path (module_type_name) @type)
(class_type_path (class_type_name) @type)

(include_module_type module_type: (module_type_path) @inherit)
(include_module_type
  module_type: (module_type_constraint module_type: (module_type_path) @inherit))

(open_module_signature module: (extended_module_path) @import)
