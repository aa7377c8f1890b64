; Calls by where they stand: in a definition, the head looks like a call too.
[
  (source_file (call_expression . [(identifier) @call (field_expression (identifier) @call .)]))
  (module_definition (call_expression . [(identifier) @call (field_expression (identifier) @call .)]))
  (function_definition (call_expression . [(identifier) @call (field_expression (identifier) @call .)]))
  (macro_definition (call_expression . (identifier) @call))
  (assignment (operator) . (call_expression . [(identifier) @call (field_expression (identifier) @call .)]))
  (compound_assignment_expression (operator) . (call_expression . (identifier) @call))
  (argument_list (call_expression . [(identifier) @call (field_expression (identifier) @call .)]))
  (named_argument (operator) . (call_expression . (identifier) @call))
  (macro_argument_list (call_expression . [(identifier) @call (field_expression (identifier) @call .)]))
  (binary_expression (call_expression . [(identifier) @call (field_expression (identifier) @call .)]))
  (unary_expression (call_expression . (identifier) @call))
  (ternary_expression (call_expression . (identifier) @call))
  (parenthesized_expression (call_expression . (identifier) @call))
  (field_expression (call_expression . [(identifier) @call (field_expression (identifier) @call .)]))
  (index_expression (call_expression . (identifier) @call))
  (tuple_expression (call_expression . [(identifier) @call (field_expression (identifier) @call .)]))
  (vector_expression (call_expression . (identifier) @call))
  (comprehension_expression (call_expression . (identifier) @call))
  (arrow_function_expression (call_expression . [(identifier) @call (field_expression (identifier) @call .)]))
  (return_statement (call_expression . [(identifier) @call (field_expression (identifier) @call .)]))
  (if_statement (call_expression . [(identifier) @call (field_expression (identifier) @call .)]))
  (elseif_clause (call_expression . (identifier) @call))
  (else_clause (call_expression . (identifier) @call))
  (for_statement (call_expression . (identifier) @call))
  (for_binding (operator) . (call_expression . [(identifier) @call (field_expression (identifier) @call .)]))
  (while_statement (call_expression . (identifier) @call))
  (let_statement (call_expression . (identifier) @call))
  (compound_statement (call_expression . [(identifier) @call (field_expression (identifier) @call .)]))
  (try_statement (call_expression . (identifier) @call))
  (catch_clause (call_expression . (identifier) @call))
  (finally_clause (call_expression . (identifier) @call))
  (do_clause (call_expression . [(identifier) @call (field_expression (identifier) @call .)]))
  (string_interpolation (call_expression . (identifier) @call))
  (splat_expression (call_expression . (identifier) @call))
  (range_expression (call_expression . (identifier) @call))
  (open_tuple (call_expression . (identifier) @call))
  (if_clause (call_expression . (identifier) @call))
]
(assignment (operator) . (call_expression . (parametrized_type_expression . (identifier) @call)))
(return_statement (call_expression . (parametrized_type_expression . (identifier) @call)))
(broadcast_call_expression . (identifier) @call)
(broadcast_call_expression . (field_expression (identifier) @call .))
(macrocall_expression (macro_identifier (identifier) @call))

(typed_expression (identifier) @type .)
(typed_expression (field_expression (identifier) @type .) .)
(typed_expression (parametrized_type_expression . (identifier) @type) .)
(unary_typed_expression (identifier) @type)
(curly_expression (identifier) @type)

(type_head
  (binary_expression (operator) . [(identifier) @inherit (parametrized_type_expression . (identifier) @inherit)]))

(using_statement [(identifier) (scoped_identifier) (import_path)] @import)
(import_statement [(identifier) (scoped_identifier) (import_path)] @import)
(import_statement (import_alias . (_) @import . (_) @alias))
(selected_import . (_) @module [(identifier) (operator) (macro_identifier)] @import)
(selected_import . (_) @module (import_alias . (_) @import . (_) @alias))
(call_expression
  . (identifier) @_include
  (argument_list (string_literal . (content) @import .))
  (#eq? @_include "include"))
; include(joinpath(@__DIR__, "name.jl"))
(call_expression
  . (identifier) @_include
  (argument_list
    (call_expression
      . (identifier) @_join
      (argument_list (string_literal . (content) @import .) .)))
  (#eq? @_include "include")
  (#eq? @_join "joinpath"))
