// gocallgraph prints, as JSON lines, the call graph that golang.org/x/tools' variable type analysis
// (vta) has of one command: every call in the functions that its main and its initialisers reach,
// with what may run there.
//
// It builds what `callgraph -algo=vta` of the same module builds. Functions that the compiler makes
// (wrappers of promoted methods, bound methods, thunks, instances) are contracted to the declared
// functions that they lead to, and literals to the declared function around them.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"time"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

var (
	chdir   = flag.String("C", ".", "folder to load the command in; file names are relative to it")
	relRoot = flag.String("rel", "", "print file names relative to this folder (default: -C folder)")
	out     = flag.String("o", "-", "output file")
	tags    = flag.String("tags", "", "build tags")
)

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gocallgraph:", err)
		os.Exit(1)
	}
}

func run() (err error) {
	if flag.NArg() != 1 {
		return fmt.Errorf("one command's package, please")
	}
	base := *relRoot
	if base == "" {
		base = *chdir
	}
	if base, err = filepath.Abs(base); err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(base); err == nil {
		base = real
	}
	var w io.Writer = os.Stdout
	if *out != "-" {
		file, err := os.Create(*out)
		if err != nil {
			return err
		}
		defer func() {
			if closed := file.Close(); err == nil {
				err = closed
			}
		}()
		w = file
	}
	buffered := bufio.NewWriterSize(w, 1<<20)
	enc := json.NewEncoder(buffered)
	enc.SetEscapeHTML(false)

	t0 := time.Now()
	cfg := &packages.Config{
		Mode:       packages.LoadAllSyntax | packages.NeedModule,
		BuildFlags: []string{"-tags=" + *tags},
		Dir:        *chdir,
		Env:        append(os.Environ(), "CGO_ENABLED=0"),
	}
	initial, err := packages.Load(cfg, flag.Arg(0))
	if err != nil {
		return err
	}
	if packages.PrintErrors(initial) > 0 {
		return fmt.Errorf("packages contain errors")
	}
	if len(initial) != 1 || initial[0].Name != "main" {
		return fmt.Errorf("%s is not one command", flag.Arg(0))
	}
	prog, roots := ssautil.AllPackages(initial, ssa.InstantiateGenerics)
	prog.Build()
	t1 := time.Now()
	graph := vta.CallGraph(ssautil.AllFunctions(prog), nil)
	t2 := time.Now()

	j := newJudge(base, prog, graph, initial)
	for _, name := range []string{"init", "main"} {
		f := roots[0].Func(name)
		if f == nil {
			return fmt.Errorf("%s has no %s", flag.Arg(0), name)
		}
		j.reach(f)
	}
	for _, record := range j.records() {
		if err := enc.Encode(record); err != nil {
			return err
		}
	}
	meta := record{"k": "meta", "go": runtime.Version(), "goos": runtime.GOOS, "goarch": runtime.GOARCH,
		"main": initial[0].PkgPath, "base": base, "tags": *tags, "counts": j.counts,
		"seconds": record{"load_and_build": t1.Sub(t0).Seconds(), "vta": t2.Sub(t1).Seconds(), "total": time.Since(t0).Seconds()}}
	if err := enc.Encode(meta); err != nil {
		return err
	}
	counts, _ := json.Marshal(j.counts)
	fmt.Fprintf(os.Stderr, "gocallgraph: %s: %s; load and build %.1fs vta %.1fs total %.1fs\n",
		initial[0].PkgPath, counts, t1.Sub(t0).Seconds(), t2.Sub(t1).Seconds(), time.Since(t0).Seconds())
	return buffered.Flush()
}

type record = map[string]any

// judge turns a call graph of functions as the compiler makes them into one of declarations.
type judge struct {
	base    string
	prog    *ssa.Program
	graph   *callgraph.Graph
	deps    map[string]string // import path -> folder
	calls   map[token.Pos]call
	reached map[*ssa.Function]bool
	open    []*ssa.Function
	runs    map[*ssa.Function][]target // of functions that the compiler makes
	counts  map[string]int
}

// call is a call of the source: where it is told of, and its kind.
type call struct {
	at     token.Pos
	kind   string
	callee *types.Func
}

// target is a declaration that may run, or that holds the literal that may run.
type target struct {
	id, def string
	literal bool
}

func newJudge(base string, prog *ssa.Program, graph *callgraph.Graph, initial []*packages.Package) *judge {
	j := &judge{base: base, prog: prog, graph: graph, deps: map[string]string{}, calls: map[token.Pos]call{},
		reached: map[*ssa.Function]bool{}, runs: map[*ssa.Function][]target{}, counts: map[string]int{}}
	packages.Visit(initial, nil, func(p *packages.Package) {
		folder := ""
		if len(p.GoFiles) > 0 {
			folder = strings.TrimSuffix(j.relative(p.GoFiles[0]), filepath.Base(p.GoFiles[0]))
			folder = strings.TrimSuffix(folder, "/")
		}
		j.deps[p.PkgPath] = folder
		for _, file := range p.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok {
					if one, ok := callOf(p.TypesInfo, c); ok {
						j.calls[c.Lparen] = one
					}
				}
				return true
			})
		}
	})
	return j
}

