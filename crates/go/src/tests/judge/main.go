// judge compares what the fixtures of codeweft-go say with go/types.
//
//	CODEWEFT_FIXTURES=/tmp/fixtures cargo test -p codeweft-go tests::
//	go run . /tmp/fixtures [name…]
//
// A fixture's folder holds its files (w/ is module m, goroot/ the library) and ours.tsv: one line
// a fact, tab separated.
//
//	use   place of the token   place of the declaration
//	open  place of the token   reason
//	impl  place of the type    place of the interface   value|pointer   type args   interface args
//	type  name                 printed type
package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

type pack struct {
	path  string
	dir   string
	files []*ast.File
	info  *types.Info
	types *types.Package
	test  *pack // with its tests
	base  *pack
	busy  bool
}

type judge struct {
	root  string
	fset  *token.FileSet
	packs map[string]*pack
	std   types.Importer
	errs  []string
}

func (j *judge) at(p token.Pos) string {
	if !p.IsValid() {
		return "?"
	}
	q := j.fset.Position(p)
	f, err := filepath.Rel(j.root, q.Filename)
	if err != nil || strings.HasPrefix(f, "..") {
		return "?"
	}
	return fmt.Sprintf("%s:%d:%d", f, q.Line, q.Column)
}

type imp struct {
	j    *judge
	unit *pack
}

func (i imp) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if i.unit.base != nil && i.unit.base.path == path {
		return i.j.check(i.unit.base.test).types, nil
	}
	if p := i.j.packs[path]; p != nil {
		if p.busy {
			return nil, fmt.Errorf("import cycle")
		}
		return i.j.check(p).types, nil
	}
	return i.j.std.Import(path)
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Instances: map[*ast.Ident]types.Instance{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
}

func (j *judge) check(p *pack) *pack {
	if p.types != nil {
		return p
	}
	p.info = newInfo()
	cfg := types.Config{Importer: imp{j, p}, FakeImportC: true, GoVersion: "go1.26",
		Sizes: types.SizesFor("gc", "amd64"),
		Error: func(e error) {
			if t, ok := e.(types.Error); !ok || !t.Soft {
				j.errs = append(j.errs, e.Error())
			}
		}}
	p.busy = true
	defer func() { p.busy = false }()
	p.types, _ = cfg.Check(p.path, j.fset, p.files, p.info)
	return p
}

func load(root string) *judge {
	j := &judge{root: root, fset: token.NewFileSet(), packs: map[string]*pack{}}
	j.std = importer.ForCompiler(j.fset, "source", nil)
	ctx := build.Default
	ctx.CgoEnabled = false
	type group struct{ base, in, x []*ast.File }
	groups := map[string]*group{}
	filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		dir := filepath.Dir(path)
		if ok, _ := ctx.MatchFile(dir, filepath.Base(path)); !ok {
			return nil
		}
		f, err := parser.ParseFile(j.fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			j.errs = append(j.errs, err.Error())
		}
		g := groups[dir]
		if g == nil {
			g = &group{}
			groups[dir] = g
		}
		switch {
		case !strings.HasSuffix(path, "_test.go"):
			g.base = append(g.base, f)
		case strings.HasSuffix(f.Name.Name, "_test"):
			g.x = append(g.x, f)
		default:
			g.in = append(g.in, f)
		}
		return nil
	})
	for dir, g := range groups {
		rel, _ := filepath.Rel(root, dir)
		path := rel
		switch {
		case rel == "w":
			path = "m"
		case strings.HasPrefix(rel, "w/"):
			path = "m/" + rel[2:]
		case strings.HasPrefix(rel, "goroot/src/"):
			path = rel[len("goroot/src/"):]
		}
		b := &pack{path: path, dir: dir, files: g.base}
		b.test = b
		j.packs[path] = b
		if len(g.in) > 0 {
			b.test = &pack{path: path, dir: dir, files: append(append([]*ast.File{}, g.base...), g.in...)}
			j.packs[path+" [test]"] = b.test
		}
		if len(g.x) > 0 {
			j.packs[path+"_test"] = &pack{path: path + "_test", dir: dir, files: g.x, base: b}
		}
	}
	return j
}

