// Whether a type satisfies a generic interface for some type arguments of both: the signatures of the
// methods are unified (Go spec, Type unification, exact), then go/types checks the instances.

package main

import (
	"go/types"
	"strings"
)

// unifier holds what type parameters have to be.
type unifier struct {
	vars  map[*types.TypeParam]bool
	bound map[*types.TypeParam]types.Type
}

// unifierOf has the type parameters of a generic type.
func unifierOf(c conc) *unifier {
	u := &unifier{map[*types.TypeParam]bool{}, map[*types.TypeParam]types.Type{}}
	if named := c.open(); named != nil {
		for i := 0; i < named.TypeArgs().Len(); i++ {
			if tp, ok := named.TypeArgs().At(i).(*types.TypeParam); ok {
				u.vars[tp] = true
			}
		}
	}
	return u
}

// open is a generic type whose arguments are its own parameters; nil for all others.
func (c conc) open() *types.Named {
	if !c.generic || c.args != "" {
		return nil
	}
	named, _ := types.Unalias(c.t).(*types.Named)
	return named
}

// has says whether a type's pointer has methods of an interface's names.
func (c conc) has(it *types.Interface) bool {
	for i := 0; i < it.NumMethods(); i++ {
		if !c.ptr[it.Method(i).Id()] {
			return false
		}
	}
	return true
}

// methods unifies the methods of an interface with those of a type, and says whether only its pointer
// has them.
func (u *unifier) methods(c conc, it *types.Interface) (viaPtr, fits bool) {
	if !c.has(it) {
		return false, false
	}
	values := types.NewMethodSet(c.t)
	for i := 0; i < it.NumMethods(); i++ {
		m := it.Method(i)
		s := c.set.Lookup(m.Pkg(), m.Name())
		if s == nil || !u.unify(m.Type(), s.Type()) {
			return false, false
		}
		viaPtr = viaPtr || values.Lookup(m.Pkg(), m.Name()) == nil
	}
	return viaPtr, true
}

// made is a type with what its parameters are bound to, or the pointer to that.
func (u *unifier) made(c conc, viaPtr bool) types.Type {
	t := c.t
	if named := c.open(); named != nil {
		t = u.instance(named.Origin(), func(i int) *types.TypeParam {
			tp, _ := named.TypeArgs().At(i).(*types.TypeParam)
			return tp
		})
	}
	if t != nil && viaPtr {
		t = types.NewPointer(t)
	}
	return t
}

// fitsFor says for which arguments a type satisfies a generic interface, and whether only its pointer does.
func fitsFor(c conc, n *types.Named, it *types.Interface) (args string, viaPtr bool, fits bool) {
	u := unifierOf(c)
	for i := 0; i < n.TypeParams().Len(); i++ {
		u.vars[n.TypeParams().At(i)] = true
	}
	if viaPtr, fits = u.methods(c, it); !fits {
		return "", false, false
	}
	iface, t := u.instance(n, n.TypeParams().At), u.made(c, viaPtr)
	if iface == nil || t == nil || !implements(t, iface.Underlying().(*types.Interface)) {
		return "", false, false
	}
	s := types.TypeString(iface, qual)
	return s[strings.Index(s, "["):], viaPtr, true
}

// fitsSome says whether a generic type, or only its pointer, satisfies an interface without type parameters
// for some arguments.
func fitsSome(c conc, it *types.Interface) (viaPtr, fits bool) {
	if c.open() == nil {
		return false, false
	}
	u := unifierOf(c)
	if viaPtr, fits = u.methods(c, it); !fits {
		return false, false
	}
	t := u.made(c, viaPtr)
	return viaPtr, t != nil && implements(t, it)
}

// instance puts in place what the type parameters are bound to. What stays free of a type stays its own
// parameter. Constraints are checked where no parameter is left.
func (u *unifier) instance(n *types.Named, param func(int) *types.TypeParam) types.Type {
	args := make([]types.Type, n.TypeParams().Len())
	closed := true
	for i := range args {
		tp := param(i)
		if tp == nil {
			return nil
		}
		args[i] = u.subst(tp)
		closed = closed && !hasTypeParam(args[i], map[types.Type]bool{})
	}
	t, err := types.Instantiate(nil, n.Origin(), args, closed)
	if err != nil {
		return nil
	}
	return t
}

func (u *unifier) resolve(t types.Type) types.Type {
	t = types.Unalias(t)
	for {
		tp, ok := t.(*types.TypeParam)
		if !ok || u.bound[tp] == nil {
			return t
		}
		t = types.Unalias(u.bound[tp])
	}
}

