(comment) @comment
; `type` and its like stand on a line of their own before the first of them.
(declTypes (kType) @attribute)
(declConsts (kConst) @attribute)
(declConsts (kResourcestring) @attribute)
(declVars (kVar) @attribute)

; What is only announced is no definition.
(declType type: (declClass . (kClass) .)) @attribute
(declType type: (declIntf . (kInterface) .)) @attribute

(unit (moduleName) @name) @unit.module
(program (moduleName) @name) @unit.module
(library (moduleName) @name) @unit.module

; Only what has a body; what is announced in an interface or a class stays there.
(defProc header: (declProc name: [(identifier) (genericTpl) (operatorName)] @name) . (_) @body) @unit.function
(defProc header: (declProc name: (genericDot) @name) . (_) @body) @unit.method
(declProc name: (identifier) @name (procExternal)) @unit.function

; The name goes without type parameters. A class without an end is only announced, unless it has a parent.
(declType name: [(identifier) @name (genericTpl entity: (identifier) @name)] @head type: (declClass (kClass) (kEnd))) @unit.class
(declType name: [(identifier) @name (genericTpl entity: (identifier) @name)] @head type: (declClass (kClass) parent: (typeref) .)) @unit.class
(declType name: [(identifier) @name (genericTpl entity: (identifier) @name)] @head type: (declClass (kObject) (kEnd))) @unit.class
(declType name: [(identifier) @name (genericTpl entity: (identifier) @name)] @head type: (declClass (kRecord))) @unit.struct
(declType name: [(identifier) @name (genericTpl entity: (identifier) @name)] @head type: (declHelper)) @unit.class
(declType name: [(identifier) @name (genericTpl entity: (identifier) @name)] @head type: (declIntf (kEnd))) @unit.interface
(declType name: [(identifier) @name (genericTpl entity: (identifier) @name)] @head type: (type (declEnum))) @unit.enum
(declType
  name: [(identifier) @name (genericTpl entity: (identifier) @name)] @head
  type: (type [(typeref) (declArray) (declFile) (declMetaClass) (declProcRef) (declSet) (declString)])) @unit.type

; Constants and variables outside of procedures and types.
[
  (interface (declConsts (declConst name: (identifier) @name) @unit.constant))
  (implementation (declConsts (declConst name: (identifier) @name) @unit.constant))
  (program (declConsts (declConst name: (identifier) @name) @unit.constant))
  (library (declConsts (declConst name: (identifier) @name) @unit.constant))
  (root (declConsts (declConst name: (identifier) @name) @unit.constant))
]
[
  (interface (declVars (declVar . name: (identifier) @name) @unit.constant))
  (implementation (declVars (declVar . name: (identifier) @name) @unit.constant))
  (program (declVars (declVar . name: (identifier) @name) @unit.constant))
  (library (declVars (declVar . name: (identifier) @name) @unit.constant))
  (root (declVars (declVar . name: (identifier) @name) @unit.constant))
]

; Members.
(declField name: (identifier) @name) @member.field
(declProp name: (identifier) @name) @member.field
(declEnumValue name: (identifier) @name) @member.variant