// callOf places a call as the judge beside this one does: at the name of the callee, and at the opening
// parenthesis where it has none. Conversions and builtins are no calls.
func callOf(info *types.Info, c *ast.CallExpr) (call, bool) {
	fun := ast.Unparen(c.Fun)
	if tv, ok := info.Types[fun]; ok && (tv.IsType() || tv.IsBuiltin()) {
		return call{}, false
	}
	switch e := fun.(type) { // f[T](…)
	case *ast.IndexExpr:
		if tv := info.Types[e.Index]; tv.IsType() {
			fun = ast.Unparen(e.X)
		}
	case *ast.IndexListExpr:
		fun = ast.Unparen(e.X)
	}
	object := func(id *ast.Ident) (call, bool) {
		if f, ok := info.Uses[id].(*types.Func); ok {
			return call{id.Pos(), "static", f.Origin()}, true
		}
		return call{id.Pos(), "value", nil}, true
	}
	switch e := fun.(type) {
	case *ast.Ident:
		return object(e)
	case *ast.SelectorExpr:
		s := info.Selections[e]
		if s == nil { // pkg.F
			return object(e.Sel)
		}
		f, ok := s.Obj().(*types.Func)
		if !ok {
			return call{e.Sel.Pos(), "value", nil}, true
		}
		recv := s.Recv()
		if p, ok := types.Unalias(recv).(*types.Pointer); ok {
			recv = p.Elem()
		}
		kind := "static"
		if _, ok := types.Unalias(recv).(*types.TypeParam); ok {
			kind = "typeparam"
		} else if r := f.Signature().Recv(); r != nil && types.IsInterface(r.Type()) {
			kind = "interface"
		}
		return call{e.Sel.Pos(), kind, f.Origin()}, true
	case *ast.FuncLit:
		return call{e.Pos(), "literal", nil}, true
	}
	return call{c.Lparen, "value", nil}, true
}

// reach notes what the call graph reaches from a function.
func (j *judge) reach(from *ssa.Function) {
	j.open = append(j.open, from)
	for len(j.open) > 0 {
		f := j.open[len(j.open)-1]
		j.open = j.open[:len(j.open)-1]
		if j.reached[f] {
			continue
		}
		j.reached[f] = true
		if node := j.graph.Nodes[f]; node != nil {
			for _, edge := range node.Out {
				j.open = append(j.open, edge.Callee.Func)
			}
		}
	}
}

// declared is the declared function around a function, itself where it is one; nil for what the compiler
// makes, and for the initialiser of a package. literal says that it is a literal in there.
func declared(f *ssa.Function) (around *ssa.Function, literal bool) {
	for f.Parent() != nil {
		f, literal = f.Parent(), true
	}
	if origin := f.Origin(); origin != nil {
		f = origin
	}
	return f, literal
}

// isInitialiser says whether a function is the one that the compiler makes of a package's variables.
func isInitialiser(f *ssa.Function) bool {
	return f.Pkg != nil && f == f.Pkg.Func("init") && f.Synthetic != ""
}

// made says whether the compiler made a function that no declaration and no literal is the text of.
func made(f *ssa.Function) bool {
	around, _ := declared(f)
	if isInitialiser(around) {
		return false
	}
	if _, ok := around.Syntax().(*ast.FuncDecl); ok {
		return strings.HasPrefix(f.Synthetic, "instantiation wrapper")
	}
	// Of packages without their text, if there ever were any.
	return around.Synthetic != "" || around.Object() == nil
}

func (j *judge) target(f *ssa.Function) target {
	around, literal := declared(f)
	if isInitialiser(around) {
		return target{around.Pkg.Pkg.Path() + ".<vars>", "", literal}
	}
	name := token.NoPos
	if d, ok := around.Syntax().(*ast.FuncDecl); ok {
		name = d.Name.Pos()
	} else if around.Object() != nil {
		name = around.Object().Pos()
	}
	return target{j.id(around), j.at(name), literal}
}

// id is for reading: as the judge beside this one prints it.
func (j *judge) id(f *ssa.Function) string {
	object, _ := f.Object().(*types.Func)
	if object == nil {
		return f.String()
	}
	return funcID(object)
}