// subst replaces bound parameters in a type.
func (u *unifier) subst(t types.Type) types.Type {
	list := func(n int, at func(int) types.Type) []types.Type {
		r := make([]types.Type, n)
		for i := range r {
			r[i] = u.subst(at(i))
		}
		return r
	}
	vars := func(t *types.Tuple) []*types.Var {
		r := make([]*types.Var, t.Len())
		for i := range r {
			r[i] = types.NewParam(t.At(i).Pos(), t.At(i).Pkg(), t.At(i).Name(), u.subst(t.At(i).Type()))
		}
		return r
	}
	t = u.resolve(t)
	if !hasTypeParam(t, map[types.Type]bool{}) {
		return t
	}
	switch t := t.(type) {
	case *types.Named:
		if made, err := types.Instantiate(nil, t.Origin(), list(t.TypeArgs().Len(), t.TypeArgs().At), false); err == nil {
			return made
		}
	case *types.Pointer:
		return types.NewPointer(u.subst(t.Elem()))
	case *types.Slice:
		return types.NewSlice(u.subst(t.Elem()))
	case *types.Array:
		return types.NewArray(u.subst(t.Elem()), t.Len())
	case *types.Chan:
		return types.NewChan(t.Dir(), u.subst(t.Elem()))
	case *types.Map:
		return types.NewMap(u.subst(t.Key()), u.subst(t.Elem()))
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, types.NewTuple(vars(t.Params())...), types.NewTuple(vars(t.Results())...), t.Variadic())
	case *types.Struct:
		fields, tags := make([]*types.Var, t.NumFields()), make([]string, t.NumFields())
		for i := range fields {
			f := t.Field(i)
			fields[i], tags[i] = types.NewField(f.Pos(), f.Pkg(), f.Name(), u.subst(f.Type()), f.Embedded()), t.Tag(i)
		}
		return types.NewStruct(fields, tags)
	}
	return t
}

func (u *unifier) holds(tp *types.TypeParam, t types.Type) bool {
	switch t := u.resolve(t).(type) {
	case *types.TypeParam:
		return t == tp
	case *types.Named:
		for i := 0; i < t.TypeArgs().Len(); i++ {
			if u.holds(tp, t.TypeArgs().At(i)) {
				return true
			}
		}
	case *types.Pointer:
		return u.holds(tp, t.Elem())
	case *types.Slice:
		return u.holds(tp, t.Elem())
	case *types.Array:
		return u.holds(tp, t.Elem())
	case *types.Chan:
		return u.holds(tp, t.Elem())
	case *types.Map:
		return u.holds(tp, t.Key()) || u.holds(tp, t.Elem())
	case *types.Signature:
		return u.holds(tp, t.Params()) || u.holds(tp, t.Results())
	case *types.Tuple:
		for i := 0; i < t.Len(); i++ {
			if u.holds(tp, t.At(i).Type()) {
				return true
			}
		}
	case *types.Struct:
		for i := 0; i < t.NumFields(); i++ {
			if u.holds(tp, t.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}

func (u *unifier) bind(tp *types.TypeParam, t types.Type) bool {
	if u.holds(tp, t) {
		return false
	}
	u.bound[tp] = t
	return true
}

func (u *unifier) unify(x, y types.Type) bool {
	x, y = u.resolve(x), u.resolve(y)
	if types.Identical(x, y) {
		return true
	}
	if tp, ok := x.(*types.TypeParam); ok && u.vars[tp] {
		return u.bind(tp, y)
	}
	if tp, ok := y.(*types.TypeParam); ok && u.vars[tp] {
		return u.bind(tp, x)
	}
	switch x := x.(type) {
	case *types.Named:
		y, ok := y.(*types.Named)
		if !ok || !sameDeclaration(x.Origin().Obj(), y.Origin().Obj()) || x.TypeArgs().Len() != y.TypeArgs().Len() {
			return false
		}
		for i := 0; i < x.TypeArgs().Len(); i++ {
			if !u.unify(x.TypeArgs().At(i), y.TypeArgs().At(i)) {
				return false
			}
		}
		return true
	case *types.Pointer:
		y, ok := y.(*types.Pointer)
		return ok && u.unify(x.Elem(), y.Elem())
	case *types.Slice:
		y, ok := y.(*types.Slice)
		return ok && u.unify(x.Elem(), y.Elem())
	case *types.Array:
		y, ok := y.(*types.Array)
		return ok && x.Len() == y.Len() && u.unify(x.Elem(), y.Elem())
	case *types.Chan:
		y, ok := y.(*types.Chan)
		return ok && x.Dir() == y.Dir() && u.unify(x.Elem(), y.Elem())
	case *types.Map:
		y, ok := y.(*types.Map)
		return ok && u.unify(x.Key(), y.Key()) && u.unify(x.Elem(), y.Elem())
	case *types.Signature:
		y, ok := y.(*types.Signature)
		return ok && x.Variadic() == y.Variadic() && x.TypeParams().Len() == 0 && y.TypeParams().Len() == 0 && u.unify(x.Params(), y.Params()) && u.unify(x.Results(), y.Results())
	case *types.Tuple:
		y, ok := y.(*types.Tuple)
		if !ok || x.Len() != y.Len() {
			return false
		}
		for i := 0; i < x.Len(); i++ {
			if !u.unify(x.At(i).Type(), y.At(i).Type()) {
				return false
			}
		}
		return true
	case *types.Struct:
		y, ok := y.(*types.Struct)
		if !ok || x.NumFields() != y.NumFields() {
			return false
		}
		for i := 0; i < x.NumFields(); i++ {
			f, g := x.Field(i), y.Field(i)
			if f.Id() != g.Id() || f.Embedded() != g.Embedded() || x.Tag(i) != y.Tag(i) || !u.unify(f.Type(), g.Type()) {
				return false
			}
		}
		return true
	case *types.Interface:
		y, ok := y.(*types.Interface)
		if !ok || x.NumMethods() != y.NumMethods() || !x.IsMethodSet() || !y.IsMethodSet() {
			return false
		}
		for i := 0; i < x.NumMethods(); i++ {
			if x.Method(i).Id() != y.Method(i).Id() || !u.unify(x.Method(i).Type(), y.Method(i).Type()) {
				return false
			}
		}
		return true
	}
	return false
}
