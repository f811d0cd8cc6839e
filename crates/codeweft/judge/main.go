// gooracle prints, as JSON lines, what go/types says about Go packages: declarations,
// implements pairs, call sites with their callee, function-value references, imports.
// Standard library only (go/ast, go/parser, go/types) plus `go list` to find files.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"time"
)

type listPkg struct {
	ImportPath, Name, Dir string
	GoFiles, CgoFiles     []string
	Imports               []string
	ImportMap             map[string]string
	Standard, DepOnly     bool
	ForTest               string
	Incomplete            bool
	Error                 *struct{ Err string }
	Module                *struct{ Path, Version, GoVersion string }
}

type pkgInfo struct {
	l     *listPkg
	files []*ast.File
	names []string
	tpkg  *types.Package
	info  *types.Info
	errs  []string
	root  bool
	plain bool // its test variant is the root in its stead
}

var (
	fset    = token.NewFileSet()
	base    string
	enc     *json.Encoder
	counts  = map[string]int{}
	printed = map[string]bool{}
	relRoot = flag.String("rel", "", "print file names relative to this folder (default: -C folder)")
	chdir   = flag.String("C", ".", "folder to run `go list` in")
	out     = flag.String("o", "-", "output file")
	tests   = flag.Bool("tests", false, "also load _test.go files (test variants replace the plain package)")
	builtin = flag.Bool("builtins", false, "also emit calls of builtins (kind builtin)")
	convs   = flag.Bool("conversions", false, "also emit conversions (kind conversion)")
	ifAll   = flag.Bool("dep-ifaces", true, "check types against interfaces of dependencies too")
	tags    = flag.String("tags", "", "build tags")
	uses    = flag.Bool("uses", false, "also emit what every identifier of the matched packages means (k = use)")
)

type M = map[string]any

func emit(k string, m M) {
	m["k"] = k
	counts[k]++
	if err := enc.Encode(m); err != nil {
		panic(err)
	}
}

// once says whether a line of this kind with these fields has not been printed: with -tests a package
// may be there several times, recompiled for tests of others, and instances may be spelled apart.
func once(k string, fields ...any) bool {
	key := fmt.Sprintln(append([]any{k}, fields...)...)
	if printed[key] {
		return false
	}
	printed[key] = true
	return true
}

func pos(p token.Pos) (string, int, int) {
	if !p.IsValid() {
		return "", 0, 0
	}
	q := fset.PositionFor(p, false)
	return below(q.Filename), q.Line, q.Column
}

// below is a path relative to the base where it lies in it.
func below(path string) string {
	if r, err := filepath.Rel(base, path); err == nil && r != ".." && !strings.HasPrefix(r, "../") {
		return r
	}
	return path
}
func at(p token.Pos) string {
	f, l, c := pos(p)
	if f == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", f, l, c)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "gooracle:", err)
		os.Exit(1)
	}
}

func golist(patterns []string) []*listPkg {
	args := []string{"list", "-e", "-deps", "-json=ImportPath,Name,Dir,GoFiles,CgoFiles,Imports,ImportMap,Standard,DepOnly,ForTest,Incomplete,Error,Module"}
	if *tests {
		args = append(args, "-test")
	}
	if *tags != "" {
		args = append(args, "-tags="+*tags)
	}
	cmd := exec.Command("go", append(append(args, "--"), patterns...)...)
	cmd.Dir = *chdir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	b, err := cmd.Output()
	must(err)
	var ps []*listPkg
	d := json.NewDecoder(bytes.NewReader(b))
	for {
		p := new(listPkg)
		if err := d.Decode(p); err == io.EOF {
			break
		} else {
			must(err)
		}
		ps = append(ps, p)
	}
	return ps
}

type imp struct {
	p    *pkgInfo
	pkgs map[string]*pkgInfo
}

func (i imp) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if m, ok := i.p.l.ImportMap[path]; ok {
		path = m
	}
	if q := i.pkgs[path]; q != nil && q.tpkg != nil {
		return q.tpkg, nil
	}
	return nil, fmt.Errorf("no package %q", path)
}

// funcID is tool-neutral: package path, receiver's base type name, star, name.
func funcID(f *types.Func) string {
	f = f.Origin()
	pkg := ""
	if f.Pkg() != nil {
		pkg = f.Pkg().Path()
	}
	if r := f.Type().(*types.Signature).Recv(); r != nil {
		star, t := "", r.Type()
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			star, t = "*", p.Elem()
		}
		switch t := types.Unalias(t).(type) {
		case *types.Named:
			o := t.Origin().Obj()
			pp := ""
			if o.Pkg() != nil {
				pp = o.Pkg().Path() + "."
			}
			return fmt.Sprintf("(%s%s%s).%s", star, pp, o.Name(), f.Name())
		case *types.Interface: // method of an unnamed interface
			return fmt.Sprintf("(%s.interface@%s).%s", pkg, at(f.Pos()), f.Name())
		}
	}
	if f.Name() == "init" || f.Name() == "_" {
		return fmt.Sprintf("%s.%s@%s", pkg, f.Name(), at(f.Pos()))
	}
	return pkg + "." + f.Name()
}

