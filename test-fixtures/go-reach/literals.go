// Calls through interface literals.
package main

type Asserted struct{}

func (Asserted) Close() error { return nil }

type Passed struct{}

func (Passed) Shut() {}

type Returned struct{}

func (Returned) Lock() {}

type Kept struct{}

func (Kept) Hold() {}

type Global struct{}

func (Global) Stay() {}

type Elem struct{}

func (Elem) Fill() {}

type Keyed struct{}

func (Keyed) Turn() {}

type Both struct{}

func (*Both) Open()  {}
func (*Both) Clash() {}

// Other has the name and another signature: no literal call runs it.
type Other struct{}

func (Other) Close() {}

type Fields struct {
	held interface{ Hold() }
}

type List []interface{ Fill() }

type Table map[string]interface{ Turn() }

var global interface{ Stay() } = Global{}

func shut(x interface{ Shut() }) { x.Shut() }

func locked() interface{ Lock() } { return Returned{} }

func both(x interface {
	Open()
	Clash()
}) {
	x.Open()
	defer x.Clash()
}

func literals() {
	for _, x := range []any{Asserted{}, Other{}} {
		if c, ok := x.(interface{ Close() error }); ok {
			_ = c.Close()
		}
	}
	shut(Passed{})
	locked().Lock()
	Fields{held: Kept{}}.held.Hold()
	global.Stay()
	for _, x := range (List{Elem{}}) {
		x.Fill()
	}
	go Table{"": Keyed{}}[""].Turn()
	both(&Both{})
}
