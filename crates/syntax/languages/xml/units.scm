(Comment) @comment

; Elements with a name of their own, wherever they are. One on a single line
; stays where it is.
((element
  (STag
    (Name) @name
    (Attribute (Name) @_key (AttValue) @name)) @head) @_whole @unit.config
  (#any-of? @_key "id" "name" "key" "Name" "Key" "x:Name" "x:Key" "xml:id" "android:id" "android:name" "Include" "match")
  (#match? @_whole "\n"))
((element
  (STag (Name) @name @_tag) @head
  (content
    (element (STag (Name) @_key) (content . (CharData) @name .)))) @unit.config
  (#not-eq? @_tag "project")
  (#eq? @_key "artifactId"))

; The parts of the whole.
((document
  root: (element
    (content
      (element (STag . (Name) @name) @head) @_whole @unit.config)))
  (#match? @_whole "\n"))