func typeID(n *types.TypeName) string {
	p := ""
	if n.Pkg() != nil {
		p = n.Pkg().Path() + "."
	}
	if n.Parent() != nil && n.Pkg() != nil && n.Parent() != n.Pkg().Scope() {
		return p + n.Name() + "@" + at(n.Pos()) // declared inside a function
	}
	return p + n.Name()
}

func qual(p *types.Package) string { return p.Path() }

type ifc struct {
	id, args string
	obj      *types.TypeName
	it       *types.Interface
	named    *types.Named
	meths    []string
}

func main() {
	flag.Parse()
	t0 := time.Now()
	abs, err := filepath.Abs(*chdir)
	must(err)
	base = abs
	if *relRoot != "" {
		base, err = filepath.Abs(*relRoot)
		must(err)
	}
	if r, err := filepath.EvalSymlinks(base); err == nil {
		base = r
	}
	w := os.Stdout
	if *out != "-" {
		w, err = os.Create(*out)
		must(err)
		defer w.Close()
	}
	bw := bufio.NewWriterSize(w, 1<<20)
	defer bw.Flush()
	enc = json.NewEncoder(bw)
	enc.SetEscapeHTML(false)

	list := golist(flag.Args())
	tList := time.Since(t0)
	t1 := time.Now()
	pkgs := map[string]*pkgInfo{}
	var order []*pkgInfo
	variant := map[string]bool{}
	for _, l := range list {
		if l.ForTest != "" && strings.HasPrefix(l.ImportPath, l.ForTest+" [") {
			variant[l.ForTest] = true
		}
	}
	nfiles, nlines := 0, 0
	terrs := 0
	for _, l := range list {
		if l.ImportPath == "unsafe" || strings.HasSuffix(l.ImportPath, ".test") {
			continue
		}
		p := &pkgInfo{l: l, root: !l.DepOnly && !variant[l.ImportPath], plain: !l.DepOnly && variant[l.ImportPath]}
		pkgs[l.ImportPath] = p
		order = append(order, p)
		for _, f := range append(append([]string{}, l.GoFiles...), l.CgoFiles...) {
			fn := f
			if !filepath.IsAbs(fn) {
				fn = filepath.Join(l.Dir, f)
			}
			mode := parser.SkipObjectResolution
			a, err := parser.ParseFile(fset, fn, nil, mode)
			if err != nil {
				p.errs = append(p.errs, err.Error())
			}
			if a != nil {
				p.files = append(p.files, a)
				p.names = append(p.names, fn)
			}
		}
		p.info = &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
			Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
			Instances: map[*ast.Ident]types.Instance{},
		}
		gv := ""
		if l.Module != nil && l.Module.GoVersion != "" {
			gv = "go" + l.Module.GoVersion
		}
		cfg := types.Config{Importer: imp{p, pkgs}, IgnoreFuncBodies: !p.root && !p.plain, FakeImportC: true, GoVersion: gv,
			Error: func(e error) { p.errs = append(p.errs, e.Error()) }, Sizes: types.SizesFor("gc", of("GOARCH", runtime.GOARCH))}
		path := l.ImportPath
		if i := strings.Index(path, " ["); i > 0 {
			path = path[:i]
		}
		p.tpkg, _ = cfg.Check(path, fset, p.files, p.info)
		if p.root {
			terrs += len(p.errs)
			for _, f := range p.files {
				nfiles++
				nlines += fset.File(f.FileStart).LineCount()
			}
		}
	}
	tCheck := time.Since(t1)

	// imports and files
	nroot := 0
	for _, p := range order {
		if !p.root {
			continue
		}
		nroot++
		imps := []string{}
		for _, i := range p.l.Imports {
			imps = append(imps, i)
		}
		sort.Strings(imps)
		fs := []string{}
		for _, f := range p.files {
			n, _, _ := pos(f.Package)
			fs = append(fs, n)
		}
		emit("package", M{"pkg": p.l.ImportPath, "name": p.l.Name, "imports": imps, "files": fs, "errors": len(p.errs), "first_errors": head(p.errs, 3)})
		for _, f := range p.files {
			doImports(p, f, pkgs)
		}
	}

	t2 := time.Now()
	ni := doImpls(sourceDeps(order, pkgs))
	tImpl := time.Since(t2)
	t3 := time.Now()
	for _, p := range order {
		if p.root {
			doCalls(p)
		}
	}
	if *uses {
		for _, p := range order {
			if p.root {
				doUses(p)
			}
		}
	}
	tCalls := time.Since(t3)
	emit("meta", M{"go": runtime.Version(), "goos": of("GOOS", runtime.GOOS), "goarch": of("GOARCH", runtime.GOARCH), "cgo": false, "tags": *tags, "tests": *tests,
		"patterns": flag.Args(), "base": base, "packages": nroot, "packages_with_deps": len(order), "files": nfiles, "lines": nlines, "type_errors": terrs,
		"interfaces_checked": ni, "counts": counts,
		"seconds": M{"list": tList.Seconds(), "parse_typecheck": tCheck.Seconds(), "implements": tImpl.Seconds(), "calls": tCalls.Seconds(), "total": time.Since(t0).Seconds()}})
	j, _ := json.Marshal(counts)
	fmt.Fprintf(os.Stderr, "gooracle: %d packages (%d with deps), %d files, %d lines, %d type errors; %s; list %.1fs check %.1fs impl %.1fs calls %.1fs total %.1fs\n",
		nroot, len(order), nfiles, nlines, terrs, j, tList.Seconds(), tCheck.Seconds(), tImpl.Seconds(), tCalls.Seconds(), time.Since(t0).Seconds())
}

