(comment) @comment
(marginalia) @comment

; `shop.orders` is the table orders in the schema shop, which lends its name.
; What follows a keyword is the name; a later one is the table of a trigger or
; the type that a function returns.
(create_table [(keyword_table) (keyword_exists)] . (object_reference schema: (identifier) @name)) @scope
(create_table
  [(keyword_table) (keyword_exists)] . (object_reference name: (identifier) @name)
  [(column_definitions) (create_query)]? @body) @unit.table
(create_view [(keyword_view) (keyword_exists)] . (object_reference schema: (identifier) @name)) @scope
(create_view
  [(keyword_view) (keyword_exists)] . (object_reference name: (identifier) @name)
  (keyword_as) @body) @unit.table
(create_materialized_view [(keyword_view) (keyword_exists)] . (object_reference schema: (identifier) @name)) @scope
(create_materialized_view
  [(keyword_view) (keyword_exists)] . (object_reference name: (identifier) @name)
  (keyword_as) @body) @unit.table
(create_function (keyword_function) . (object_reference schema: (identifier) @name)) @scope
(create_function
  (keyword_function) . (object_reference name: (identifier) @name)
  (function_body) @body) @unit.function
(create_trigger (keyword_trigger) . (object_reference schema: (identifier) @name)) @scope
(create_trigger
  (keyword_trigger) . (object_reference name: (identifier) @name)
  (keyword_execute) @body) @unit.function
(create_type (keyword_type) . (object_reference schema: (identifier) @name)) @scope
(create_type (keyword_type) . (object_reference name: (identifier) @name)) @unit.type
(create_sequence [(keyword_sequence) (keyword_exists)] . (object_reference schema: (identifier) @name)) @scope
(create_sequence [(keyword_sequence) (keyword_exists)] . (object_reference name: (identifier) @name)) @unit.constant

(create_schema (identifier) @name) @unit.config
; Like constants, so that a run of indexes is one unit.
(create_index column: (identifier) @name) @unit.constant

; The columns of a table.
(column_definition name: (identifier) @name) @member.field