func (j *judge) order() []*pack {
	var keys []string
	for k := range j.packs {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var all []*pack
	for _, k := range keys {
		all = append(all, j.check(j.packs[k]))
	}
	return all
}

func noted(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		if o.IsField() {
			return o.Origin()
		}
		if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
			return o
		}
	case *types.Const:
		if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
			return o
		}
	case *types.TypeName:
		if _, is := o.Type().(*types.TypeParam); is {
			return nil
		}
		if o.Pkg() == nil && o.Name() == "error" || o.Pkg() == types.Unsafe {
			return nil
		}
		if o.Pkg() != nil && o.IsAlias() && o.Parent() != o.Pkg().Scope() {
			return nil // local aliases make no nodes
		}
		if o.Pkg() != nil {
			return o
		}
	}
	return nil
}

func main() {
	root := os.Args[1]
	var names []string
	if len(os.Args) > 2 {
		names = os.Args[2:]
	} else {
		list, _ := os.ReadDir(root)
		for _, e := range list {
			names = append(names, e.Name())
		}
	}
	bad, facts := 0, 0
	for _, name := range names {
		lines := compare(filepath.Join(root, name), &facts)
		if len(lines) > 0 {
			bad++
			fmt.Printf("== %s\n", name)
			for _, l := range lines {
				fmt.Println("   " + l)
			}
		}
	}
	fmt.Printf("%d fixtures, %d facts, %d differ\n", len(names), facts, bad)
}

func compare(dir string, facts *int) []string {
	abs, _ := filepath.Abs(dir)
	j := load(abs)
	all := j.order()
	theirs := map[string]bool{}
	places := map[string]bool{}
	for _, p := range all {
		for id, o := range p.info.Uses {
			at := j.at(id.Pos())
			if o = noted(o); o != nil && strings.HasPrefix(at, "w/") {
				theirs["use\t"+at+"\t"+j.at(o.Pos())] = true
				places[at] = true
			}
		}
	}
	j.implements(all, theirs)
	text, _ := os.ReadFile(filepath.Join(abs, "ours.tsv"))
	ours := map[string]bool{}
	asked := map[string]bool{}
	var out []string
	for _, e := range j.errs {
		out = append(out, "!! "+strings.TrimPrefix(e, abs+"/"))
	}
	for _, line := range strings.Split(string(text), "\n") {
		cut := strings.Split(line, "\t")
		asked[cut[0]] = true
		switch cut[0] {
		case "use", "impl":
			ours[line] = true
		case "open":
			if places[cut[1]] && cut[2] != "function_value" {
				out = append(out, "open, yet known: "+line)
			}
		case "type":
			*facts++
			want := j.typeOf(cut[1], all)
			if want != cut[2] {
				out = append(out, fmt.Sprintf("type of %s: ours %s, go/types %s", cut[1], cut[2], want))
			}
		}
	}
	*facts += len(ours)
	for l := range ours {
		if !theirs[l] {
			out = append(out, "+ "+l)
		}
	}
	for l := range theirs {
		if !ours[l] {
			out = append(out, "- "+l)
		}
	}
	sort.Strings(out)
	return out
}

func (j *judge) typeOf(name string, all []*pack) string {
	for _, p := range all {
		if o := p.types.Scope().Lookup(name); o != nil {
			t := o.Type()
			if _, is := o.(*types.TypeName); is {
				if a, ok := t.(*types.Alias); ok {
					t = a.Rhs()
				} else {
					t = t.Underlying()
				}
			}
			return show(t)
		}
	}
	return "not declared"
}

// show prints a type without parameter names and without the universe's aliases.
func show(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		switch t.Name() {
		case "byte":
			return "uint8"
		case "rune":
			return "int32"
		case "Pointer":
			return "unsafe.Pointer"
		}
		return t.Name()
	case *types.Pointer:
		return "*" + show(t.Elem())
	case *types.Slice:
		return "[]" + show(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), show(t.Elem()))
	case *types.Map:
		return "map[" + show(t.Key()) + "]" + show(t.Elem())
	case *types.Chan:
		return map[types.ChanDir]string{types.SendRecv: "chan ", types.SendOnly: "chan<- ", types.RecvOnly: "<-chan "}[t.Dir()] + show(t.Elem())
	case *types.Tuple:
		var parts []string
		for i := 0; i < t.Len(); i++ {
			parts = append(parts, show(t.At(i).Type()))
		}
		return strings.Join(parts, ", ")
	case *types.Signature:
		params := show(t.Params())
		if t.Variadic() {
			var parts []string
			for i := 0; i < t.Params().Len(); i++ {
				parts = append(parts, show(t.Params().At(i).Type()))
			}
			last := len(parts) - 1
			parts[last] = "..." + strings.TrimPrefix(parts[last], "[]")
			params = strings.Join(parts, ", ")
		}
		out := "func(" + params + ")"
		switch t.Results().Len() {
		case 0:
		case 1:
			out += " " + show(t.Results())
		default:
			out += " (" + show(t.Results()) + ")"
		}
		return out
	case *types.Struct:
		var parts []string
		for i := 0; i < t.NumFields(); i++ {
			f := show(t.Field(i).Type())
			if !t.Field(i).Embedded() {
				f = t.Field(i).Name() + " " + f
			}
			parts = append(parts, f)
		}
		return "struct{" + strings.Join(parts, "; ") + "}"
	case *types.Interface:
		if t.Empty() {
			return "any"
		}
		return types.TypeString(t, func(p *types.Package) string { return p.Path() })
	case *types.Named:
		s := t.Obj().Name()
		if t.Obj().Pkg() != nil {
			s = t.Obj().Pkg().Path() + "." + s
		}
		if n := t.TypeArgs().Len(); n > 0 {
			var parts []string
			for i := 0; i < n; i++ {
				parts = append(parts, show(t.TypeArgs().At(i)))
			}
			s += "[" + strings.Join(parts, ", ") + "]"
		}
		return s
	}
	return types.TypeString(t, func(p *types.Package) string { return p.Path() })
}

