(exprCall entity: (identifier) @call)
(exprCall entity: (exprDot rhs: (identifier) @call))
(exprCall entity: (exprTpl entity: (identifier) @call))
; A call without arguments has no parentheses.
(statement (identifier) @call)
(statement (exprDot rhs: (identifier) @call))
(inherited (identifier) @call)

(type (typeref (identifier) @type))
(type (typeref (typerefTpl entity: (identifier) @type)))
(type (typeref (typerefDot rhs: (identifier) @type)))
(type (typeref (typerefPtr operand: (identifier) @type)))
(typerefArgs (identifier) @type)
(declProc type: (typeref (identifier) @type))
(declProc type: (typeref (typerefTpl entity: (identifier) @type)))
(declMetaClass (typeref (identifier) @type))

(declClass parent: (typeref (identifier) @inherit))
(declClass parent: (typeref (typerefTpl entity: (identifier) @inherit)))
(declIntf parent: (typeref (identifier) @inherit))
(declHelper (typeref (identifier) @inherit))

(declUses (moduleName) @import)
