// Calls through generic interfaces whose instances are spelled, inferred, or substituted.
package main

type Store[T any] interface{ Put(T) }

type Mem[T any] struct{ last T }

func (m *Mem[T]) Put(x T) { m.last = x }

type Disk[T any] struct{ last T }

func (d *Disk[T]) Put(x T) { d.last = x }

type Ints struct{}

func (Ints) Put(int) {}

type Words struct{}

func (Words) Put(string) {}

// Idle satisfies an instance and never flows to one.
type Idle struct{}

func (Idle) Put(float64) {}

func Use[T any](s Store[T], x T) { s.Put(x) }

func Again[T any](s Store[T], x T) { Use(s, x) }

type Holder[T any] struct{ store Store[T] }

func (h Holder[T]) Fill(x T) { h.store.Put(x) }

type Spelled interface{ Take() }

type Box[T Spelled] struct{ inner T }

func (b *Box[T]) Run() { b.inner.Take() }

type Taken struct{}

func (Taken) Take() {}

type Tree[K any] struct {
	compare interface{ Compare(a, b K) int }
}

func (t *Tree[K]) Find(a, b K) int { return t.compare.Compare(a, b) }

type ByLength struct{}

func (ByLength) Compare(a, b string) int { return len(a) - len(b) }

func instances() {
	Use[int](&Mem[int]{}, 1)
	Again(Store[int](Ints{}), 1)
	Holder[string]{&Disk[string]{}}.Fill("")
	var words Store[string] = Words{}
	words.Put("")
	box := &Box[Taken]{}
	box.Run()
	t := Tree[string]{ByLength{}}
	_ = t.Find("", "")
	_ = Idle{}
}
