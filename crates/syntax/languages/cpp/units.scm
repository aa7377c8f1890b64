(comment) @comment

; `public:` and conditions belong to what follows them.
(access_specifier) @attribute
["#if" "#ifdef" "#ifndef" "#elif" "#else"] @attribute

; A namespace only lends its name.
(namespace_definition name: (_) @name body: (_)) @scope

; Functions and methods. What is `= default` has no body and stays with its class.
; Capitals before a parenthesis are a macro: see below.
((function_definition
  declarator: [
    (function_declarator declarator: (_) @name)
    (pointer_declarator declarator: (function_declarator declarator: (_) @name))
    (pointer_declarator
      declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name)))
    (reference_declarator (function_declarator declarator: (_) @name))
    (operator_cast "operator" @name type: (_) @name)
    (qualified_identifier name: (operator_cast)) @name]
  body: (_) @body) @unit.function
  (#not-match? @unit.function "^[A-Z][A-Z0-9_]+\\s*\\("))
(template_declaration
  (function_definition
    declarator: [
      (function_declarator declarator: (_) @name)
      (pointer_declarator declarator: (function_declarator declarator: (_) @name))
      (pointer_declarator
        declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name)))
      (reference_declarator (function_declarator declarator: (_) @name))
      (operator_cast "operator" @name type: (_) @name)
      (qualified_identifier name: (operator_cast)) @name]
    body: (_) @body)) @unit.function
(template_declaration
  (template_declaration
    (function_definition
      declarator: [
        (function_declarator declarator: (_) @name)
        (pointer_declarator declarator: (function_declarator declarator: (_) @name))
        (reference_declarator (function_declarator declarator: (_) @name))]
      body: (_) @body))) @unit.function
(friend_declaration
  (function_definition
    declarator: [
      (function_declarator declarator: (_) @name)
      (reference_declarator (function_declarator declarator: (_) @name))]
    body: (_) @body)) @unit.function
(template_declaration
  (friend_declaration
    (function_definition
      declarator: [
        (function_declarator declarator: (_) @name)
        (reference_declarator (function_declarator declarator: (_) @name))]
      body: (_) @body))) @unit.function
; The constructor of a class in capitals.
(field_declaration_list
  (function_definition
    !type
    declarator: (function_declarator declarator: (identifier) @name)
    body: (_) @body) @unit.function)