// of is a variable of the environment, else what this program was built for: what `go list` goes by.
func of(name, own string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return own
}

// doImports prints a line for every import of a file: where its path stands, what it names and the
// folder of that (empty where there is none).
func doImports(p *pkgInfo, f *ast.File, pkgs map[string]*pkgInfo) {
	for _, s := range f.Imports {
		path, err := strconv.Unquote(s.Path.Value)
		if err != nil || path == "C" || path == "unsafe" {
			continue
		}
		if m, ok := p.l.ImportMap[path]; ok {
			path = m
		}
		dir := ""
		if q := pkgs[path]; q != nil && q.l.Dir != "" {
			dir = below(q.l.Dir)
		}
		path, _, _ = strings.Cut(path, " [") // a test variant is its package
		emit("import", M{"at": at(s.Path.Pos()), "path": path, "dir": dir})
	}
}

// sourceDeps leaves out the packages that only the generated main packages of tests import: no source
// names them, so their interfaces are nobody's business here.
func sourceDeps(order []*pkgInfo, pkgs map[string]*pkgInfo) []*pkgInfo {
	seen := map[*pkgInfo]bool{}
	var visit func(p *pkgInfo)
	visit = func(p *pkgInfo) {
		if p == nil || seen[p] {
			return
		}
		seen[p] = true
		for _, path := range p.l.Imports {
			if m, ok := p.l.ImportMap[path]; ok {
				path = m
			}
			visit(pkgs[path])
		}
	}
	for _, p := range order {
		if p.root || p.plain {
			visit(p)
		}
	}
	kept := []*pkgInfo{}
	for _, p := range order {
		if seen[p] {
			kept = append(kept, p)
		}
	}
	return kept
}

func head(s []string, n int) []string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

// ---- declarations and implements

func identityInst(n *types.Named) types.Type {
	tp := n.TypeParams()
	if tp.Len() == 0 {
		return n
	}
	args := make([]types.Type, tp.Len())
	for i := range args {
		args[i] = tp.At(i)
	}
	t, err := types.Instantiate(nil, n, args, false)
	if err != nil {
		return nil
	}
	return t
}

type conc struct {
	id, args string
	obj      *types.TypeName
	t        types.Type
	generic  bool
	set      *types.MethodSet // of the pointer
	ptr      map[string]bool  // its names
}

func names(ms *types.MethodSet) map[string]bool {
	r := make(map[string]bool, ms.Len())
	for i := 0; i < ms.Len(); i++ {
		r[ms.At(i).Obj().Id()] = true
	}
	return r
}

