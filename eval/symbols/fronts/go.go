// Facts of a Go repository, by go/parser and go/types.
//
//	go run go.go ROOT MODULE > facts.jsonl
//
// Packages from elsewhere are empty: what is made of them has no type, and a
// name that has none is unknown.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

type fact map[string]any

type folder struct {
	path  string // the import path
	files []*ast.File
	tests []*ast.File // files of the external test package
	pkg   *types.Package
}

type reader struct {
	root, module string
	fset         *token.FileSet
	folders      map[string]*folder
	std          types.Importer
	out          *bufio.Writer
	info         *types.Info
	fakes        map[string]*types.Package
	types        []*types.Named
	interfaces   []*types.Named
}

func (r *reader) emit(f fact) {
	text, _ := json.Marshal(f)
	r.out.Write(text)
	r.out.WriteByte('\n')
}

// Import gives a package of the module, of the standard library, or an empty one.
func (r *reader) Import(path string) (*types.Package, error) {
	if in, ok := r.folders[path]; ok {
		r.check(in)
		return in.pkg, nil
	}
	if !strings.Contains(strings.Split(path, "/")[0], ".") {
		if pkg, err := r.std.Import(path); err == nil {
			return pkg, nil
		}
	}
	fake, ok := r.fakes[path]
	if !ok {
		name := path[strings.LastIndex(path, "/")+1:]
		if len(name) > 1 && name[0] == 'v' && name[1] >= '0' && name[1] <= '9' {
			rest := strings.TrimSuffix(path, "/"+name)
			name = rest[strings.LastIndex(rest, "/")+1:]
		}
		fake = types.NewPackage(path, name)
		fake.MarkComplete()
		r.fakes[path] = fake
	}
	return fake, nil
}

func (r *reader) check(in *folder) {
	if in.pkg != nil {
		return
	}
	config := types.Config{Importer: r, Error: func(error) {}, FakeImportC: true, DisableUnusedImportCheck: true}
	in.pkg = types.NewPackage(in.path, "_")
	in.pkg, _ = config.Check(in.path, r.fset, in.files, r.info)
	if len(in.tests) > 0 {
		config.Check(in.path+"_test", r.fset, in.tests, r.info)
	}
}

func (r *reader) short(pos token.Pos) (string, int, int) {
	at := r.fset.Position(pos)
	path, _ := filepath.Rel(r.root, at.Filename)
	return path, at.Line, at.Column
}

func (r *reader) load() {
	filepath.Walk(r.root, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return nil
		}
		if info.IsDir() {
			name := info.Name()
			if name == "node_modules" || name == "vendor" || name == "testdata" || (strings.HasPrefix(name, ".") && path != r.root) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		file, err := parser.ParseFile(r.fset, path, nil, parser.ParseComments)
		if err != nil || other(file) {
			fmt.Fprintln(os.Stderr, "not read:", path)
			return nil
		}
		in := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(path), r.root))
		name := r.module + in
		if r.folders[name] == nil {
			r.folders[name] = &folder{path: name}
		}
		if strings.HasSuffix(file.Name.Name, "_test") && strings.HasSuffix(path, "_test.go") {
			r.folders[name].tests = append(r.folders[name].tests, file)
		} else {
			r.folders[name].files = append(r.folders[name].files, file)
		}
		return nil
	})
}

// Whether a build constraint may leave the file out.
func other(file *ast.File) bool {
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			return false
		}
		for _, comment := range group.List {
			if strings.HasPrefix(comment.Text, "//go:build") {
				return true
			}
		}
	}
	return false
}

func (r *reader) id(object types.Object) string {
	path, line, column := r.short(object.Pos())
	return fmt.Sprintf("%s:%d:%d", path, line, column)
}

// A generic's member has one declaration, whatever it is made with.
func origin(object types.Object) types.Object {
	switch it := object.(type) {
	case *types.Func:
		return it.Origin()
	case *types.Var:
		return it.Origin()
	}
	return object
}

func (r *reader) inside(object types.Object) bool {
	if object == nil || !object.Pos().IsValid() {
		return false
	}
	return strings.HasPrefix(r.fset.Position(object.Pos()).Filename, r.root+"/")
}

// What kind a definition is and whether it is local to a function.
func kindOf(object types.Object) (string, bool) {
	top := object.Pkg() != nil && object.Parent() == object.Pkg().Scope()
	switch it := object.(type) {
	case *types.Func:
		if it.Type().(*types.Signature).Recv() != nil {
			return "method", false
		}
		return "function", false
	case *types.TypeName:
		return "type", !top
	case *types.Const:
		return "constant", !top
	case *types.Var:
		if it.IsField() {
			return "field", false
		}
		return "constant", !top
	}
	return "local", true
}

