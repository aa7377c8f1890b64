(comment) @comment
; A line of its own between the data and the procedures of a module.
(contains_statement) @attribute

(module (module_statement (name) @name)) @unit.module
(submodule (submodule_statement (name) @name)) @unit.module
(program (program_statement (name) @name)) @unit.module
(block_data (block_data_statement (name) @name)) @unit.module

; The signature ends where the next statement begins; it may go over several lines.
(subroutine (subroutine_statement name: (name) @name) . (_) @body) @unit.function
(function (function_statement name: (name) @name) . (_) @body) @unit.function
(module_procedure (module_procedure_statement name: (name) @name) . (_) @body) @unit.function

(derived_type_definition (derived_type_statement (type_name) @name)) @unit.struct
(enumeration_type (enumeration_type_statement (type_name) @name)) @unit.enum
(interface (interface_statement [(name) (operator) (assignment)] @name)) @unit.interface

; Data of a module; several in one statement go by the first name.
(module
  (variable_declaration
    "::"
    . declarator: [
      (identifier) @name
      (init_declarator left: (identifier) @name)
      (init_declarator left: (sized_declarator . (identifier) @name))
      (sized_declarator . (identifier) @name)
      (pointer_init_declarator left: (identifier) @name)
    ]) @unit.constant)

(preproc_def name: (identifier) @name) @unit.macro
(preproc_function_def name: (identifier) @name) @unit.macro

; Members of a type.
(derived_type_definition
  (variable_declaration declarator: [
    (identifier) @name
    (sized_declarator (identifier) @name)
    (init_declarator left: (identifier) @name)
  ]) @member.field)
