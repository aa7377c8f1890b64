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