func (r *reader) file(file *ast.File) {
	path, _, _ := r.short(file.Package)
	r.emit(fact{"t": "file", "path": path})
	for _, one := range file.Imports {
		name, _ := strconv.Unquote(one.Path.Value)
		_, line, _ := r.short(one.Pos())
		to := []string{}
		if _, ok := r.folders[name]; ok {
			to = append(to, strings.TrimPrefix(strings.TrimPrefix(name, r.module), "/")+"/")
		}
		r.emit(fact{"t": "import", "path": path, "line": line, "to": to})
	}
	calls := map[token.Pos]bool{}
	owners, ends := map[token.Pos]string{}, map[token.Pos]token.Pos{}
	written := map[token.Pos]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		switch it := node.(type) {
		case *ast.CallExpr:
			calls[last(it.Fun)] = true
		case *ast.FuncDecl:
			ends[it.Name.Pos()] = it.End()
			if it.Recv != nil && len(it.Recv.List) > 0 {
				owners[it.Name.Pos()] = nameOf(it.Recv.List[0].Type)
			}
		case *ast.TypeSpec:
			ends[it.Name.Pos()] = it.End()
			own(it.Type, it.Name.Name, owners)
		case *ast.AssignStmt:
			for _, left := range it.Lhs {
				written[last(left)] = true
			}
		}
		return true
	})
	ast.Inspect(file, func(node ast.Node) bool {
		name, ok := node.(*ast.Ident)
		if ok && name != file.Name {
			r.name(name, calls, written, owners, ends)
		}
		return true
	})
}

// The fields and methods of a type belong to it; those of a type without a
// name, inside of it, to nobody.
func own(node ast.Expr, owner string, owners map[token.Pos]string) {
	var list *ast.FieldList
	switch it := node.(type) {
	case *ast.StructType:
		list = it.Fields
	case *ast.InterfaceType:
		list = it.Methods
	default:
		return
	}
	for _, field := range list.List {
		for _, name := range field.Names {
			owners[name.Pos()] = owner
		}
	}
}

func nameOf(node ast.Expr) string {
	switch it := node.(type) {
	case *ast.StarExpr:
		return nameOf(it.X)
	case *ast.IndexExpr:
		return nameOf(it.X)
	case *ast.IndexListExpr:
		return nameOf(it.X)
	case *ast.Ident:
		return it.Name
	}
	return ""
}

func last(node ast.Expr) token.Pos {
	switch it := node.(type) {
	case *ast.SelectorExpr:
		return it.Sel.Pos()
	case *ast.IndexExpr:
		return last(it.X)
	case *ast.IndexListExpr:
		return last(it.X)
	case *ast.ParenExpr:
		return last(it.X)
	}
	return node.Pos()
}

func (r *reader) name(name *ast.Ident, calls, written map[token.Pos]bool, owners map[token.Pos]string, ends map[token.Pos]token.Pos) {
	path, line, column := r.short(name.Pos())
	if object := r.info.Defs[name]; object != nil {
		r.define(name, object, owners, ends)
	}
	object := r.info.Uses[name]
	if object == nil {
		if r.info.Defs[name] == nil && name.Name != "_" {
			r.emit(fact{"t": "unknown", "path": path, "line": line, "name": name.Name})
		}
		return
	}
	object = origin(object)
	if !r.inside(object) {
		return
	}
	if _, ok := object.(*types.PkgName); ok {
		return
	}
	role := "read"
	if calls[name.Pos()] {
		role = "call"
	} else if _, ok := object.(*types.TypeName); ok {
		role = "type"
	} else if written[name.Pos()] {
		role = "write"
	}
	r.emit(fact{"t": "ref", "to": r.id(object), "path": path, "line": line, "column": column, "role": role})
}

func (r *reader) define(name *ast.Ident, object types.Object, owners map[token.Pos]string, ends map[token.Pos]token.Pos) {
	if _, ok := object.(*types.PkgName); ok || name.Name == "_" {
		return
	}
	path, line, column := r.short(name.Pos())
	kind, local := kindOf(object)
	owner := owners[name.Pos()]
	if kind == "field" && owner == "" {
		local = true
	}
	f := fact{"t": "def", "id": r.id(object), "kind": kind, "name": name.Name, "path": path, "line": line, "column": column, "local": local}
	if owner != "" {
		f["owner"] = owner
	}
	if end, ok := ends[name.Pos()]; ok {
		_, f["end"], _ = r.short(end)
	}
	r.emit(f)
	if named, ok := object.Type().(*types.Named); ok && kind == "type" {
		if types.IsInterface(named) {
			r.interfaces = append(r.interfaces, named)
		} else {
			r.types = append(r.types, named)
		}
	}
}

// A method that makes its type fit an interface is one with that of the interface.
func (r *reader) families() {
	for _, wanted := range r.interfaces {
		below, _ := wanted.Underlying().(*types.Interface)
		for _, named := range r.types {
			if below == nil || below.NumMethods() == 0 || !types.Implements(types.NewPointer(named), below) {
				continue
			}
			for at := 0; at < below.NumMethods(); at++ {
				method := below.Method(at)
				found, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, method.Pkg(), method.Name())
				if found != nil && r.inside(found) && r.inside(method) && found != method {
					r.emit(fact{"t": "same", "ids": []string{r.id(origin(found)), r.id(origin(method))}})
				}
			}
		}
	}
}

func main() {
	root, _ := filepath.Abs(os.Args[1])
	root, _ = filepath.EvalSymlinks(root)
	fset := token.NewFileSet()
	r := &reader{
		root: root, module: os.Args[2], fset: fset, folders: map[string]*folder{}, fakes: map[string]*types.Package{},
		std: importer.ForCompiler(fset, "source", nil), out: bufio.NewWriter(os.Stdout),
		info: &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}},
	}
	defer r.out.Flush()
	r.load()
	var names []string
	for name := range r.folders {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		r.check(r.folders[name])
	}
	for _, name := range names {
		for _, file := range append(r.folders[name].files, r.folders[name].tests...) {
			r.file(file)
		}
	}
	r.families()
}
