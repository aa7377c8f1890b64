(call_expression function: (identifier) @call)
(call_expression function: (scoped_identifier name: (identifier) @call))
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (scoped_identifier name: (identifier) @call)))
(call_expression function: (generic_function function: (field_expression field: (field_identifier) @call)))
(macro_invocation macro: (identifier) @call)
(macro_invocation macro: (scoped_identifier name: (identifier) @call))
; What is called inside `assert!(…)` is not parsed: a name before a parenthesis.
(macro_invocation (token_tree (identifier) @call . (token_tree) @_arguments)
  (#match? @_arguments "^\\("))
(macro_invocation (token_tree (token_tree (identifier) @call . (token_tree) @_arguments))
  (#match? @_arguments "^\\("))

(field_declaration type: (type_identifier) @type)
(ordered_field_declaration_list type: (type_identifier) @type)
(parameter type: (type_identifier) @type)
(reference_type type: (type_identifier) @type)
(pointer_type type: (type_identifier) @type)
(array_type element: (type_identifier) @type)
(tuple_type (type_identifier) @type)
(function_item return_type: (type_identifier) @type)
(function_signature_item return_type: (type_identifier) @type)
(function_type return_type: (type_identifier) @type)
(let_declaration type: (type_identifier) @type)
(const_item type: (type_identifier) @type)
(static_item type: (type_identifier) @type)
(type_item type: (type_identifier) @type)
(type_cast_expression type: (type_identifier) @type)
(dynamic_type trait: (type_identifier) @type)
(abstract_type trait: (type_identifier) @type)
(generic_type type: (type_identifier) @type)
((type_arguments (type_identifier) @type) (#not-eq? @type "_"))
(struct_expression name: (type_identifier) @type)
(struct_pattern type: (type_identifier) @type)
(scoped_type_identifier name: (type_identifier) @type)
; `State` of `State::Idle`
(scoped_identifier path: (identifier) @type (#match? @type "^[A-Z]"))

(impl_item trait: (type_identifier) @inherit)
(impl_item trait: (scoped_type_identifier name: (type_identifier) @inherit))
(impl_item trait: (generic_type type: (type_identifier) @inherit))
(impl_item trait: (generic_type type: (scoped_type_identifier name: (type_identifier) @inherit)))
(trait_bounds (type_identifier) @type)
(trait_bounds (generic_type type: (type_identifier) @type))
(trait_bounds (scoped_type_identifier name: (type_identifier) @type))
; What a trait asks of its implementors, it inherits.
(trait_item bounds: (trait_bounds (type_identifier) @inherit))
(trait_item bounds: (trait_bounds (generic_type type: (type_identifier) @inherit)))
(trait_item bounds: (trait_bounds (scoped_type_identifier name: (type_identifier) @inherit)))
(attribute (identifier) @_derive arguments: (token_tree (identifier) @inherit)
  (#eq? @_derive "derive")
  (#match? @inherit "^[A-Z]"))

(use_declaration
  argument: [
    (identifier) @import
    (scoped_identifier) @import
    (use_as_clause path: (_) @import alias: (_) @alias)
    (use_wildcard . (_) @module "*" @import)
  ])
; `use {a, b::c};`
(use_declaration
  argument: (use_list [
    (identifier) @import
    (scoped_identifier) @import
    (use_as_clause path: (_) @import alias: (_) @alias)
    (use_wildcard . (_) @module "*" @import)
  ]))
; `use a::{b, c::d};`
(use_declaration
  argument: (scoped_use_list
    path: (_) @module
    list: (use_list [
      (identifier) @import
      (scoped_identifier path: (_) @module name: (_) @import)
      (use_as_clause path: (identifier) @import alias: (_) @alias)
      (use_as_clause
        path: (scoped_identifier path: (_) @module name: (_) @import)
        alias: (_) @alias)
      (use_wildcard . "*" @import)
      (use_wildcard . (_) @module "*" @import)
    ])))
; `use a::{b::{c}};`
(use_declaration
  argument: (scoped_use_list
    path: (_) @module
    list: (use_list (scoped_use_list
      path: (_) @module
      list: (use_list [
        (identifier) @import
        (scoped_identifier path: (_) @module name: (_) @import)
        (use_as_clause path: (identifier) @import alias: (_) @alias)
        (use_as_clause
          path: (scoped_identifier path: (_) @module name: (_) @import)
          alias: (_) @alias)
        (use_wildcard . "*" @import)
        (use_wildcard . (_) @module "*" @import)
      ])))))
; `use a::{b::{c::{d}}};`
(use_declaration
  argument: (scoped_use_list
    path: (_) @module
    list: (use_list (scoped_use_list
      path: (_) @module
      list: (use_list (scoped_use_list
        path: (_) @module
        list: (use_list [
          (identifier) @import
          (scoped_identifier path: (_) @module name: (_) @import)
          (use_as_clause path: (identifier) @import alias: (_) @alias)
          (use_as_clause
            path: (scoped_identifier path: (_) @module name: (_) @import)
            alias: (_) @alias)
          (use_wildcard . "*" @import)
          (use_wildcard . (_) @module "*" @import)
        ])))))))
; `use {a::{b}};`
(use_declaration
  argument: (use_list (scoped_use_list
    path: (_) @module
    list: (use_list [
      (identifier) @import
      (scoped_identifier path: (_) @module name: (_) @import)
      (use_as_clause path: (identifier) @import alias: (_) @alias)
      (use_as_clause
        path: (scoped_identifier path: (_) @module name: (_) @import)
        alias: (_) @alias)
      (use_wildcard . "*" @import)
      (use_wildcard . (_) @module "*" @import)
    ]))))
; `use {a::{b::{c}}};`
(use_declaration
  argument: (use_list (scoped_use_list
    path: (_) @module
    list: (use_list (scoped_use_list
      path: (_) @module
      list: (use_list [
        (identifier) @import
        (scoped_identifier path: (_) @module name: (_) @import)
        (use_as_clause path: (identifier) @import alias: (_) @alias)
        (use_as_clause
          path: (scoped_identifier path: (_) @module name: (_) @import)
          alias: (_) @alias)
        (use_wildcard . "*" @import)
        (use_wildcard . (_) @module "*" @import)
      ]))))))
; `self` in a list is what stands before the list.
(use_declaration
  argument: (scoped_use_list
    path: (_) @import
    list: (use_list [(self) (use_as_clause path: (self) alias: (_) @alias)])))
(use_declaration
  argument: (scoped_use_list
    path: (_) @module
    list: (use_list (scoped_use_list
      path: (_) @import
      list: (use_list [(self) (use_as_clause path: (self) alias: (_) @alias)])))))
(use_declaration
  argument: (scoped_use_list
    path: (_) @module
    list: (use_list (scoped_use_list
      path: (_) @module
      list: (use_list (scoped_use_list
        path: (_) @import
        list: (use_list [(self) (use_as_clause path: (self) alias: (_) @alias)])))))))
(use_declaration
  argument: (use_list (scoped_use_list
    path: (_) @import
    list: (use_list [(self) (use_as_clause path: (self) alias: (_) @alias)]))))
(use_declaration
  argument: (use_list (scoped_use_list
    path: (_) @module
    list: (use_list (scoped_use_list
      path: (_) @import
      list: (use_list [(self) (use_as_clause path: (self) alias: (_) @alias)]))))))
(extern_crate_declaration name: (identifier) @import !alias)
(extern_crate_declaration name: (identifier) @import alias: (identifier) @alias)
(mod_item name: (identifier) @import !body)

(let_declaration pattern: (identifier) @bind)
(let_declaration pattern: (mut_pattern (identifier) @bind))
(let_declaration pattern: (tuple_pattern (identifier) @bind))
(let_declaration pattern: (tuple_struct_pattern (identifier) @bind .))
(parameter pattern: (identifier) @param)
(parameter pattern: (mut_pattern (identifier) @param))
(closure_parameters (identifier) @param)
(closure_parameters (tuple_pattern (identifier) @param))
(for_expression pattern: (identifier) @param)
(for_expression pattern: (tuple_pattern (identifier) @param))

; What is assigned to, and fields that are given a value.
(assignment_expression left: [
  (identifier) @write
  (field_expression field: (field_identifier) @write)
  (unary_expression (identifier) @write)
  (unary_expression (field_expression field: (field_identifier) @write))
  (index_expression . (identifier) @write)
  (index_expression . (field_expression field: (field_identifier) @write))
])
(compound_assignment_expr left: [
  (identifier) @write
  (field_expression field: (field_identifier) @write)
  (unary_expression (identifier) @write)
  (unary_expression (field_expression field: (field_identifier) @write))
  (index_expression . (identifier) @write)
  (index_expression . (field_expression field: (field_identifier) @write))
])
(field_initializer field: (field_identifier) @write)

; What is said of types.
(let_declaration pattern: (identifier) @var type: (_) @is)
(let_declaration pattern: (identifier) @var !type value: (_) @from)
(let_declaration pattern: (tuple_struct_pattern (identifier) @var .) value: (_) @from)
(let_condition pattern: (tuple_struct_pattern (identifier) @var .) value: (_) @from)
(parameter pattern: (identifier) @var type: (_) @is)
(parameter pattern: (mut_pattern (identifier) @var) type: (_) @is)
(for_expression pattern: (identifier) @var value: (_) @each)
(const_item name: (identifier) @var type: (_) @is)
(static_item name: (identifier) @var type: (_) @is)
(field_declaration name: (field_identifier) @field type: (_) @is)
(function_item name: (identifier) @fn return_type: (_) @is)
(function_signature_item name: (identifier) @fn return_type: (_) @is)
(type_item name: (type_identifier) @sub type: (_) @is)
(type_parameter name: (type_identifier) @var bounds: (trait_bounds . (_) @is))
(impl_item trait: (_) @is type: (type_identifier) @sub)
(impl_item trait: (_) @is type: (generic_type type: (type_identifier) @sub))
(call_expression
  function: (field_expression value: (_) @each)
  arguments: (arguments . (closure_expression parameters: (closure_parameters . (identifier) @var))))

; What an impl is for.
(impl_item type: [
  (type_identifier) @type
  (generic_type type: (type_identifier) @type)
  (generic_type type: (scoped_type_identifier name: (type_identifier) @type))
  (scoped_type_identifier name: (type_identifier) @type)
  (reference_type type: (type_identifier) @type)
  (reference_type type: (generic_type type: (type_identifier) @type))
])
