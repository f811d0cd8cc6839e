// Promoted methods.
package main

type Speaker interface{ Speak() }

type Base struct{}

func (Base) Speak() {}

type Deep struct{ Base }

type Deeper struct{ *Deep }

type Voice struct{}

func (*Voice) Speak() {}

type Radio struct{ Speaker }

type Loud interface {
	Speaker
	Shout()
}

type Crowd struct{ Speaker }

func (Crowd) Shout() {}

type Generic[T any] struct{ item T }

func (g *Generic[T]) Item() T { return g.item }

type Derived struct{ Generic[int] }

type Pointed struct{ *Generic[string] }

type IntItem interface{ Item() int }

type StringItem interface{ Item() string }

type Sound struct{}

func (Sound) Ring() {}

type Ringer = interface{ Ring() }

type Bell struct{ Ringer }

type Half struct{}

func (Half) Left() {}

type Rest struct{}

func (Rest) Right() {}

func speak(s Speaker) { s.Speak() }

func embeddings() {
	speak(Deeper{&Deep{}})
	speak(Radio{&Voice{}})
	var l Loud = Crowd{Base{}}
	l.Shout()
	l.Speak()
	var i IntItem = &Derived{}
	_ = i.Item()
	var s StringItem = Pointed{&Generic[string]{}}
	_ = s.Item()
	var r interface{ Ring() } = Bell{Sound{}}
	r.Ring()
	var two any = struct {
		Half
		Rest
	}{}
	if x, ok := two.(interface {
		Left()
		Right()
	}); ok {
		x.Left()
		x.Right()
	}
}
