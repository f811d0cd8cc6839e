// Prints which method of a Go program handles each operation of its generated server interfaces, one JSON object a line.
//
// The types come from go/types; packages outside the tree and the standard library are empty, which the methods of
// generated interfaces do not need. A handler is the method that a value has whose type is converted to the interface
// in code that is neither generated nor of tests: passed, assigned, returned. Operations are read from generated code:
// the names in the service descriptors of gRPC, and the comments `(GET /path)` of the interfaces of oapi-codegen.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

type module struct{ path, dir string }

type program struct {
	root     string
	fset     *token.FileSet
	modules  []module
	packages map[string]*loaded
	std      types.Importer
}

type loaded struct {
	pkg   *types.Package
	files []*ast.File
	info  *types.Info
}

var generated = regexp.MustCompile(`^// Code generated .* DO NOT EDIT\.$`)

func isGenerated(file *ast.File) bool {
	for _, group := range file.Comments {
		if group.Pos() > file.Package {
			break
		}
		for _, one := range group.List {
			if generated.MatchString(one.Text) {
				return true
			}
		}
	}
	return false
}

func main() {
	root, err := filepath.Abs(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fset := token.NewFileSet()
	build.Default.CgoEnabled = false
	of := &program{root: root, fset: fset, packages: map[string]*loaded{}, std: importer.ForCompiler(fset, "source", nil)}
	of.findModules()
	for _, one := range of.modules {
		of.load(one)
	}
	of.print()
}

func (of *program) findModules() {
	line := regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)"?`)
	filepath.WalkDir(of.root, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		name := entry.Name()
		if entry.IsDir() && path != of.root && (name == "vendor" || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
			return filepath.SkipDir
		}
		if name == "go.mod" {
			text, err := os.ReadFile(path)
			if found := line.FindSubmatch(text); err == nil && found != nil {
				of.modules = append(of.modules, module{string(found[1]), filepath.Dir(path)})
			}
		}
		return nil
	})
	// The longest path first: a nested module wins.
	sort.Slice(of.modules, func(a, b int) bool { return len(of.modules[a].path) > len(of.modules[b].path) })
}

// load loads all packages of a module.
func (of *program) load(one module) {
	filepath.WalkDir(one.dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return nil
		}
		name := entry.Name()
		if path != one.dir && (name == "vendor" || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
			return filepath.SkipDir
		}
		if path != one.dir {
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				return filepath.SkipDir
			}
		}
		relative, _ := filepath.Rel(one.dir, path)
		importPath := one.path
		if relative != "." {
			importPath += "/" + filepath.ToSlash(relative)
		}
		of.Import(importPath)
		return nil
	})
}

func (of *program) folder(path string) string {
	for _, one := range of.modules {
		if path == one.path {
			return one.dir
		}
		if rest, ok := strings.CutPrefix(path, one.path+"/"); ok {
			dir := filepath.Join(one.dir, filepath.FromSlash(rest))
			if _, err := os.Stat(dir); err == nil {
				return dir
			}
		}
	}
	return ""
}

// Import returns a package: of the tree with its syntax, of the standard library with its types, else an empty one.
func (of *program) Import(path string) (*types.Package, error) {
	if known := of.packages[path]; known != nil {
		return known.pkg, nil
	}
	empty := types.NewPackage(path, filepath.Base(path))
	empty.MarkComplete()
	of.packages[path] = &loaded{pkg: empty}
	dir := of.folder(path)
	if dir == "" {
		if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
			if pkg, err := of.std.Import(path); err == nil {
				of.packages[path] = &loaded{pkg: pkg}
				return pkg, nil
			}
		}
		return empty, nil
	}
	entries, _ := os.ReadDir(dir)
	var files []*ast.File
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if fits, err := build.Default.MatchFile(dir, name); err != nil || !fits {
			continue
		}
		file, _ := parser.ParseFile(of.fset, filepath.Join(dir, name), nil, parser.ParseComments)
		if file != nil && (len(files) == 0 || files[0].Name.Name == file.Name.Name) {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return empty, nil
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	config := types.Config{Importer: of, Error: func(error) {}, FakeImportC: true}
	pkg, _ := config.Check(path, of.fset, files, info)
	if pkg == nil {
		return empty, nil
	}
	pkg.MarkComplete()
	of.packages[path] = &loaded{pkg, files, info}
	return pkg, nil
}

