(call_expression function: (identifier) @call)
(call_expression function: (field_expression member: (identifier) @call))

(parameter type: (identifier) @type)
(parameter type: (field_expression member: (identifier) @type))
(function_declaration type: (identifier) @type)
(function_declaration type: (field_expression member: (identifier) @type))
(container_field type: (identifier) @type)
(container_field type: (field_expression member: (identifier) @type))
(variable_declaration type: (identifier) @type)
(variable_declaration type: (field_expression member: (identifier) @type))
(pointer_type (identifier) @type)
(pointer_type (field_expression member: (identifier) @type))
(nullable_type (identifier) @type)
(slice_type (identifier) @type)
(error_union_type ok: (identifier) @type)
(error_union_type error: (identifier) @type)
(struct_initializer (identifier) @type)

; `const x = @import("y.zig");`
((variable_declaration
  . (identifier) @alias
  (builtin_function (builtin_identifier) @_name (arguments (string (string_content) @import))) .)
  (#eq? @_name "@import")
  (#not-eq? @alias "_"))
((variable_declaration
  . (identifier) @_blank
  (builtin_function (builtin_identifier) @_name (arguments (string (string_content) @import))) .)
  (#eq? @_name "@import")
  (#eq? @_blank "_"))
; `const X = @import("y.zig").X;`
((variable_declaration
  . (identifier) @alias
  (field_expression
    object: (builtin_function (builtin_identifier) @_name (arguments (string (string_content) @module)))
    member: (identifier) @import) .)
  (#eq? @_name "@import"))
; `const X = @import("y.zig").inner.X;`
((variable_declaration
  . (identifier) @alias
  (field_expression
    object: (field_expression
      object: (builtin_function (builtin_identifier) @_name (arguments (string (string_content) @module))))
    member: (identifier) @import) .)
  (#eq? @_name "@import"))
; `@import("y.zig").x()`
((call_expression
  function: (field_expression
    object: (builtin_function (builtin_identifier) @_name (arguments (string (string_content) @module)))
    member: (identifier) @import))
  (#eq? @_name "@import"))
; Without a name. Not wherever it stands: what is above would be found twice.
([
  (using_namespace_declaration
    (builtin_function (builtin_identifier) @_name (arguments (string (string_content) @import))))
  (call_expression
    (builtin_function (builtin_identifier) @_name (arguments (string (string_content) @import))))
  (arguments
    (builtin_function (builtin_identifier) @_name (arguments (string (string_content) @import))))
  (switch_case
    (builtin_function (builtin_identifier) @_name (arguments (string (string_content) @import))))
  (if_expression
    (builtin_function (builtin_identifier) @_name (arguments (string (string_content) @import))))
  (assignment_expression
    (builtin_function (builtin_identifier) @_name (arguments (string (string_content) @import))))
  (initializer_list
    (builtin_function (builtin_identifier) @_name (arguments (string (string_content) @import))))
]
  (#eq? @_name "@import"))
((builtin_function (builtin_identifier) @_name (arguments (string (string_content) @import)))
  (#any-of? @_name "@cInclude" "@embedFile"))

; An assignment is a declaration without its first word.
(block (variable_declaration . (identifier) @write))
(variable_declaration . (field_expression member: (identifier) @write))
(variable_declaration . (index_expression object: (identifier) @write))
(variable_declaration . (index_expression object: (field_expression member: (identifier) @write)))
(variable_declaration . (dereference_expression (identifier) @write))
(assignment_expression left: (identifier) @write)
(assignment_expression left: (field_expression member: (identifier) @write))
(block (variable_declaration ["var" "const"] . (identifier) @param))
(parameter name: (identifier) @param)
(payload (identifier) @param)