func doImpls(order []*pkgInfo) int {
	var ifs []ifc
	var cs []conc
	addIf := func(n *types.Named, args string) {
		it := n.Underlying().(*types.Interface)
		if it.NumMethods() == 0 || !it.IsMethodSet() { // empty, or a constraint with a type set
			return
		}
		var ms []string
		for i := 0; i < it.NumMethods(); i++ {
			ms = append(ms, it.Method(i).Id())
		}
		ifs = append(ifs, ifc{typeID(n.Obj()), args, n.Obj(), it, n, ms})
	}
	addC := func(n *types.Named, t types.Type, args string, generic bool) {
		set := types.NewMethodSet(types.NewPointer(t))
		if set.Len() > 0 {
			cs = append(cs, conc{typeID(n.Obj()), args, n.Obj(), t, generic, set, names(set)})
		}
	}
	errT := types.Universe.Lookup("error").Type().(*types.Named)
	addIf(errT, "")
	var open []*types.Named         // generic interfaces
	var literals []*types.Interface // without type parameters
	seenInst := map[string]bool{}
	for _, p := range order {
		if p.info == nil {
			continue
		}
		var ids []*ast.Ident
		for id := range p.info.Defs {
			ids = append(ids, id)
		}
		sort.Slice(ids, func(i, j int) bool { return ids[i].Pos() < ids[j].Pos() })
		for _, id := range ids {
			o := p.info.Defs[id]
			if f, ok := o.(*types.Func); ok && p.root {
				sig := f.Type().(*types.Signature)
				m := M{"id": funcID(f), "pkg": f.Pkg().Path(), "name": f.Name(), "def": at(f.Pos()), "exported": f.Exported()}
				if r := sig.Recv(); r != nil {
					m["recv"] = types.TypeString(r.Type(), qual)
					m["iface_method"] = types.IsInterface(r.Type())
					m["generic"] = sig.RecvTypeParams().Len() > 0
				} else {
					m["generic"] = sig.TypeParams().Len() > 0
				}
				emit("func", m)
				continue
			}
			tn, ok := o.(*types.TypeName)
			if !ok {
				continue
			}
			if _, isTP := tn.Type().(*types.TypeParam); isTP {
				continue
			}
			if tn.IsAlias() {
				if p.root {
					emit("type", M{"id": typeID(tn), "pkg": tn.Pkg().Path(), "name": tn.Name(), "kind": "alias", "of": types.TypeString(types.Unalias(tn.Type()), qual), "def": at(tn.Pos())})
				}
				continue
			}
			n, ok := tn.Type().(*types.Named)
			if !ok {
				continue
			}
			kind := strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", n.Underlying()), "*types."))
			gen := n.TypeParams().Len() > 0
			if p.root {
				m := M{"id": typeID(tn), "pkg": tn.Pkg().Path(), "name": tn.Name(), "kind": kind, "generic": gen, "def": at(tn.Pos()), "local": tn.Parent() != tn.Pkg().Scope()}
				if it, ok := n.Underlying().(*types.Interface); ok {
					m["methods"] = it.NumMethods()
					m["constraint"] = !it.IsMethodSet()
				}
				emit("type", m)
			}
			if types.IsInterface(n) {
				if p.root || p.plain || *ifAll {
					if gen { // its instances are checked, and what fits it for some arguments (below)
						open = append(open, n)
						continue
					}
					addIf(n, "")
				}
			} else if p.root || p.plain { // other packages name the plain package's types, not the variant's
				if t := identityInst(n); t != nil {
					addC(n, t, "", gen)
				}
			}
		}
		for _, f := range p.files {
			ast.Inspect(f, func(n ast.Node) bool {
				e, ok := n.(*ast.InterfaceType)
				if !ok || !p.root {
					return true
				}
				it, ok := p.info.TypeOf(e).(*types.Interface)
				if ok && it.NumMethods() > 0 && it.IsMethodSet() && !hasTypeParam(it, map[types.Type]bool{}) {
					literals = append(literals, it)
				}
				return true
			})
		}
		// instances of generic named types that the source spells out or infers
		var iids []*ast.Ident
		for id := range p.info.Instances {
			iids = append(iids, id)
		}
		sort.Slice(iids, func(i, j int) bool { return iids[i].Pos() < iids[j].Pos() })
		for _, id := range iids {
			in := p.info.Instances[id]
			n, ok := types.Unalias(in.Type).(*types.Named)
			if !ok || hasTypeParam(in.Type, map[types.Type]bool{}) {
				continue
			}
			s := types.TypeString(n, qual)
			if seenInst[s] {
				continue
			}
			seenInst[s] = true
			args := s[strings.Index(s, "["):]
			if types.IsInterface(n) {
				addIf(n, args)
			} else if p.root || p.plain {
				addC(n, n, args, true)
			}
		}
	}
	disp := map[string]map[string]bool{}
	through := map[string]map[string]bool{} // methods of interfaces that types embed
	for _, i := range ifs {
	next:
		for _, c := range cs {
			for _, m := range i.meths {
				if !c.ptr[m] {
					continue next
				}
			}
			viaPtr, fits := receiverFor(c, i.it)
			if !fits {
				continue
			}
			m := M{"type": c.id, "iface": i.id, "ptr": viaPtr, "type_def": at(c.obj.Pos()), "iface_def": at(i.obj.Pos()), "methods": len(i.meths)}
			if c.generic {
				m["generic"] = true
			}
			if c.args != "" {
				m["type_args"] = c.args
			}
			if i.args != "" {
				m["iface_args"] = i.args
			}
			if once("impl", c.id, at(c.obj.Pos()), c.args, i.id, at(i.obj.Pos()), i.args, viaPtr) {
				emit("impl", m)
			}
			for k := 0; k < i.it.NumMethods(); k++ {
				im := i.it.Method(k)
				if s := c.set.Lookup(im.Pkg(), im.Name()); s != nil {
					f := s.Obj().(*types.Func)
					key := funcID(im) + "\x00" + at(im.Pos())
					if disp[key] == nil {
						disp[key] = map[string]bool{}
						through[key] = map[string]bool{}
					}
					if types.IsInterface(f.Signature().Recv().Type()) {
						through[key][funcID(f)+"\x00"+at(f.Pos())] = true
					} else {
						disp[key][funcID(f)+"\x00"+at(f.Pos())] = true
						if once("implm", funcID(f), at(f.Pos()), funcID(im), at(im.Pos()), viaPtr) {
							emit("implm", M{"method": funcID(f), "method_def": at(f.Pos()), "imethod": funcID(im), "imethod_def": at(im.Pos()), "ptr": viaPtr})
						}
					}
				}
			}
		}
		for _, j := range ifs {
			if j.named != i.named && len(j.meths) > 0 && types.Implements(j.named, i.it) &&
				once("subiface", j.id, at(j.obj.Pos()), j.args, i.id, at(i.obj.Pos()), i.args) {
				emit("subiface", M{"iface": j.id, "super": i.id, "iface_def": at(j.obj.Pos()), "super_def": at(i.obj.Pos()), "iface_args": j.args, "super_args": i.args})
			}
		}
	}
	for _, n := range open {
		it := n.Underlying().(*types.Interface)
		if it.NumMethods() == 0 || !it.IsMethodSet() {
			continue
		}
		for _, c := range cs {
			args, viaPtr, fits := fitsFor(c, n, it)
			if !fits {
				continue
			}
			if once("impl", c.id, at(c.obj.Pos()), c.args, typeID(n.Obj()), at(n.Obj().Pos()), args, viaPtr) {
				emit("impl", M{"type": c.id, "type_args": c.args, "type_def": at(c.obj.Pos()), "iface": typeID(n.Obj()), "iface_def": at(n.Obj().Pos()), "iface_args": args, "ptr": viaPtr, "methods": it.NumMethods(), "unified": true})
			}
			for k := 0; k < it.NumMethods(); k++ {
				im := it.Method(k)
				f := c.set.Lookup(im.Pkg(), im.Name()).Obj().(*types.Func)
				if !types.IsInterface(f.Signature().Recv().Type()) && once("implm", funcID(f), at(f.Pos()), funcID(im), at(im.Pos()), viaPtr) {
					emit("implm", M{"method": funcID(f), "method_def": at(f.Pos()), "imethod": funcID(im), "imethod_def": at(im.Pos()), "ptr": viaPtr})
				}
			}
		}
	}
	// Interface literals: nothing names them, but their methods are declared and called.
	for _, it := range literals {
		for _, c := range cs {
			if !c.has(it) {
				continue
			}
			viaPtr, fits := receiverFor(c, it)
			if !fits {
				continue
			}
			for k := 0; k < it.NumMethods(); k++ {
				im := it.Method(k)
				f := c.set.Lookup(im.Pkg(), im.Name()).Obj().(*types.Func)
				if !types.IsInterface(f.Signature().Recv().Type()) && once("implm", funcID(f), at(f.Pos()), funcID(im), at(im.Pos()), viaPtr) {
					emit("implm", M{"method": funcID(f), "method_def": at(f.Pos()), "imethod": funcID(im), "imethod_def": at(im.Pos()), "ptr": viaPtr, "literal": true})
				}
			}
		}
	}
	// Methods of generic types, for some type arguments: instances need not be spelled out to be made.
	plain := literals
	for _, i := range ifs {
		plain = append(plain, i.it)
	}
	for _, it := range plain {
		for _, c := range cs {
			viaPtr, fits := fitsSome(c, it)
			for k := 0; fits && k < it.NumMethods(); k++ {
				im := it.Method(k)
				f := c.set.Lookup(im.Pkg(), im.Name()).Obj().(*types.Func)
				if !types.IsInterface(f.Signature().Recv().Type()) && once("implm", funcID(f), at(f.Pos()), funcID(im), at(im.Pos()), viaPtr) {
					emit("implm", M{"method": funcID(f), "method_def": at(f.Pos()), "imethod": funcID(im), "imethod_def": at(im.Pos()), "ptr": viaPtr, "some": true})
				}
			}
		}
	}
	keys := make([]string, 0, len(disp))
	for k := range disp {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		id, def, _ := strings.Cut(k, "\x00")
		ts := []M{}
		// What an embedded interface holds may run too.
		all, seen, open := map[string]bool{}, map[string]bool{k: true}, []string{k}
		for len(open) > 0 {
			of := open[len(open)-1]
			open = open[:len(open)-1]
			for t := range disp[of] {
				all[t] = true
			}
			for t := range through[of] {
				if !seen[t] {
					seen[t] = true
					open = append(open, t)
				}
			}
		}
		var tk []string
		for t := range all {
			tk = append(tk, t)
		}
		sort.Strings(tk)
		for _, t := range tk {
			a, b, _ := strings.Cut(t, "\x00")
			ts = append(ts, M{"id": a, "def": b})
		}
		emit("dispatch", M{"method": id, "def": def, "targets": ts})
	}
	return len(ifs)
}