func funcID(f *types.Func) string {
	path := ""
	if f.Pkg() != nil {
		path = f.Pkg().Path() + "."
	}
	recv := f.Signature().Recv()
	if recv == nil {
		return path + f.Name()
	}
	star, t := "", types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		star, t = "*", types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok {
		return path + "interface." + f.Name()
	}
	if path = ""; named.Obj().Pkg() != nil {
		path = named.Obj().Pkg().Path() + "."
	}
	return fmt.Sprintf("(%s%s%s).%s", star, path, named.Obj().Name(), f.Name())
}

// contracted is what a function of the call graph leads to among declarations.
func (j *judge) contracted(f *ssa.Function) []target {
	if !made(f) {
		return []target{j.target(f)}
	}
	if known, ok := j.runs[f]; ok {
		return known // of one that is on its way: what it leads to is found there
	}
	j.runs[f] = nil
	all := map[target]bool{}
	if node := j.graph.Nodes[f]; node != nil {
		for _, edge := range node.Out {
			for _, one := range j.contracted(edge.Callee.Func) {
				all[one] = true
			}
		}
	}
	j.runs[f] = sorted(all)
	return j.runs[f]
}

func sorted(all map[target]bool) []target {
	list := make([]target, 0, len(all))
	for one := range all {
		list = append(list, one)
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if a.def != b.def {
			return a.def < b.def
		}
		if a.id != b.id {
			return a.id < b.id
		}
		return !a.literal && b.literal
	})
	return list
}

// site is a call in a declared function, or in a package's initialiser.
type site struct {
	caller string
	at     string
}

// records are the lines: packages, functions that are reached, and calls.
func (j *judge) records() []record {
	var all []record
	put := func(kind string, one record) {
		one["k"] = kind
		j.counts[kind]++
		all = append(all, one)
	}
	paths := make([]string, 0, len(j.deps))
	for path := range j.deps {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	for _, path := range paths {
		put("dep", record{"pkg": path, "folder": j.deps[path]})
	}

	functions := map[target]bool{}
	kinds := map[site]call{}
	callers := map[site]target{}
	runs := map[site]map[target]bool{}
	for f := range j.reached {
		if made(f) {
			continue
		}
		around := j.target(f)
		around.literal = false
		functions[around] = true
		targets := map[ssa.CallInstruction]map[target]bool{}
		if node := j.graph.Nodes[f]; node != nil {
			for _, edge := range node.Out {
				if edge.Site == nil {
					continue
				}
				if targets[edge.Site] == nil {
					targets[edge.Site] = map[target]bool{}
				}
				for _, one := range j.contracted(edge.Callee.Func) {
					targets[edge.Site][one] = true
				}
			}
		}
		for _, block := range f.Blocks {
			for _, instruction := range block.Instrs {
				c, ok := instruction.(ssa.CallInstruction)
				if !ok {
					continue
				}
				if _, ok := c.Common().Value.(*ssa.Builtin); ok {
					continue
				}
				told, ok := j.calls[c.Common().Pos()]
				if !ok { // range over a function, an initialiser's calls of others
					j.counts["implicit"]++
					continue
				}
				key := site{around.def + " " + around.id, j.at(told.at)}
				kinds[key], callers[key] = told, around
				if runs[key] == nil {
					runs[key] = map[target]bool{}
				}
				for one := range targets[c] {
					runs[key][one] = true
				}
			}
		}
	}
	for _, f := range sorted(functions) {
		put("func", record{"id": f.id, "def": f.def})
	}
	sites := make([]site, 0, len(kinds))
	for key := range kinds {
		sites = append(sites, key)
	}
	sort.Slice(sites, func(i, j int) bool {
		if sites[i].at != sites[j].at {
			return sites[i].at < sites[j].at
		}
		return sites[i].caller < sites[j].caller
	})
	for _, key := range sites {
		targets := []record{}
		for _, one := range sorted(runs[key]) {
			r := record{"id": one.id, "def": one.def}
			if one.literal {
				r["literal"] = true
			}
			targets = append(targets, r)
		}
		told := kinds[key]
		r := record{"at": key.at, "kind": told.kind, "caller": callers[key].id, "caller_def": callers[key].def, "targets": targets}
		if told.callee != nil {
			r["callee"], r["callee_def"] = funcID(told.callee), j.at(told.callee.Pos())
		}
		j.counts["site."+told.kind]++
		put("site", r)
	}
	return all
}

func (j *judge) relative(name string) string {
	if r, err := filepath.Rel(j.base, name); err == nil && r != ".." && !strings.HasPrefix(r, "../") {
		return filepath.ToSlash(r)
	}
	return name
}

func (j *judge) at(p token.Pos) string {
	if !p.IsValid() {
		return ""
	}
	q := j.prog.Fset.PositionFor(p, false)
	return fmt.Sprintf("%s:%d:%d", j.relative(q.Filename), q.Line, q.Column)
}
