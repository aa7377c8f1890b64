"""Facts of a C or C++ repository, by libclang.

    python3 c.py ROOT SKIP -- FLAGS... -- FILE... > facts.jsonl

SKIP is a folder of the flags' own files (or `-`). Lines that the preprocessor
leaves out, bodies of macros and bodies of templates are not looked into: they
are blind. A header is read once, as the first file that includes it sees it.
"""

import collections
import ctypes
import json
import os
import re
import sys

from clang import cindex
from clang.cindex import CursorKind as K

TYPES = {K.STRUCT_DECL, K.UNION_DECL, K.ENUM_DECL, K.CLASS_DECL, K.CLASS_TEMPLATE,
         K.TYPEDEF_DECL, K.TYPE_ALIAS_DECL, K.TYPE_ALIAS_TEMPLATE_DECL}
KINDS = {
    K.FUNCTION_DECL: "function", K.FUNCTION_TEMPLATE: "function", K.CXX_METHOD: "method",
    K.CONVERSION_FUNCTION: "constructor", K.CONSTRUCTOR: "constructor", K.DESTRUCTOR: "constructor",
    K.FIELD_DECL: "field", K.ENUM_CONSTANT_DECL: "variant", K.VAR_DECL: "constant",
    K.PARM_DECL: "local", K.TEMPLATE_TYPE_PARAMETER: "local", K.MACRO_DEFINITION: "constant",
    **dict.fromkeys(TYPES, "type"),
}
REFS = {K.DECL_REF_EXPR, K.MEMBER_REF_EXPR, K.TYPE_REF, K.MEMBER_REF, K.TEMPLATE_REF,
        K.MACRO_INSTANTIATION, K.OVERLOADED_DECL_REF, K.CXX_BASE_SPECIFIER}
BODIES = {K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.FUNCTION_TEMPLATE,
          K.CONVERSION_FUNCTION, K.LAMBDA_EXPR}


class RangeList(ctypes.Structure):
    _fields_ = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(cindex.SourceRange))]


def emit(**fact):
    print(json.dumps({k: v for k, v in fact.items() if v not in (None, False)}))


