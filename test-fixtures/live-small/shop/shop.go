// Package shop shows: an interface with two implementations, one with a single one, and a function
// that two packages call.
package shop

// Till takes money.
type Till interface {
	Pay(cents int) error
}

// Drawer is a Till.
type Drawer struct{ sum int }

// Pay puts the money in.
func (d *Drawer) Pay(cents int) error {
	d.sum += cents
	return nil
}

// Card is a Till, too.
type Card struct{ left int }

// Pay takes what is left.
func (c Card) Pay(cents int) error { return nil }

// Label has one implementation.
type Label interface {
	Text() string
}

// Plain is the only Label.
type Plain struct{ words string }

// Text gives the words.
func (p Plain) Text() string { return p.words }

// Sell calls through the interface.
func Sell(till Till, cents int) error { return till.Pay(cents) }
