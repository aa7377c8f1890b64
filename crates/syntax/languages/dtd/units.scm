(Comment) @comment

(elementdecl . (Name) @name) @unit.type
(AttlistDecl . (Name) @name) @unit.type
(GEDecl . (Name) @name) @unit.constant
(PEDecl (Name) @name) @unit.constant
(NotationDecl . (Name) @name) @unit.constant