// A server interface: the operation of each of its methods.
type server struct {
	of         *types.Named
	operations map[string]string
}

// servers returns the generated server interfaces of a package.
func (of *program) servers(one *loaded) []server {
	var found []server
	named := func(name string) *types.Named {
		object := one.pkg.Scope().Lookup(name)
		if object == nil {
			return nil
		}
		named, _ := object.Type().(*types.Named)
		if named == nil || !types.IsInterface(named) {
			return nil
		}
		return named
	}
	comment := regexp.MustCompile(`^// \(([A-Z]+) (/\S*)\)$`)
	for _, file := range one.files {
		if !isGenerated(file) {
			continue
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.CompositeLit:
				// grpc.ServiceDesc{ServiceName: "p.S", HandlerType: (*SServer)(nil), Methods: []grpc.MethodDesc{{MethodName: "M"}}}
				fields := map[string]ast.Expr{}
				for _, element := range node.Elts {
					if pair, ok := element.(*ast.KeyValueExpr); ok {
						if key, ok := pair.Key.(*ast.Ident); ok {
							fields[key.Name] = pair.Value
						}
					}
				}
				name, handler := text(fields["ServiceName"]), fields["HandlerType"]
				if name == "" || handler == nil {
					return true
				}
				var of *types.Named
				ast.Inspect(handler, func(node ast.Node) bool {
					if ident, ok := node.(*ast.Ident); ok && of == nil {
						of = named(ident.Name)
					}
					return true
				})
				if of == nil {
					return true
				}
				operations := map[string]string{}
				for _, list := range []string{"Methods", "Streams"} {
					literal, _ := fields[list].(*ast.CompositeLit)
					if literal == nil {
						continue
					}
					for _, element := range literal.Elts {
						row, _ := element.(*ast.CompositeLit)
						if row == nil {
							continue
						}
						for _, element := range row.Elts {
							pair, _ := element.(*ast.KeyValueExpr)
							if pair == nil {
								continue
							}
							if key, ok := pair.Key.(*ast.Ident); ok && (key.Name == "MethodName" || key.Name == "StreamName") {
								operations[text(pair.Value)] = "POST /" + name + "/" + text(pair.Value)
							}
						}
					}
				}
				found = append(found, server{of, operations})
				return false
			case *ast.TypeSpec:
				literal, ok := node.Type.(*ast.InterfaceType)
				if !ok {
					return true
				}
				operations := map[string]string{}
				for _, field := range literal.Methods.List {
					if field.Doc == nil || len(field.Names) != 1 {
						continue
					}
					for _, line := range field.Doc.List {
						if read := comment.FindStringSubmatch(line.Text); read != nil {
							operations[field.Names[0].Name] = read[1] + " " + read[2]
						}
					}
				}
				if of := named(node.Name.Name); of != nil && len(operations) > 0 {
					found = append(found, server{of, operations})
				}
			}
			return true
		})
	}
	return found
}

func text(expr ast.Expr) string {
	literal, ok := expr.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return ""
	}
	return strings.Trim(literal.Value, "\"`")
}