func hasTypeParam(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		for i := 0; i < t.TypeArgs().Len(); i++ {
			if hasTypeParam(t.TypeArgs().At(i), seen) {
				return true
			}
		}
	case *types.Pointer:
		return hasTypeParam(t.Elem(), seen)
	case *types.Slice:
		return hasTypeParam(t.Elem(), seen)
	case *types.Array:
		return hasTypeParam(t.Elem(), seen)
	case *types.Chan:
		return hasTypeParam(t.Elem(), seen)
	case *types.Map:
		return hasTypeParam(t.Key(), seen) || hasTypeParam(t.Elem(), seen)
	case *types.Signature:
		return hasTypeParam(t.Params(), seen) || hasTypeParam(t.Results(), seen)
	case *types.Tuple:
		for i := 0; i < t.Len(); i++ {
			if hasTypeParam(t.At(i).Type(), seen) {
				return true
			}
		}
	case *types.Struct:
		for i := 0; i < t.NumFields(); i++ {
			if hasTypeParam(t.Field(i).Type(), seen) {
				return true
			}
		}
	}
	return false
}

// ---- calls

type walker struct {
	p      *pkgInfo
	caller string   // id of the enclosing declared function, or pkg.<vars>
	cdef   string   // its position
	lits   []string // enclosing function literals, innermost last
	single map[*types.Var]*ast.FuncLit
	litID  map[*ast.FuncLit]string
	inCall map[*ast.Ident]bool
	recvI  map[ast.Expr]bool
}

