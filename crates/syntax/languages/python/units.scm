; Comments stand before what they describe.
(comment) @comment
(module . (expression_statement (string) @comment))
(module . (comment) . (expression_statement (string) @comment))
(module . (comment) . (comment) . (expression_statement (string) @comment))
(module . (comment) . (comment) . (comment) . (expression_statement (string) @comment))

(function_definition
  name: (identifier) @name
  body: (block . (expression_statement . (string) @doc)? ) @body) @unit.function

(decorated_definition
  definition: (function_definition
    name: (identifier) @name
    body: (block . (expression_statement . (string) @doc)?) @body) @head) @unit.function

(class_definition
  name: (identifier) @name
  body: (block . (expression_statement . (string) @doc)? ) @body) @unit.class

(decorated_definition
  definition: (class_definition
    name: (identifier) @name
    body: (block . (expression_statement . (string) @doc)?) @body) @head) @unit.class

; Names bound at the top of a module. The one with a lambda comes first, so that
; it is a function.
(module
  (expression_statement
    (assignment left: (identifier) @name right: (lambda) @_value)) @unit.function)
(module
  (expression_statement
    (assignment left: (identifier) @name right: (_) @_value)) @unit.constant)
(module
  (expression_statement
    (assignment left: (identifier) @name !right)) @unit.constant)

(module
  (type_alias_statement
    left: (type [(identifier) @name (generic_type . (identifier) @name)])) @unit.type)

; Members: what a class binds, and what its methods assign to `self`. A name that
; a class of constants binds is one of them.
(class_definition
  superclasses: (argument_list [
    (identifier) @_base
    (attribute attribute: (identifier) @_base)
  ])
  body: (block (expression_statement (assignment left: (identifier) @name) @member.variant))
  (#match? @_base "(Enum|Flag)$"))
(class_definition
  body: (block (expression_statement (assignment left: (identifier) @name) @member.field)))
(class_definition
  body: (block (expression_statement (assignment
    left: [
      (pattern_list (identifier) @name)
      (tuple_pattern (identifier) @name)
    ]) @member.field)))
(class_definition
  body: (block
    (if_statement
      consequence: (block (expression_statement (assignment left: (identifier) @name) @member.field)))))
(class_definition
  body: (block
    (if_statement
      alternative: (else_clause
        body: (block (expression_statement (assignment left: (identifier) @name) @member.field))))))
(assignment
  left: (attribute object: (identifier) @_self attribute: (identifier) @name)
  (#any-of? @_self "self" "cls")) @assigned.field
(assignment
  left: [
    (pattern_list (attribute object: (identifier) @_self attribute: (identifier) @name) @assigned.field)
    (tuple_pattern (attribute object: (identifier) @_self attribute: (identifier) @name) @assigned.field)
  ]
  (#any-of? @_self "self" "cls"))
(as_pattern_target
  (attribute object: (identifier) @_self attribute: (identifier) @name) @assigned.field
  (#any-of? @_self "self" "cls"))
(for_statement
  left: (attribute object: (identifier) @_self attribute: (identifier) @name) @assigned.field
  (#any-of? @_self "self" "cls"))

; Names that a module binds under a condition.
(module
  (if_statement
    consequence: (block (expression_statement (assignment left: (identifier) @name) @member.constant))))
(module
  (if_statement
    alternative: (else_clause
      body: (block (expression_statement (assignment left: (identifier) @name) @member.constant)))))
(module
  (try_statement
    body: (block (expression_statement (assignment left: (identifier) @name) @member.constant))))
(module
  (try_statement
    (except_clause (block (expression_statement (assignment left: (identifier) @name) @member.constant)))))
(module
  (expression_statement
    (assignment left: (pattern_list (identifier) @name)) @member.constant))
