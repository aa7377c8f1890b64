; What describes the document, and what becomes part of it.
(doctypedecl (ExternalID (SystemLiteral (URI) @import)) (#not-match? @import "^[a-z]+:"))
