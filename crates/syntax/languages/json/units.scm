(comment) @comment

; Objects in objects, not those in arrays: data would fall apart into a unit
; for each of its records. An object on one line stays where it is.
(document (object
  (pair key: (string) @name value: (object) @_value @body
    (#match? @_value "\n")) @unit.config))
(document (object (pair value: (object
  (pair key: (string) @name value: (object) @_value @body
    (#match? @_value "\n")) @unit.config))))
(document (object (pair value: (object (pair value: (object
  (pair key: (string) @name value: (object) @_value @body
    (#match? @_value "\n")) @unit.config))))))
(document (object (pair value: (object (pair value: (object (pair value: (object
  (pair key: (string) @name value: (object) @_value @body
    (#match? @_value "\n")) @unit.config))))))))