// conversions calls visit with each expression of hand-written code and the type it is converted to.
func (of *program) conversions(one *loaded, visit func(from types.Type, to types.Type)) {
	convert := func(expr ast.Expr, to types.Type) {
		if from := one.info.TypeOf(expr); from != nil && to != nil {
			visit(from, to)
		}
	}
	for _, file := range one.files {
		if isGenerated(file) {
			continue
		}
		var results []*types.Tuple
		var walk func(node ast.Node) bool
		walk = func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.FuncDecl:
				if node.Body == nil {
					return false
				}
				if signature, ok := types.Unalias(one.info.Defs[node.Name].Type()).(*types.Signature); ok {
					results = append(results, signature.Results())
					ast.Inspect(node.Body, walk)
					results = results[:len(results)-1]
				}
				return false
			case *ast.FuncLit:
				if signature, ok := one.info.TypeOf(node).(*types.Signature); ok {
					results = append(results, signature.Results())
					ast.Inspect(node.Body, walk)
					results = results[:len(results)-1]
				}
				return false
			case *ast.ReturnStmt:
				if len(results) == 0 {
					return true
				}
				last := results[len(results)-1]
				if len(node.Results) == last.Len() {
					for at, expr := range node.Results {
						convert(expr, last.At(at).Type())
					}
				}
			case *ast.AssignStmt:
				if len(node.Lhs) == len(node.Rhs) {
					for at, expr := range node.Rhs {
						if name, ok := node.Lhs[at].(*ast.Ident); !ok || name.Name != "_" {
							convert(expr, one.info.TypeOf(node.Lhs[at]))
						}
					}
				}
			case *ast.ValueSpec:
				if node.Type != nil {
					for at, expr := range node.Values {
						if at < len(node.Names) && node.Names[at].Name != "_" {
							convert(expr, one.info.TypeOf(node.Type))
						}
					}
				}
			case *ast.CompositeLit:
				for _, element := range node.Elts {
					if pair, ok := element.(*ast.KeyValueExpr); ok {
						if key, ok := pair.Key.(*ast.Ident); ok && one.info.Uses[key] != nil {
							convert(pair.Value, one.info.Uses[key].Type())
						}
					}
				}
			case *ast.CallExpr:
				called := one.info.Types[node.Fun]
				if called.IsType() {
					if len(node.Args) == 1 {
						convert(node.Args[0], called.Type)
					}
					return true
				}
				signature, ok := called.Type.(*types.Signature)
				if !ok {
					return true
				}
				for at, expr := range node.Args {
					last := signature.Params().Len() - 1
					if at < last || at == last && !signature.Variadic() {
						convert(expr, signature.Params().At(at).Type())
					}
				}
			}
			return true
		}
		ast.Inspect(file, walk)
	}
}

type handler struct {
	File string `json:"file"`
	Name string `json:"name"`
}

type verdict struct {
	Operation string    `json:"operation"`
	Interface string    `json:"interface"`
	Handlers  []handler `json:"handlers"`
}

func (of *program) print() {
	var servers []server
	for _, one := range of.packages {
		if one.info != nil {
			servers = append(servers, of.servers(one)...)
		}
	}
	converted := map[*types.Named]map[types.Type]bool{}
	for _, one := range servers {
		converted[one.of] = map[types.Type]bool{}
	}
	for _, one := range of.packages {
		if one.info == nil {
			continue
		}
		of.conversions(one, func(from, to types.Type) {
			target, _ := types.Unalias(to).(*types.Named)
			if set, ok := converted[target]; ok && !types.IsInterface(from) {
				if basic, ok := from.(*types.Basic); !ok || basic.Kind() != types.UntypedNil {
					set[from] = true
				}
			}
		})
	}
	out := json.NewEncoder(os.Stdout)
	for _, one := range servers {
		for method, operation := range one.operations {
			found := verdict{Operation: operation, Interface: one.of.String(), Handlers: []handler{}}
			seen := map[handler]bool{}
			for from := range converted[one.of] {
				object, _, _ := types.LookupFieldOrMethod(from, true, one.of.Obj().Pkg(), method)
				function, ok := object.(*types.Func)
				if !ok {
					continue
				}
				place := of.fset.Position(function.Pos())
				relative, err := filepath.Rel(of.root, place.Filename)
				receiver := function.Type().(*types.Signature).Recv()
				if err != nil || receiver == nil || types.IsInterface(receiver.Type()) || of.isOfGenerated(function) {
					continue
				}
				name := types.TypeString(receiver.Type(), func(*types.Package) string { return "" })
				name = strings.TrimPrefix(name, "*")
				if at := strings.IndexByte(name, '['); at >= 0 {
					name = name[:at]
				}
				one := handler{filepath.ToSlash(relative), name + "." + method}
				if !seen[one] {
					seen[one] = true
					found.Handlers = append(found.Handlers, one)
				}
			}
			sort.Slice(found.Handlers, func(a, b int) bool {
				return fmt.Sprint(found.Handlers[a]) < fmt.Sprint(found.Handlers[b])
			})
			out.Encode(found)
		}
	}
}

func (of *program) isOfGenerated(function *types.Func) bool {
	one := of.packages[function.Pkg().Path()]
	if one == nil {
		return false
	}
	for _, file := range one.files {
		if file.FileStart <= function.Pos() && function.Pos() < file.FileEnd {
			return isGenerated(file)
		}
	}
	return false
}