func doCalls(p *pkgInfo) {
	for _, f := range p.files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				fn, _ := p.info.Defs[d.Name].(*types.Func)
				if fn == nil || d.Body == nil {
					continue
				}
				walk(p, funcID(fn), at(fn.Pos()), d.Body)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR {
						for _, e := range v.Values {
							walk(p, p.tpkg.Path()+".<vars>", at(v.Names[0].Pos()), e)
						}
					}
				}
			}
		}
	}
}

func walk(p *pkgInfo, caller, cdef string, root ast.Node) {
	w := &walker{p: p, caller: caller, cdef: cdef, single: map[*types.Var]*ast.FuncLit{}, litID: map[*ast.FuncLit]string{}, inCall: map[*ast.Ident]bool{}}
	// pass 1: number literals; find local variables bound exactly once, to a literal
	n := 0
	assigns := map[*types.Var]int{}
	bind := map[*types.Var]*ast.FuncLit{}
	note := func(l, r ast.Expr) {
		id, ok := ast.Unparen(l).(*ast.Ident)
		if !ok {
			return
		}
		o := p.info.Defs[id]
		if o == nil {
			o = p.info.Uses[id]
		}
		v, ok := o.(*types.Var)
		if !ok || v.Parent() == nil || v.Parent() == p.tpkg.Scope() {
			return
		}
		assigns[v]++
		if r != nil {
			if fl, ok := ast.Unparen(r).(*ast.FuncLit); ok {
				bind[v] = fl
			}
		}
	}
	ast.Inspect(root, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.FuncLit:
			n++
			w.litID[x] = fmt.Sprintf("%s$%d", caller, n)
		case *ast.AssignStmt:
			for i, l := range x.Lhs {
				var r ast.Expr
				if len(x.Rhs) == len(x.Lhs) {
					r = x.Rhs[i]
				}
				note(l, r)
			}
		case *ast.ValueSpec:
			for i, l := range x.Names {
				if i < len(x.Values) && len(x.Values) == len(x.Names) {
					note(l, x.Values[i])
				} else if len(x.Values) > 0 {
					note(l, nil)
				} // `var f func()` alone is not an assignment
			}
		case *ast.RangeStmt:
			if x.Key != nil {
				note(x.Key, nil)
			}
			if x.Value != nil {
				note(x.Value, nil)
			}
		case *ast.UnaryExpr:
			if x.Op == token.AND {
				note(x.X, nil)
			}
		}
		return true
	})
	for v, fl := range bind {
		if assigns[v] == 1 {
			w.single[v] = fl
		}
	}
	w.visit(root, "call")
}

