// Command judge prints the declarations and bodies of Go files as go/parser reads them, in the
// form of codeweft_go_syntax::print_ir, a line each. It reads paths from its input; each file's
// lines stand behind a zero byte and its path.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"os"
	"strconv"
	"strings"
)

type buf struct{ bytes []byte }

func (b *buf) WriteString(s string) { b.bytes = append(b.bytes, s...) }
func (b *buf) String() string       { return string(b.bytes) }
func (b *buf) Reset()               { b.bytes = b.bytes[:0] }

var b buf

func w(s string) { b.WriteString(s) }
func unparen(e ast.Expr) ast.Expr {
	for {
		p, ok := e.(*ast.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}
func list(head string, es ...ast.Expr) {
	w("(" + head)
	for i, e := range es {
		if head != "" || i > 0 {
			w(" ")
		}
		expr(e)
	}
	w(")")
}
func intval(e ast.Expr) (int64, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok {
		return 0, false
	}
	switch l.Kind {
	case token.INT:
		n, ok := new(big.Int).SetString(l.Value, 0)
		return n.Int64(), ok
	case token.CHAR:
		r, _, _, _ := strconv.UnquoteChar(l.Value[1:len(l.Value)-1], '\'')
		return int64(r), true
	}
	return 0, false
}
func isConst(e ast.Expr) bool {
	c := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.Ident, *ast.CallExpr, *ast.FuncLit:
			c = false
		}
		return c
	})
	return c
}
func elems(es []ast.Expr, dots bool) {
	for _, e := range es {
		w(" ")
		kv, ok := e.(*ast.KeyValueExpr)
		open := false
		if ok && dots {
			_, k := intval(kv.Key)
			open = !k
		}
		if isConst(e) && !open {
			w("const")
		} else {
			expr(e)
		}
	}
}
func expr(e ast.Expr) {
	e = unparen(e)
	switch e := e.(type) {
	case nil:
		w("?")
	case *ast.Ident:
		w(e.Name)
	case *ast.SelectorExpr:
		w("(. ")
		expr(e.X)
		w(" " + e.Sel.Name + ")")
	case *ast.CallExpr:
		if e.Ellipsis.IsValid() {
			w("(call... ")
		} else {
			w("(call ")
		}
		switch unparen(e.Fun).(type) {
		case *ast.Ident, *ast.SelectorExpr, *ast.FuncLit, *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.InterfaceType, *ast.StructType:
			expr(e.Fun)
		default:
			list("callee", e.Fun)
		}
		for _, a := range e.Args {
			w(" ")
			expr(a)
		}
		w(")")
	case *ast.IndexExpr:
		list("index", e.X, e.Index)
	case *ast.IndexListExpr:
		list("index", append([]ast.Expr{e.X}, e.Indices...)...)
	case *ast.SliceExpr:
		x := []ast.Expr{e.X}
		for _, o := range []ast.Expr{e.Low, e.High, e.Max} {
			if o != nil {
				x = append(x, o)
			}
		}
		list("slice", x...)
	case *ast.TypeAssertExpr:
		list("assert", e.X, e.Type)
	case *ast.StarExpr:
		list("*", e.X)
	case *ast.UnaryExpr:
		list(e.Op.String(), e.X)
	case *ast.BinaryExpr:
		op := e.Op.String()
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			op = "cmp"
		case token.LAND, token.LOR:
			op = "logic"
		}
		list(op, e.X, e.Y)
	case *ast.BasicLit:
		switch e.Kind {
		case token.INT:
			n, _ := new(big.Int).SetString(e.Value, 0)
			if n.BitLen() > 127 {
				w("big")
			} else {
				w(n.String())
			}
		case token.CHAR:
			n, _ := intval(e)
			w(fmt.Sprintf("'%d'", n))
		case token.FLOAT:
			w("float")
		case token.IMAG:
			w("imaginary")
		case token.STRING:
			s, err := strconv.Unquote(e.Value)
			if err != nil {
				panic(e.Value)
			}
			w(fmt.Sprintf("str/%d", len(s)))
		}
	case *ast.CompositeLit:
		w("(lit ")
		dots := false
		if a, ok := e.Type.(*ast.ArrayType); ok {
			if _, ok := a.Len.(*ast.Ellipsis); ok {
				dots = true
				next, max, known := int64(0), int64(0), true
				for _, el := range e.Elts {
					if kv, ok := el.(*ast.KeyValueExpr); ok {
						n, ok := intval(unparen(kv.Key))
						known = known && ok
						next = n
					}
					next++
					if next > max {
						max = next
					}
				}
				if known {
					w(fmt.Sprintf("(array %d ", max))
					expr(a.Elt)
					w(")")
				} else {
					expr(e.Type)
				}
			}
		}
		if !dots {
			expr(e.Type)
		}
		elems(e.Elts, dots)
		w(")")
	case *ast.KeyValueExpr:
		list(":", e.Key, e.Value)
	case *ast.FuncLit:
		w("(func ")
		sig(e.Type)
		stmt(e.Body)
		w(")")
	case *ast.ArrayType:
		if e.Len == nil {
			list("[]", e.Elt)
		} else if _, ok := e.Len.(*ast.Ellipsis); ok {
			list("array...", e.Elt)
		} else {
			list("array", e.Len, e.Elt)
		}
	case *ast.MapType:
		list("map", e.Key, e.Value)
	case *ast.ChanType:
		switch e.Dir {
		case ast.SEND:
			list("chan<-", e.Value)
		case ast.RECV:
			list("<-chan", e.Value)
		default:
			list("chan", e.Value)
		}
	case *ast.FuncType:
		w("(func ")
		sig(e)
		w(")")
	case *ast.StructType:
		w("(struct")
		for _, f := range e.Fields.List {
			tag := ""
			if f.Tag != nil {
				tag = " tagged"
			}
			for _, n := range f.Names {
				w(" (" + n.Name + " ")
				expr(f.Type)
				w(tag + ")")
			}
			if f.Names == nil {
				w(" (embeds " + last(f.Type) + " as ")
				expr(f.Type)
				w(tag + ")")
			}
		}
		w(")")
	case *ast.InterfaceType:
		w("(interface")
		for _, f := range e.Methods.List {
			if f.Names != nil {
				w(" (method " + f.Names[0].Name + " ")
				sig(f.Type.(*ast.FuncType))
				w(")")
			} else {
				w(" (element ")
				constraint(f.Type)
				w(")")
			}
		}
		w(")")
	default:
		panic(fmt.Sprintf("%T", e))
	}
}
func last(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return last(e.X)
	case *ast.IndexExpr:
		return last(e.X)
	case *ast.IndexListExpr:
		return last(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return "?"
}
func terms(e ast.Expr) []ast.Expr {
	if x, ok := e.(*ast.BinaryExpr); ok && x.Op == token.OR {
		return append(terms(x.X), terms(x.Y)...)
	}
	return []ast.Expr{e}
}
func constraint(e ast.Expr) {
	t := terms(e)
	if len(t) == 1 {
		expr(e)
	} else {
		list("|", t...)
	}
}
func params(l *ast.FieldList) {
	w("(")
	first := true
	put := func(name string, t ast.Expr) {
		if !first {
			w(", ")
		}
		first = false
		if name != "" {
			w(name + " ")
		}
		if e, ok := t.(*ast.Ellipsis); ok {
			w("...")
			t = e.Elt
		}
		expr(t)
	}
	if l != nil {
		for _, f := range l.List {
			for _, n := range f.Names {
				put(n.Name, f.Type)
			}
			if f.Names == nil {
				put("", f.Type)
			}
		}
	}
	w(")")
}
func sig(t *ast.FuncType) {
	params(t.Params)
	if t.Results != nil && len(t.Results.List) > 0 {
		w(" -> ")
		params(t.Results)
	}
}
func stmts(l []ast.Stmt) {
	for _, s := range l {
		if !empty(s) {
			w(" ")
			stmt(s)
		}
	}
}
func empty(s ast.Stmt) bool {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt, *ast.BranchStmt:
		return true
	case *ast.LabeledStmt:
		return empty(s.Stmt)
	}
	return false
}
func toks(l []*ast.Ident) string {
	var s []string
	for _, i := range l {
		s = append(s, i.Name)
	}
	return "(" + strings.Join(s, " ") + ")"
}
func decl(d *ast.GenDecl) {
	var out []string
	iota := 0
	var pv []ast.Expr
	var pt ast.Expr
	for _, s := range d.Specs {
		old := b
		b = buf{}
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Assign.IsValid() {
				w("(alias ")
			} else {
				w("(type ")
			}
			w(s.Name.Name + " ")
			expr(s.Type)
			w(")")
		case *ast.ValueSpec:
			if d.Tok == token.VAR {
				w("(var " + toks(s.Names) + " ")
				expr(s.Type)
				w(" ")
				list("", s.Values...)
				w(")")
			} else {
				if s.Values != nil {
					pv, pt = s.Values, s.Type
				}
				w(fmt.Sprintf("(const/%d %s ", iota, toks(s.Names)))
				expr(pt)
				w(" ")
				list("", pv...)
				w(")")
				iota++
			}
		}
		out = append(out, b.String())
		b = old
	}
	if len(out) == 1 {
		w(out[0])
	} else {
		w("(group")
		for _, o := range out {
			w(" " + o)
		}
		w(")")
	}
}
func opt(s ast.Stmt) {
	if empty(s) {
		w("_")
	} else {
		stmt(s)
	}
}
func stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		w(" {")
		stmts(s.List)
		w("}")
	case *ast.ExprStmt:
		expr(s.X)
	case *ast.SendStmt:
		list("send", s.Chan, s.Value)
	case *ast.IncDecStmt:
		list("step", s.X)
	case *ast.AssignStmt:
		switch s.Tok {
		case token.ASSIGN, token.DEFINE:
			w("(" + s.Tok.String() + " ")
			list("", s.Lhs...)
			w(" ")
			list("", s.Rhs...)
			w(")")
		default:
			list("op=", s.Lhs[0], s.Rhs[0])
		}
	case *ast.GoStmt:
		list("go", s.Call)
	case *ast.DeferStmt:
		list("defer", s.Call)
	case *ast.ReturnStmt:
		list("return", s.Results...)
	case *ast.LabeledStmt:
		stmt(s.Stmt)
	case *ast.DeclStmt:
		decl(s.Decl.(*ast.GenDecl))
	case *ast.IfStmt:
		w("(if ")
		opt(s.Init)
		w(" ")
		expr(s.Cond)
		w(" ")
		stmt(s.Body)
		w(" ")
		opt(s.Else)
		w(")")
	case *ast.ForStmt:
		w("(for ")
		opt(s.Init)
		w(" ")
		expr(s.Cond)
		w(" ")
		opt(s.Post)
		w(" ")
		stmt(s.Body)
		w(")")
	case *ast.RangeStmt:
		if s.Tok == token.DEFINE {
			w("(range:= ")
		} else {
			w("(range ")
		}
		expr(s.Key)
		w(" ")
		expr(s.Value)
		w(" ")
		expr(s.X)
		w(" ")
		stmt(s.Body)
		w(")")
	case *ast.SwitchStmt:
		w("(switch ")
		opt(s.Init)
		w(" ")
		expr(s.Tag)
		clauses(s.Body)
		w(")")
	case *ast.TypeSwitchStmt:
		w("(typeswitch ")
		opt(s.Init)
		w(" ")
		switch a := s.Assign.(type) {
		case *ast.AssignStmt:
			expr(a.Lhs[0])
			w(" ")
			expr(a.Rhs[0].(*ast.TypeAssertExpr).X)
		case *ast.ExprStmt:
			w("_ ")
			expr(a.X.(*ast.TypeAssertExpr).X)
		}
		clauses(s.Body)
		w(")")
	case *ast.SelectStmt:
		w("(select")
		for _, c := range s.Body.List {
			c := c.(*ast.CommClause)
			w(" (case ")
			opt(c.Comm)
			w(")")
			stmts(c.Body)
		}
		w(")")
	default:
		panic(fmt.Sprintf("%T", s))
	}
}
func clauses(body *ast.BlockStmt) {
	for _, c := range body.List {
		c := c.(*ast.CaseClause)
		w(" ")
		list("case", c.List...)
		stmts(c.Body)
	}
}
func tparams(l *ast.FieldList) {
	if l == nil {
		return
	}
	for _, f := range l.List {
		for _, n := range f.Names {
			w(" [" + n.Name + " ")
			constraint(f.Type)
			w("]")
		}
	}
}
func flush(o *bufio.Writer) {
	o.WriteString(strings.Join(strings.Fields(b.String()), " "))
	o.WriteString("\n")
	b.Reset()
}
func main() {
	in := bufio.NewScanner(os.Stdin)
	o := bufio.NewWriter(os.Stdout)
	defer o.Flush()
	for in.Scan() {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, in.Text(), nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		o.WriteString("\x00" + in.Text() + "\n")
		nth := map[string]int{}
		num := func(k, n string) string {
			c := nth[k+"."+n]
			nth[k+"."+n]++
			if c > 0 {
				return fmt.Sprintf("%s#%d", n, c)
			}
			return n
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil && len(d.Recv.List) == 0 {
					continue
				}
				if d.Recv != nil {
					w("method (")
					r := d.Recv.List[0]
					if r.Names != nil {
						w(r.Names[0].Name + " ")
					}
					t := unparen(r.Type)
					if s, ok := t.(*ast.StarExpr); ok {
						w("*")
						t = unparen(s.X)
					}
					var ps []ast.Expr
					switch x := t.(type) {
					case *ast.IndexExpr:
						t, ps = x.X, []ast.Expr{x.Index}
					case *ast.IndexListExpr:
						t, ps = x.X, x.Indices
					}
					expr(t)
					for _, p := range ps {
						w(" ")
						expr(p)
					}
					w(")." + num(last(t), d.Name.Name))
				} else {
					w("func " + num("", d.Name.Name))
				}
				tparams(d.Type.TypeParams)
				w(" ")
				sig(d.Type)
				if d.Body == nil {
					w(" bodiless")
				}
				flush(o)
				if d.Body != nil {
					w("body " + d.Name.Name + " ")
					stmt(d.Body)
					flush(o)
				}
			case *ast.GenDecl:
				iota := 0
				var pv []ast.Expr
				var pt ast.Expr
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						if s.Assign.IsValid() {
							w("alias ")
						} else {
							w("type ")
						}
						w(num("", s.Name.Name))
						tparams(s.TypeParams)
						w(" ")
						expr(s.Type)
						flush(o)
					case *ast.ValueSpec:
						if d.Tok == token.CONST {
							if s.Values != nil {
								pv, pt = s.Values, s.Type
							}
							for i, n := range s.Names {
								w("const " + num("", n.Name))
								if pt != nil {
									w(" ")
									expr(pt)
								}
								w(" = ")
								if i < len(pv) {
									expr(pv[i])
								} else {
									w("?")
								}
								w(fmt.Sprintf(" iota %d", iota))
								flush(o)
							}
							iota++
						} else {
							for _, n := range s.Names {
								num("", n.Name)
							}
							if s.Values != nil {
								w("body " + s.Names[0].Name)
								for _, v := range s.Values {
									w(" ")
									expr(v)
								}
								flush(o)
							}
						}
					}
				}
			}
		}
	}
}
