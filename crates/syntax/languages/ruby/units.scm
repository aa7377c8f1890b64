(comment) @comment

; `desc "…"` tells what the next task does; `sig { … }` is the type of the next method.
((call method: (identifier) @_desc arguments: (argument_list . (string))) @attribute
  (#eq? @_desc "desc"))
((call method: (identifier) @_sig block: (_)) @attribute
  (#eq? @_sig "sig"))

; The signature is the first line: comments may stand before a body.
(class name: (_) @name) @unit.class
(module name: (_) @name) @unit.module
(method name: (_) @name) @unit.function
(singleton_method name: (_) @name) @unit.function
; `private def …`
(call arguments: (argument_list . (method name: (_) @name))) @unit.function
(call arguments: (argument_list . (singleton_method name: (_) @name))) @unit.function

; Classes made by a call.
((assignment
  left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) @_make)) @unit.class
  (#any-of? @_maker "Struct" "Data" "Class" "Module")
  (#any-of? @_make "new" "define"))

; Constants of a file or a module; those of a class stay with it.
(program
  (assignment left: (constant) @name) @unit.constant
  (#not-match? @unit.constant "^\\w+\\s*=\\s*(Struct|Data|Class|Module)\\.(new|define)"))
(module
  body: (body_statement
    (assignment left: (constant) @name) @unit.constant)
  (#not-match? @unit.constant "^\\w+\\s*=\\s*(Struct|Data|Class|Module)\\.(new|define)"))
(program
  (assignment left: [(identifier) (global_variable)] @name right: (lambda)) @unit.function)

; Tests with a sentence, or a class, for a name.
((call
  !receiver
  method: (identifier) @_test
  arguments: (argument_list . [(string) (constant) (scope_resolution)] @name)
  block: (_)) @test.function
  (#any-of? @_test
    "describe" "context" "it" "specify" "example" "feature" "scenario" "test" "should"
    "shared_examples" "shared_examples_for" "shared_context"))
((call
  receiver: (constant) @_rspec
  arguments: (argument_list . [(string) (constant) (scope_resolution)] @name)
  block: (_)) @test.function
  (#eq? @_rspec "RSpec"))

; Tasks of a Rakefile.
((call
  !receiver
  method: (identifier) @_task
  arguments: (argument_list
    .
    [
      (simple_symbol) @name
      (string) @name
      (pair key: [(simple_symbol) (hash_key_symbol) (string)] @name)])) @unit.rule
  (#any-of? @_task "task" "multitask"))

; Members: constants of a class, attributes, and what methods assign to `@name`.
(assignment left: (constant) @name) @member.constant
((call
  method: (identifier) @_attr
  arguments: (argument_list [(simple_symbol) (string)] @name @member.field))
  (#any-of? @_attr "attr_reader" "attr_writer" "attr_accessor" "cattr_accessor" "mattr_accessor"
    "class_attribute"))
((assignment
  right: (call
    receiver: (constant) @_maker
    method: (identifier) @_make
    arguments: (argument_list (simple_symbol) @name @member.field)))
  (#any-of? @_maker "Struct" "Data")
  (#any-of? @_make "new" "define"))
(assignment left: [(instance_variable) (class_variable)] @name) @assigned.field
(assignment
  left: (left_assignment_list [(instance_variable) (class_variable)] @name @assigned.field))
(operator_assignment
  left: [(instance_variable) (class_variable)] @name
  operator: "||=") @assigned.field
