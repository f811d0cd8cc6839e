// Range over functions, and generic iterators.
package main

type Seq[T any] func(yield func(T) bool)

type Visitor interface{ Visit() }

type Node struct{}

func (Node) Visit() {}

type Leaf struct{}

func (Leaf) Visit() {}

type Twig struct{}

func (*Twig) Visit() {}

func nodes(yield func(Visitor) bool) { yield(Node{}) }

func of[T any](all ...T) Seq[T] {
	return func(yield func(T) bool) {
		for _, one := range all {
			if !yield(one) {
				return
			}
		}
	}
}

func mapped[T, U any](seq Seq[T], f func(T) U) Seq[U] {
	return func(yield func(U) bool) {
		for one := range seq {
			if !yield(f(one)) {
				return
			}
		}
	}
}

func leaf(int) Visitor { return Leaf{} }

type Group struct{ twigs []*Twig }

func (g *Group) All() Seq[*Twig] { return of(g.twigs...) }

func visit[T Visitor](seq Seq[T]) {
	for one := range seq {
		one.Visit()
	}
}

func sequences() {
	for n := range nodes {
		n.Visit()
	}
	for n := range mapped(of(1), leaf) {
		n.Visit()
	}
	visit((&Group{}).All())
}
