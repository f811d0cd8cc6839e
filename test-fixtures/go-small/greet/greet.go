// Package greet shows: an interface, a type that implements it by value, one that does by
// pointer, and a call through the interface.
package greet

// Greeter greets.
type Greeter interface {
	Greet(name string) string
}

// English implements Greeter by value.
type English struct{}

// Greet greets in English.
func (English) Greet(name string) string { return join("Hello", name) }

// French implements Greeter by pointer only.
type French struct{ count int }

// Greet greets in French and counts.
func (f *French) Greet(name string) string {
	f.count++
	return join("Bonjour", name)
}

// Say calls through the interface.
func Say(g Greeter, name string) string {
	return g.Greet(name)
}

// Default gives a Greeter.
func Default() Greeter { return English{} }

func join(word, name string) string {
	return word + ", " + name
}
