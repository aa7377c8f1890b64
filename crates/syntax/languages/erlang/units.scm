; A module names what is in its file.
(source_file (module_attribute name: (_) @name)) @scope

(comment) @comment
(spec) @attribute
(export_type_attribute) @attribute
(optional_callbacks_attribute) @attribute
((wild_attribute name: (attr_name name: (atom) @_name)) @attribute (#any-of? @_name "doc" "dialyzer" "deprecated"))

; The signature of a function is its specification, if that stands directly
; above. Each clause is a node of its own here.
(source_file
  (wild_attribute name: (attr_name name: (atom) @_doc) value: (_) @doc)
  . (spec fun: (atom) @_typed) @head
  . (fun_decl clause: (function_clause name: (atom) @name body: (_))) @unit.function @body
  (#eq? @_doc "doc")
  (#eq? @_typed @name))
(source_file
  (wild_attribute name: (attr_name name: (atom) @_doc) value: (_) @doc)
  . (fun_decl clause: (function_clause name: (atom) @name body: (_) @body)) @unit.function
  (#eq? @_doc "doc"))
(source_file
  (spec fun: (atom) @_typed) @head
  . (comment)? @body
  . (fun_decl clause: (function_clause name: (atom) @name body: (_))) @unit.function @body
  (#eq? @_typed @name))
(source_file
  (fun_decl clause: (function_clause name: (_) @name body: (_) @body)) @unit.function)

(callback fun: (atom) @name) @unit.function
(record_decl name: (_) @name) @unit.struct
(type_alias name: (type_name name: (atom) @name)) @unit.type
(nominal name: (type_name name: (atom) @name)) @unit.type
(opaque name: (type_name name: (atom) @name)) @unit.type
(pp_define lhs: (macro_lhs name: (_) @name)) @unit.macro

; The fields of a record.
(record_decl fields: (record_field name: (atom) @name) @member.field)