func (w *walker) visit(root ast.Node, mode string) {
	ast.Inspect(root, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.GoStmt:
			w.call(x.Call, "go")
			return false
		case *ast.DeferStmt:
			w.call(x.Call, "defer")
			return false
		case *ast.CallExpr:
			w.call(x, "call")
			return false
		case *ast.FuncLit:
			w.lits = append(w.lits, w.litID[x])
			w.visit(x.Body, "call")
			w.lits = w.lits[:len(w.lits)-1]
			return false
		case *ast.Ident:
			if f, ok := w.p.info.Uses[x].(*types.Func); ok {
				k := "func"
				if f.Type().(*types.Signature).Recv() != nil {
					k = "method"
				}
				m := M{"caller": w.caller, "at": at(x.Pos()), "target": funcID(f), "target_def": at(f.Origin().Pos()), "what": k}
				if len(w.lits) > 0 {
					m["closure"] = w.lits[len(w.lits)-1]
				}
				emit("ref", m)
			}
		}
		return true
	})
}

func (w *walker) call(c *ast.CallExpr, via string) {
	info := w.p.info
	fun := ast.Unparen(c.Fun)
	args := func() {
		for _, a := range c.Args {
			w.visit(a, "call")
		}
	}
	if tv, ok := info.Types[fun]; ok && tv.IsType() {
		if *convs {
			w.put(c, fun.Pos(), via, "conversion", nil, M{"type": types.TypeString(tv.Type, qual)})
		}
		args()
		return
	}
	if tv, ok := info.Types[fun]; ok && tv.IsBuiltin() {
		if *builtin {
			w.put(c, fun.Pos(), via, "builtin", nil, M{"builtin": types.ExprString(fun)})
		}
		args()
		return
	}
	inst := false
	switch e := fun.(type) { // f[T](…)
	case *ast.IndexExpr:
		if tv := info.Types[e.Index]; tv.IsType() {
			inst = true
			fun = ast.Unparen(e.X)
		}
	case *ast.IndexListExpr:
		inst = true
		fun = ast.Unparen(e.X)
	}
	extra := M{}
	if inst {
		extra["explicit_inst"] = true
	}
	switch e := fun.(type) {
	case *ast.Ident:
		w.object(c, e, info.Uses[e], via, extra)
	case *ast.SelectorExpr:
		if s := info.Selections[e]; s != nil {
			switch s.Kind() {
			case types.MethodVal:
				f := s.Obj().(*types.Func)
				if len(s.Index()) > 1 {
					extra["promoted"] = true
				}
				extra["recv_type"] = types.TypeString(s.Recv(), qual)
				kind := "static"
				rt := s.Recv()
				if p, ok := types.Unalias(rt).(*types.Pointer); ok {
					rt = p.Elem()
				}
				if _, ok := types.Unalias(rt).(*types.TypeParam); ok {
					kind = "typeparam"
				} else if r := f.Type().(*types.Signature).Recv(); r != nil && types.IsInterface(r.Type()) {
					kind = "interface"
				}
				w.put(c, e.Sel.Pos(), via, kind, f, extra)
			case types.MethodExpr:
				f := s.Obj().(*types.Func)
				kind := "static"
				if r := f.Type().(*types.Signature).Recv(); r != nil && types.IsInterface(r.Type()) {
					kind = "interface"
				}
				extra["method_expr"] = true
				w.put(c, e.Sel.Pos(), via, kind, f, extra)
			default:
				extra["through"] = "field"
				extra["field"] = s.Obj().Name()
				extra["var_def"] = at(s.Obj().Pos())
				w.put(c, e.Sel.Pos(), via, "dynamic", nil, extra)
			}
			w.visit(e.X, "call")
		} else { // qualified identifier pkg.F
			w.object(c, e.Sel, info.Uses[e.Sel], via, extra)
		}
	case *ast.FuncLit:
		extra["callee"] = w.litID[e]
		extra["callee_def"] = at(e.Pos())
		w.put(c, e.Pos(), via, "closure", nil, extra)
		w.visit(e, "call")
	default:
		extra["through"] = "expr"
		w.put(c, c.Lparen, via, "dynamic", nil, extra)
		w.visit(fun, "call")
	}
	args()
}

func (w *walker) object(c *ast.CallExpr, id *ast.Ident, o types.Object, via string, extra M) {
	switch o := o.(type) {
	case *types.Func:
		if o.Signature().TypeParams().Len() > 0 {
			extra["generic"] = true
		}
		w.put(c, id.Pos(), via, "static", o, extra)
	case *types.Var:
		if fl := w.single[o]; fl != nil {
			extra["callee"] = w.litID[fl]
			extra["callee_def"] = at(fl.Pos())
			w.put(c, id.Pos(), via, "closure", nil, extra)
			return
		}
		t := "local"
		if o.Parent() == w.p.tpkg.Scope() || (o.Pkg() != nil && o.Parent() == o.Pkg().Scope()) {
			t = "global"
		}
		extra["through"] = t
		extra["var_def"] = at(o.Pos())
		w.put(c, id.Pos(), via, "dynamic", nil, extra)
	default:
		w.put(c, id.Pos(), via, "unresolved", nil, extra)
	}
}