; A macro that defines a function: `TEST(Suite, Name) { … }`.
(translation_unit
  (function_definition
    !type
    declarator: (function_declarator
      declarator: (identifier) @_macro
      parameters: (parameter_list . (parameter_declaration) @name . (parameter_declaration)? @name))
    body: (_) @body) @unit.function
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))
(declaration_list
  (function_definition
    !type
    declarator: (function_declarator
      declarator: (identifier) @_macro
      parameters: (parameter_list . (parameter_declaration) @name . (parameter_declaration)? @name))
    body: (_) @body) @unit.function
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))
; With a string it looks like a call before a block.
(translation_unit
  (expression_statement
    (call_expression
      function: (identifier) @_macro
      arguments: (argument_list . (_) @name))) @head @attribute
  .
  (compound_statement) @body @unit.function
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))
(declaration_list
  (expression_statement
    (call_expression
      function: (identifier) @_macro
      arguments: (argument_list . (_) @name))) @head @attribute
  .
  (compound_statement) @body @unit.function
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))
(compound_statement
  (expression_statement
    (call_expression
      function: (identifier) @_macro
      arguments: (argument_list . (string_literal) @name))) @head @attribute
  .
  (compound_statement) @body @unit.function
  (#any-of? @_macro "SECTION" "SUBCASE" "GIVEN" "WHEN" "THEN" "TEST_CASE" "SCENARIO"))

; Types.
(class_specifier name: (_) @name body: (_) @body) @unit.class
(struct_specifier name: (_) @name body: (_) @body) @unit.struct
(union_specifier name: (_) @name body: (_) @body) @unit.struct
(enum_specifier name: (_) @name body: (_) @body) @unit.enum
(field_declaration type: (class_specifier name: (_) @name body: (_) @body)) @unit.class
(field_declaration type: (struct_specifier name: (_) @name body: (_) @body)) @unit.struct
(field_declaration type: (union_specifier name: (_) @name body: (_) @body)) @unit.struct
(field_declaration type: (enum_specifier name: (_) @name body: (_) @body)) @unit.enum
(declaration type: (class_specifier name: (_) @name body: (_) @body)) @unit.class
(declaration type: (struct_specifier name: (_) @name body: (_) @body)) @unit.struct
(declaration type: (enum_specifier name: (_) @name body: (_) @body)) @unit.enum
(template_declaration (class_specifier name: (_) @name body: (_) @body)) @unit.class
(template_declaration (struct_specifier name: (_) @name body: (_) @body)) @unit.struct
(template_declaration (union_specifier name: (_) @name body: (_) @body)) @unit.struct
; `class EXPORT Name { … }` looks like a function without parentheses.
(function_definition
  type: (class_specifier !body)
  declarator: (identifier) @name
  body: (_) @body) @unit.class
(function_definition
  type: (struct_specifier !body)
  declarator: (identifier) @name
  body: (_) @body) @unit.struct
(template_declaration
  (function_definition
    type: (class_specifier !body)
    declarator: (identifier) @name
    body: (_) @body)) @unit.class

(type_definition type: (struct_specifier name: (_) @name body: (_) @body)) @unit.struct
(type_definition type: (union_specifier name: (_) @name body: (_) @body)) @unit.struct
(type_definition type: (enum_specifier name: (_) @name body: (_) @body)) @unit.enum
(type_definition
  type: [
    (struct_specifier !name body: (_) @body)
    (union_specifier !name body: (_) @body)]
  .
  declarator: (type_identifier) @name) @unit.struct
(type_definition
  type: (enum_specifier !name body: (_) @body)
  .
  declarator: (type_identifier) @name) @unit.enum
; An enum without a name goes by its first member.
(translation_unit
  (enum_specifier
    !name
    body: (enumerator_list . (enumerator name: (_) @name)) @body) @unit.enum)
(declaration_list
  (enum_specifier
    !name
    body: (enumerator_list . (enumerator name: (_) @name)) @body) @unit.enum)

; Other names for types, outside classes.
(translation_unit
  (type_definition
    declarator: [
      (type_identifier) @name
      (pointer_declarator declarator: (type_identifier) @name)
      (array_declarator declarator: (type_identifier) @name)
      (function_declarator declarator: (type_identifier) @name)
      (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))]) @unit.type
  (#not-match? @unit.type "[{]"))
(declaration_list
  (type_definition
    declarator: [
      (type_identifier) @name
      (pointer_declarator declarator: (type_identifier) @name)
      (array_declarator declarator: (type_identifier) @name)
      (function_declarator declarator: (type_identifier) @name)
      (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))]) @unit.type
  (#not-match? @unit.type "[{]"))
(preproc_ifdef
  (type_definition
    declarator: [
      (type_identifier) @name
      (pointer_declarator declarator: (type_identifier) @name)
      (array_declarator declarator: (type_identifier) @name)
      (function_declarator declarator: (type_identifier) @name)
      (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))]) @unit.type
  (#not-match? @unit.type "[{]"))
(translation_unit (alias_declaration name: (_) @name) @unit.type)
(translation_unit (template_declaration (alias_declaration name: (_) @name) @head) @unit.type)
(translation_unit (template_declaration (concept_definition name: (_) @name) @head) @unit.type)
(translation_unit (namespace_alias_definition name: (_) @name) @unit.type)
(declaration_list (alias_declaration name: (_) @name) @unit.type)
(declaration_list (template_declaration (alias_declaration name: (_) @name) @head) @unit.type)
(declaration_list (template_declaration (concept_definition name: (_) @name) @head) @unit.type)
(declaration_list (namespace_alias_definition name: (_) @name) @unit.type)

; Macros, but not the one that guards a header, and not those inside a class.
(translation_unit (preproc_function_def name: (_) @name) @unit.macro)
(declaration_list (preproc_function_def name: (_) @name) @unit.macro)
(preproc_ifdef (preproc_function_def name: (_) @name) @unit.macro)
(preproc_if (preproc_function_def name: (_) @name) @unit.macro)
(preproc_elif (preproc_function_def name: (_) @name) @unit.macro)
(preproc_else (preproc_function_def name: (_) @name) @unit.macro)
(translation_unit (preproc_def name: (_) @name) @unit.macro (#not-match? @name "_H(PP|H|XX)?_*$"))
(declaration_list (preproc_def name: (_) @name) @unit.macro)
(preproc_ifdef (preproc_def name: (_) @name) @unit.macro (#not-match? @name "_H(PP|H|XX)?_*$"))
(preproc_if (preproc_def name: (_) @name) @unit.macro (#not-match? @name "_H(PP|H|XX)?_*$"))
(preproc_elif (preproc_def name: (_) @name) @unit.macro)
(preproc_else (preproc_def name: (_) @name) @unit.macro)

; Variables of a file or a namespace. What is `extern` is defined elsewhere;
; `class EXPORT Name;` is no variable; a type with a body was found above.
(translation_unit
  (declaration
    declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (identifier) @name)
      (init_declarator
        declarator: [
          (identifier) @name
          (qualified_identifier) @name
          (array_declarator declarator: [(identifier) (qualified_identifier)] @name)
          (pointer_declarator declarator: [(identifier) (qualified_identifier)] @name)
          (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
          (reference_declarator (identifier) @name)
          (function_declarator
            declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))])]) @unit.constant
  (#not-match? @unit.constant "^(extern|(\\w+ )+= ?\\[|[A-Z0-9_]+_(BEGIN|END)\\s|((static|const|constexpr|inline) )*(class|struct|union|enum)\\s[^=]*[;{])"))
(declaration_list
  (declaration
    declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (identifier) @name)
      (init_declarator
        declarator: [
          (identifier) @name
          (qualified_identifier) @name
          (array_declarator declarator: [(identifier) (qualified_identifier)] @name)
          (pointer_declarator declarator: [(identifier) (qualified_identifier)] @name)
          (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
          (reference_declarator (identifier) @name)
          (function_declarator
            declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))])]) @unit.constant
  (#not-match? @unit.constant "^(extern|(\\w+ )+= ?\\[|[A-Z0-9_]+_(BEGIN|END)\\s|((static|const|constexpr|inline) )*(class|struct|union|enum)\\s[^=]*[;{])"))
(translation_unit
  (template_declaration
    (declaration declarator: (init_declarator declarator: (identifier) @name)) @head) @unit.constant
  (#match? @unit.constant "^template[^()]*(constexpr|const|inline) [^()]*="))
(declaration_list
  (template_declaration
    (declaration declarator: (init_declarator declarator: (identifier) @name)) @head) @unit.constant
  (#match? @unit.constant "^template[^()]*(constexpr|const|inline) [^()]*="))
; A lambda with a name is a function.
(translation_unit
  (declaration
    declarator: (init_declarator
      declarator: (identifier) @name
      value: (lambda_expression body: (_) @body))) @unit.function)
(declaration_list
  (declaration
    declarator: (init_declarator
      declarator: (identifier) @name
      value: (lambda_expression body: (_) @body))) @unit.function)

; A function that only those who inherit define: `virtual bool next() = 0;`.
(field_declaration
  "virtual"
  declarator: [
    (function_declarator declarator: (field_identifier) @name)
    (pointer_declarator (function_declarator declarator: (field_identifier) @name))
    (reference_declarator (function_declarator declarator: (field_identifier) @name))
  ]
  default_value: (number_literal)) @unit.function
