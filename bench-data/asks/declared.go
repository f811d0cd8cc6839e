// Command declared prints where the symbols of a Go module are declared, by go/types.
//
// It reads lines `import/path:Type.Member`, `import/path:Name` or `import/path:` (the package itself) and
// prints for each a line `import/path:Type.Member` of the declaration: of a promoted field or method that
// of the embedded type. It runs in the module's folder.
package main

import (
	"bufio"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"os"
	"strings"
)

func main() {
	source := importer.ForCompiler(token.NewFileSet(), "source", nil).(types.ImporterFrom)
	folder, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		path, name, _ := strings.Cut(lines.Text(), ":")
		pkg, err := source.ImportFrom(path, folder, 0)
		if err != nil && pkg == nil {
			fmt.Printf("error: %v\n", err)
			continue
		}
		fmt.Println(declared(pkg, name))
	}
}

// declared returns the declaration of a name in a package.
func declared(pkg *types.Package, name string) string {
	if name == "" {
		return pkg.Path() + ":"
	}
	first, member, isMember := strings.Cut(name, ".")
	found := pkg.Scope().Lookup(first)
	if found == nil {
		return "error: no " + first + " in " + pkg.Path()
	}
	if !isMember {
		return pkg.Path() + ":" + first
	}
	of := found.Type()
	object, index, _ := types.LookupFieldOrMethod(of, true, pkg, member)
	if object == nil {
		return "error: no " + name + " in " + pkg.Path()
	}
	owner := of
	if method, ok := object.(*types.Func); ok {
		owner = method.Type().(*types.Signature).Recv().Type()
	} else {
		// The path of embedded fields; its last step is the field itself.
		for _, step := range index[:len(index)-1] {
			owner = pointee(owner).Underlying().(*types.Struct).Field(step).Type()
		}
	}
	named, ok := types.Unalias(pointee(owner)).(*types.Named)
	if !ok {
		return "error: " + name + " belongs to no named type"
	}
	return named.Obj().Pkg().Path() + ":" + named.Obj().Name() + "." + member
}

// pointee returns the type that a pointer points to, else the type itself.
func pointee(of types.Type) types.Type {
	if pointer, ok := types.Unalias(of).(*types.Pointer); ok {
		return pointer.Elem()
	}
	return of
}