func (w *walker) put(c *ast.CallExpr, p token.Pos, via, kind string, f *types.Func, extra M) {
	m := M{"caller": w.caller, "caller_def": w.cdef, "at": at(p), "kind": kind, "via": via}
	if f != nil {
		f = f.Origin()
		m["callee"] = funcID(f)
		m["callee_def"] = at(f.Pos())
		if f.Pkg() != nil {
			m["callee_pkg"] = f.Pkg().Path()
		}
	}
	if len(w.lits) > 0 {
		m["closure"] = w.lits[len(w.lits)-1]
	}
	for k, v := range extra {
		m[k] = v
	}
	emit("call", m)
	counts["call."+kind]++
}

// ---- uses

// doUses prints a line for every identifier: where it stands (at), where what it means is declared
// (def, empty for the universe's names), and the kind of that. An identifier that declares has
// decl = true and def = at; an embedded field's name does both and has two lines.
//
// local is true of what only the function around can name: variables, constants, types and labels that
// it declares, type parameters, and fields of struct types without a name in its body. Fields of its
// declared types are not among them. alias is true of types that are aliases.
func doUses(p *pkgInfo) {
	nameless := namelessFields(p)
	for _, f := range p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			if o := p.info.Defs[id]; o != nil {
				use(id, o, true, nameless)
			}
			if o := p.info.Uses[id]; o != nil {
				use(id, o, false, nameless)
			}
			return true
		})
	}
}

// namelessFields are the places of the fields that a function's body declares outside of its type
// declarations.
func namelessFields(p *pkgInfo) map[token.Pos]bool {
	nameless := map[token.Pos]bool{}
	for _, f := range p.files {
		var around []ast.Node
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				around = around[:len(around)-1]
				return true
			}
			around = append(around, n)
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			if v, ok := p.info.Defs[id].(*types.Var); !ok || !v.IsField() {
				return true
			}
			for i := len(around) - 1; i >= 0; i-- {
				if t, ok := around[i].(*ast.TypeSpec); ok && !t.Assign.IsValid() {
					break
				}
				if _, ok := around[i].(*ast.BlockStmt); ok { // only functions have them
					nameless[id.Pos()] = true
					break
				}
			}
			return true
		})
	}
	return nameless
}

func use(id *ast.Ident, o types.Object, decl bool, nameless map[token.Pos]bool) {
	m, local := M{"at": at(id.Pos()), "name": id.Name}, false
	if o.Pkg() != nil {
		m["pkg"] = o.Pkg().Path()
	}
	switch t := o.(type) {
	case *types.Func:
		t = t.Origin()
		o = t
		m["kind"] = "func"
		if t.Signature().Recv() != nil {
			m["kind"] = "method"
		}
		m["id"] = funcID(t)
	case *types.Var:
		t = t.Origin()
		o = t
		switch {
		case t.IsField():
			m["kind"] = "field"
			local = nameless[t.Pos()]
		case t.Pkg() != nil && t.Parent() == t.Pkg().Scope():
			m["kind"] = "var"
			m["id"] = t.Pkg().Path() + "." + t.Name()
		default:
			m["kind"] = "local"
			local = true
		}
	case *types.Const:
		m["kind"] = "const"
		if t.Pkg() != nil && t.Parent() == t.Pkg().Scope() {
			m["id"] = t.Pkg().Path() + "." + t.Name()
		} else {
			local = t.Pkg() != nil
		}
	case *types.TypeName:
		m["kind"] = "type"
		if _, ok := types.Unalias(t.Type()).(*types.TypeParam); ok && !t.IsAlias() {
			m["kind"] = "typeparam"
			local = true
		} else {
			m["id"] = typeID(t)
			local = t.Pkg() != nil && t.Parent() != t.Pkg().Scope()
			if t.IsAlias() {
				m["alias"] = true
			}
		}
	case *types.PkgName:
		m["kind"] = "package"
		m["pkg"] = t.Imported().Path()
	case *types.Label:
		m["kind"] = "label"
		local = true
	case *types.Builtin:
		m["kind"] = "builtin"
	case *types.Nil:
		m["kind"] = "nil"
	}
	m["def"] = at(o.Pos())
	if decl {
		m["decl"] = true
	}
	if local && id.Name != "_" { // the blank name declares nothing
		m["local"] = true
	}
	emit("use", m)
	counts["use."+m["kind"].(string)]++
}
