// Calls through constraints.
package main

type Less[T any] interface{ Before(T) bool }

type Num int

func (a Num) Before(b Num) bool { return a < b }

func Min[T Less[T]](a, b T) T {
	if a.Before(b) {
		return a
	}
	return b
}

type Setter struct{ s string }

func (p *Setter) Set(s string) { p.s = s }

func Parse[T any, P interface {
	*T
	Set(string)
}](s string) T {
	var t T
	P(&t).Set(s)
	return t
}

type Point[P any] interface {
	*North | *South
	Add(P) P
}

type North struct{}

func (n *North) Add(*North) *North { return n }

type South struct{}

func (s *South) Add(*South) *South { return s }

type Curve[P Point[P]] struct{ make func() P }

func (c *Curve[P]) Sum() P { return c.make().Add(c.make()) }

var northCurve = &Curve[*North]{make: func() *North { return &North{} }}

var southCurve = &Curve[*South]{make: newSouth}

func newSouth() *South { return &South{} }

type Summer interface{ Sum() *North }

type Named interface {
	~int | ~string
	Label() string
}

type Tag string

func (t Tag) Label() string { return string(t) }

func Join[T Named](all ...T) (s string) {
	for _, one := range all {
		s += one.Label()
	}
	return s
}

type Runner struct{}

func (Runner) Jump() {}

func Literal[T interface{ Jump() }](x T) { x.Jump() }

type Inner struct{}

func (Inner) Beat() {}

type Beater interface{ Beat() }

func outer[T Beater](x T) { middle(x) }

func middle[T Beater](x T) { x.Beat() }

func constraints() {
	_ = Min(Num(1), 2)
	_ = Parse[Setter]("")
	var s Summer = northCurve
	s.Sum()
	southCurve.Sum()
	_ = Join(Tag(""))
	Literal(Runner{})
	outer(Inner{})
}
