// Whether a type implements an interface. `go list -test` gives a package twice where it has test files,
// and go/types takes each as a package of its own; here a type is the one that its declaration declares
// (Go spec, Type identity), whichever of the two it was checked in.

package main

import "go/types"

// receiverFor says whether a type, or only its pointer, implements an interface.
func receiverFor(c conc, it *types.Interface) (viaPtr, fits bool) {
	if implements(c.t, it) {
		return false, true
	}
	return true, implements(types.NewPointer(c.t), it)
}

// implements is types.Implements, of a type and of a method set that has no free type parameters, for
// packages and their test variants together.
func implements(t types.Type, it *types.Interface) bool {
	if types.Implements(t, it) {
		return true
	}
	set := types.NewMethodSet(t)
	same := unifier{} // without variables: identity
	for i := 0; i < it.NumMethods(); i++ {
		m := it.Method(i)
		s := set.Lookup(m.Pkg(), m.Name())
		if s == nil || !same.unify(m.Type(), s.Type()) {
			return false
		}
	}
	return true
}

// sameDeclaration says whether two names of types are one in the source.
func sameDeclaration(a, b *types.TypeName) bool {
	return a == b || a.Name() == b.Name() && a.Pos().IsValid() && b.Pos().IsValid() && at(a.Pos()) == at(b.Pos())
}