type row struct {
	obj  *types.TypeName
	t    types.Type
	args string
}

func (j *judge) implements(all []*pack, out map[string]bool) {
	var concrete, interfaces []row
	add := func(tn *types.TypeName, t types.Type, args string) {
		if it, ok := t.Underlying().(*types.Interface); ok {
			if it.NumMethods() > 0 && it.IsMethodSet() {
				interfaces = append(interfaces, row{tn, t, args})
			}
			return
		}
		concrete = append(concrete, row{tn, t, args})
	}
	errT := types.Universe.Lookup("error").Type().(*types.Named)
	add(errT.Obj(), errT, "")
	seen := map[string]bool{}
	for _, p := range all {
		for _, o := range p.info.Defs {
			tn, ok := o.(*types.TypeName)
			if !ok || tn.IsAlias() {
				continue
			}
			n, ok := tn.Type().(*types.Named)
			if !ok {
				continue
			}
			if tp := n.TypeParams(); tp.Len() > 0 {
				if types.IsInterface(n) {
					continue
				}
				var args []types.Type
				for i := 0; i < tp.Len(); i++ {
					args = append(args, tp.At(i))
				}
				t, _ := types.Instantiate(nil, n, args, false)
				add(tn, t, "")
				continue
			}
			add(tn, n, "")
		}
		for _, in := range p.info.Instances {
			n, ok := types.Unalias(in.Type).(*types.Named)
			if !ok || hasParam(n, map[types.Type]bool{}) {
				continue
			}
			s := types.TypeString(n, func(p *types.Package) string { return p.Path() })
			if seen[s] {
				continue
			}
			seen[s] = true
			add(n.Origin().Obj(), n, s[strings.Index(s, "[")+1:len(s)-1])
		}
	}
	for _, i := range interfaces {
		it := i.t.Underlying().(*types.Interface)
		for _, c := range concrete {
			kind := "value"
			if !types.Implements(c.t, it) {
				if !types.Implements(types.NewPointer(c.t), it) {
					continue
				}
				kind = "pointer"
			}
			out[strings.Join([]string{"impl", j.at(c.obj.Pos()), j.at(i.obj.Pos()), kind, c.args, i.args}, "\t")] = true
		}
	}
}

func hasParam(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		for i := 0; i < t.TypeArgs().Len(); i++ {
			if hasParam(t.TypeArgs().At(i), seen) {
				return true
			}
		}
	case *types.Pointer:
		return hasParam(t.Elem(), seen)
	case *types.Slice:
		return hasParam(t.Elem(), seen)
	case *types.Array:
		return hasParam(t.Elem(), seen)
	case *types.Chan:
		return hasParam(t.Elem(), seen)
	case *types.Map:
		return hasParam(t.Key(), seen) || hasParam(t.Elem(), seen)
	case *types.Signature:
		return hasParam(t.Params(), seen) || hasParam(t.Results(), seen)
	case *types.Tuple:
		for i := 0; i < t.Len(); i++ {
			if hasParam(t.At(i).Type(), seen) {
				return true
			}
		}
	case *types.Struct:
		for i := 0; i < t.NumFields(); i++ {
			if hasParam(t.Field(i).Type(), seen) {
				return true
			}
		}
	}
	return false
}
