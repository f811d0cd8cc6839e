package greet

// Loud shows: embedding, and a method that is promoted from the embedded type.
type Loud struct {
	English
	marks int
}

// Shout calls a promoted method.
func (l Loud) Shout(name string) string {
	return l.Greet(name) + "!"
}
