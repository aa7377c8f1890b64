(invocation (object_reference name: (identifier) @call))
(create_trigger
  [(keyword_function) (keyword_procedure)] . (object_reference name: (identifier) @call))

; Tables that are read, written, changed or pointed to.
(relation (object_reference name: (identifier) @use))
(from (object_reference name: (identifier) @use))
(insert (object_reference name: (identifier) @use))
(alter_table . (keyword_alter) (object_reference name: (identifier) @use))
(drop_table (object_reference name: (identifier) @use))
(create_index (object_reference name: (identifier) @use))
(create_trigger (keyword_on) . (object_reference name: (identifier) @use))
(column_definition (keyword_references) . (object_reference name: (identifier) @use))
(constraint (keyword_references) . (object_reference name: (identifier) @use))

(column_definition custom_type: (object_reference name: (identifier) @type))
(function_argument (object_reference name: (identifier) @type))
(create_function custom_type: (object_reference name: (identifier) @type))
(cast custom_type: (object_reference name: (identifier) @type))