class Reader:
    def __init__(self, root):
        self.root = os.path.realpath(root)
        self.lines = {}
        self.done, self.blind = set(), collections.defaultdict(list)
        self.defs, self.families, self.refs = collections.defaultdict(dict), set(), set()
        self.calls, self.unknown, self.imports = set(), set(), set()
        self.given = set()
        cindex.conf.lib.clang_getAllSkippedRanges.restype = ctypes.POINTER(RangeList)
        self.index = cindex.Index.create()

    def short(self, name):
        full = os.path.realpath(name)
        inside = full.startswith(self.root + os.sep)
        return os.path.relpath(full, self.root) if inside else None

    def place(self, location):
        """Where the text stands: in a file, or in what a macro is given."""
        file, line, column, offset = (ctypes.c_void_p(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint())
        handle = cindex.c_object_p()
        cindex.conf.lib.clang_getFileLocation(
            location, ctypes.byref(handle), ctypes.byref(line), ctypes.byref(column), ctypes.byref(offset)
        )
        if not handle:
            return None
        path = self.short(str(cindex.File(handle).name))
        return (path, line.value, column.value) if path else None

    def stands(self, name, place):
        path, line, column = place
        if path not in self.lines:
            with open(os.path.join(self.root, path), "rb") as file:
                self.lines[path] = [row.decode("latin-1") for row in file.read().split(b"\n")]
        rows = self.lines[path]
        return line <= len(rows) and re.match(rf"{re.escape(name)}\b", rows[line - 1][column - 1 :])

    def read(self, file, flags):
        options = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        unit = self.index.parse(os.path.join(self.root, file), args=flags, options=options)
        errors = [d for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
        if errors:
            print(f"{file}: {errors[0]}", file=sys.stderr)
            return
        here = set()
        for cursor in unit.cursor.get_children():
            if not cursor.location.file:
                continue
            path = self.short(str(cursor.location.file.name))
            if path is None or path in self.done:
                continue
            here.add(path)
            self.visit(cursor, None, False)
        here.add(file)
        self.skipped(unit, here)
        self.done |= here

    def skipped(self, unit, here):
        found = cindex.conf.lib.clang_getAllSkippedRanges(unit)
        for at in range(found.contents.count):
            extent = found.contents.ranges[at]
            path = extent.start.file and self.short(str(extent.start.file.name))
            if path in here:
                self.blind[path].append([extent.start.line, extent.end.line])

    def visit(self, cursor, owner, local):
        kind = cursor.kind
        if kind in KINDS:
            self.define(cursor, owner, local)
        if kind in REFS:
            self.refer(cursor)
        if kind == K.INCLUSION_DIRECTIVE:
            file = cindex.conf.lib.clang_getIncludedFile(cursor)
            path, line, _ = self.place(cursor.location)
            self.imports.add((path, line, file and self.short(str(file.name))))
        if kind == K.CALL_EXPR:
            self.call(cursor)
        if kind == K.MACRO_DEFINITION:
            self.blind_body(cursor)
        if kind == K.MACRO_INSTANTIATION and cursor.extent.end.column - cursor.extent.start.column != len(cursor.spelling):
            path = self.short(str(cursor.location.file.name))
            self.given.update((path, n) for n in range(cursor.extent.start.line, cursor.extent.end.line + 1))
        if kind in (K.FUNCTION_TEMPLATE, K.CLASS_TEMPLATE):
            self.blind_body(cursor)
        if kind in TYPES and cursor.spelling and "(" not in cursor.spelling:
            owner = cursor.spelling
        local = local or kind in BODIES
        for child in cursor.get_children():
            self.visit(child, owner, local)

    def blind_body(self, cursor):
        extent = cursor.extent
        path = self.short(str(extent.start.file.name))
        self.blind[path].append([extent.start.line, extent.end.line])

    def define(self, cursor, owner, local):
        name, kind = cursor.spelling, KINDS[cursor.kind]
        at = self.place(cursor.location)
        if name.startswith("~") and at:
            name, at = name[1:], (at[0], at[1], at[2] + 1)
        if not name or "(" in name or at is None or not self.stands(name, at):
            return
        if cursor.kind in (K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.FIELD_DECL):
            parent = cursor.semantic_parent
            owner = parent.spelling if parent.spelling and "(" not in parent.spelling else owner
        elif cursor.kind == K.ENUM_CONSTANT_DECL:
            owner = owner if cursor.semantic_parent.is_scoped_enum() else None
        elif kind == "constant" and not local and cursor.kind == K.VAR_DECL:
            parent = cursor.semantic_parent
            owner = parent.spelling if parent.kind in TYPES else None
            kind = "field" if owner else kind
        else:
            owner = None
        if cursor.kind == K.MACRO_DEFINITION:
            ident = f"macro {name}"
            whole = True
        else:
            ident = cursor.get_usr()
            declared = cursor.kind in (K.FIELD_DECL, K.ENUM_CONSTANT_DECL, K.TYPEDEF_DECL)
            declared = declared or cursor.kind == K.CXX_METHOD and cursor.is_pure_virtual_method()
            whole = cursor.is_definition() or declared
        inner = local and kind in ("constant", "local", "type", "field", "function")
        self.defs[ident].setdefault(at, dict(
            kind=kind, name=name, owner=owner, end=cursor.extent.end.line, whole=whole,
            local=inner or kind == "local" or kind == "constructor",
        ))
        if cursor.kind == K.CXX_METHOD:
            self.family(cursor, ident)

    def family(self, cursor, ident):
        step = [cursor.semantic_parent]
        while step:
            for base in step.pop().get_children():
                if base.kind != K.CXX_BASE_SPECIFIER or not base.referenced:
                    continue
                above = base.type.get_declaration()
                step.append(above)
                for member in above.get_children():
                    if member.kind == K.CXX_METHOD and member.displayname == cursor.displayname:
                        self.families.add((ident, member.get_usr()))

    def call(self, cursor):
        callee = next(cursor.get_children(), None)
        while callee is not None and callee.kind in (K.UNEXPOSED_EXPR, K.PAREN_EXPR):
            callee = next(callee.get_children(), None)
        if callee is not None:
            self.calls.add(self.place(callee.location))

    def refer(self, cursor):
        at = self.place(cursor.location)
        if at is None:
            return
        target = cursor.referenced
        if target is None or cursor.kind == K.OVERLOADED_DECL_REF:
            if cursor.spelling and self.stands(cursor.spelling, at):
                self.unknown.add((at, cursor.spelling))
            return
        name = target.spelling
        if cursor.kind == K.CXX_BASE_SPECIFIER or not name or not self.stands(name, at):
            return
        macro = cursor.kind == K.MACRO_INSTANTIATION
        ident = f"macro {name}" if macro else target.get_usr()
        if target.kind in (K.CONSTRUCTOR, K.DESTRUCTOR) and target.semantic_parent:
            ident = target.semantic_parent.get_usr()
        role = "type" if cursor.kind in (K.TYPE_REF, K.TEMPLATE_REF) else "read"
        rest = self.lines[at[0]][at[1] - 1][at[2] - 1 + len(name) :]
        self.refs.add((ident, at, "call" if macro and rest.startswith("(") else role))

    def write(self):
        for path in sorted(self.done):
            self.stands("", (path, 1, 1))
            emit(t="file", path=path, blind=self.blind[path])
        for ident, places in self.defs.items():
            whole = [at for at, d in places.items() if d["whole"]]
            for at, one in sorted(places.items()):
                extra = at not in whole
                row = {k: v for k, v in one.items() if k != "whole"}
                own = ident if at == (whole or [min(places)])[0] else f"{ident} {at}"
                emit(t="def", id=own, path=at[0], line=at[1], column=at[2], extra=extra, **row)
        for ids in sorted(self.families):
            emit(t="same", ids=ids)
        for ident, at, role in sorted(self.refs):
            if ident in self.defs:
                role = "call" if at in self.calls and role == "read" else role
                emit(t="ref", to=ident, path=at[0], line=at[1], column=at[2], role=role)
        for at, name in sorted(self.unknown):
            emit(t="unknown", path=at[0], line=at[1], name=name)
        self.write_given()
        self.write_imports()

    def write_given(self):
        """What is given to a macro may be dropped by it, and a condition of the
        preprocessor is no expression to the parser."""
        known = {(at[0], at[1], self.defs[i][min(self.defs[i])]["name"]) for i, at, _ in self.refs if i in self.defs}
        known |= {(at[0], at[1], d["name"]) for places in self.defs.values() for at, d in places.items()}
        for path in sorted(self.done):
            for line, row in enumerate(self.lines[path], 1):
                if (path, line) in self.given or re.match(r"\s*#\s*(if|el|undef)", row):
                    for name in set(re.findall(r"[^\W\d]\w*", row)):
                        if (path, line, name) not in known:
                            emit(t="unknown", path=path, line=line, name=name)

    def write_imports(self):
        seen = {(path, line) for path, line, _ in self.imports}
        for path, line, to in sorted(self.imports, key=str):
            emit(t="import", path=path, line=line, to=[to] if to else [])
        for path in sorted(self.done):
            for line, row in enumerate(self.lines[path], 1):
                if re.match(r'\s*#\s*include\s*["<]', row) and (path, line) not in seen:
                    emit(t="import", path=path, line=line, to=[], unknown=True)


def main():
    root, skip, *rest = sys.argv[1:]
    split = rest.index("--", 1)
    flags, files = rest[1:split], rest[split + 1 :]
    if skip != "-":
        flags.append(f"-I{skip}")
    reader = Reader(root)
    for file in files:
        reader.read(file, flags)
    reader.write()


if __name__ == "__main__":
    main()
