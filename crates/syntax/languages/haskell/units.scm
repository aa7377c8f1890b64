(comment) @comment
(haddock) @comment
(pragma) @attribute

; A type signature leads the function below it. In a class it is a unit.
(declarations (signature) @attribute)
(instance_declarations (signature) @attribute)

; The signature of a function is its type, if that stands directly above.
(declarations
  (signature name: (variable) @_typed) @head
  . [(pragma) (comment) (haddock)]? @body
  . (function name: (variable) @name match: (match)) @unit.function @body
  (#eq? @_typed @name))
(declarations
  (signature name: (prefix_id (operator) @_typed)) @head
  . [(pragma) (comment) (haddock)]? @body
  . (function (infix operator: (operator) @name) match: (match)) @unit.function @body
  (#eq? @_typed @name))
(declarations
  (signature name: (variable) @_typed) @head
  . [(pragma) (comment) (haddock)]? @body
  . (bind name: (variable) @name match: (match expression: [(literal) (list) (negation)])) @unit.constant @body
  (#eq? @_typed @name))
(declarations
  (signature name: (variable) @_typed) @head
  . [(pragma) (comment) (haddock)]? @body
  . (bind name: (variable) @name match: (match expression: (_))) @unit.function @body
  (#eq? @_typed @name))

; Without a signature, or not the first equation.
(declarations (function name: (variable) @name match: (match) @body) @unit.function)
(declarations (function name: (prefix_id (operator) @name) match: (match) @body) @unit.function)
(declarations (function (infix operator: (operator) @name) match: (match) @body) @unit.function)
(declarations (function (infix operator: (infix_id (variable) @name)) match: (match) @body) @unit.function)
; A bind to a literal is a constant, any other may well be a function.
; Properties stand in long runs of one line each: constants are grouped.
(declarations
  (bind name: (variable) @name match: (match expression: (_))) @unit.constant
  (#match? @name "^prop_"))
(declarations
  (bind name: (variable) @name match: (match expression: [(literal) (list) (negation)])) @unit.constant)
(declarations (bind name: (variable) @name match: (match expression: (_))) @unit.function)
(declarations (bind name: (variable) @name match: (match guards: (_))) @unit.function)
(declarations (bind name: (prefix_id (operator) @name)) @unit.function)
(declarations (foreign_import signature: (signature name: (variable) @name) @head) @unit.function)

; One constructor makes a struct, several make an enum.
(declarations
  (data_type
    name: (name) @name
    constructors: (data_constructors . (data_constructor) .)) @unit.struct)
(declarations
  (data_type
    name: (name) @name
    constructors: (data_constructors (data_constructor) (data_constructor))) @unit.enum)
(declarations (data_type name: (name) @name constructors: (gadt_constructors)) @unit.enum)
(declarations (data_type name: (name) @name !constructors) @unit.type)
(declarations (newtype name: (name) @name) @unit.struct)
(declarations (data_instance (data_type name: (name) @name patterns: (_)? @name)) @unit.enum)
(declarations (data_instance (newtype name: (name) @name patterns: (_)? @name)) @unit.struct)
(declarations (type_synonym name: (name) @name) @unit.type)
(declarations (type_family name: (name) @name) @unit.type)
(declarations (data_family name: (name) @name) @unit.type)
(declarations (type_instance name: (name) @name patterns: (_) @name) @unit.type)
(declarations
  (pattern_synonym (equation synonym: (apply function: (constructor) @name))) @unit.macro)
(declarations (pattern_synonym (equation synonym: (constructor) @name)) @unit.macro)

(declarations (class name: (name) @name "where"? @body) @unit.trait)
(class_declarations (signature name: (variable) @name) @unit.function)
(class_declarations (signature names: (binding_list . (variable) @name)) @unit.function)
(class_declarations (signature name: (prefix_id (operator) @name)) @unit.function)
(class_declarations (function name: (variable) @name match: (match) @body) @unit.function)
(class_declarations (function (infix operator: (operator) @name) match: (match) @body) @unit.function)
(class_declarations (bind name: (variable) @name) @unit.function)
(class_declarations (type_family name: (name) @name) @unit.type)

; An instance is named by its class and its types.
(declarations
  (instance
    name: [(name) (qualified)] @name
    patterns: (_)? @name
    "where"? @body) @unit.impl)
(instance_declarations (function name: (variable) @name match: (match) @body) @unit.function)
(instance_declarations (function name: (prefix_id (operator) @name) match: (match) @body) @unit.function)
(instance_declarations (function (infix operator: (operator) @name) match: (match) @body) @unit.function)
(instance_declarations (bind name: (variable) @name) @unit.function)
(instance_declarations (bind name: (prefix_id (operator) @name)) @unit.function)

; Tests of hspec and tasty.
(infix
  left_operand: (apply function: (variable) @_test argument: (literal (string) @name))
  operator: (operator) @_dollar
  right_operand: (_)
  (#eq? @_dollar "$")
  (#any-of? @_test "describe" "context" "it" "specify" "prop" "testCase" "testProperty" "testGroup")) @unit.function
(apply
  function: (apply function: (variable) @_test argument: (literal (string) @name))
  argument: (_)
  (#any-of? @_test "describe" "context" "it" "specify" "prop" "testCase" "testProperty" "testGroup")) @unit.function

; Constructors and the fields of records.
(data_constructor
  constructor: [
    (record name: (constructor) @name)
    (prefix name: (constructor) @name)
  ]) @member.variant
(newtype_constructor name: (constructor) @name @member.variant)
(gadt_constructor name: (constructor) @name) @member.variant
(field name: (field_name (variable) @name) @member.field)
