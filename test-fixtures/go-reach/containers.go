// Values on their way through channels, maps, slices, arrays and pointers.
package main

type Sender interface{ Send() }

type InChan struct{}

func (InChan) Send() {}

type InMap struct{}

func (InMap) Send() {}

type AsKey struct{}

func (AsKey) Send() {}

type InSlice struct{}

func (InSlice) Send() {}

type InArray struct{}

func (InArray) Send() {}

type ByPointer struct{}

func (ByPointer) Send() {}

type Variadic struct{}

func (Variadic) Send() {}

type Stack[T any] struct{ all []T }

func (s *Stack[T]) Push(x T) { s.all = append(s.all, x) }

func (s *Stack[T]) Pop() T { return s.all[len(s.all)-1] }

type OnStack struct{}

func (OnStack) Send() {}

func each(all ...Sender) {
	for _, one := range all {
		one.Send()
	}
}

func set(p *Sender) { *p = ByPointer{} }

var handlers = map[string]func(){"": handled}

func handled() {}

func containers() {
	c := make(chan Sender, 1)
	c <- InChan{}
	(<-c).Send()
	m := map[string]Sender{"": InMap{}}
	m[""].Send()
	for k := range map[Sender]int{AsKey{}: 1} {
		k.Send()
	}
	a := [1]Sender{InArray{}}
	a[0].Send()
	s := []Sender{InSlice{}}
	s[0].Send()
	var p Sender
	set(&p)
	p.Send()
	each(Variadic{})
	stack := &Stack[Sender]{}
	stack.Push(OnStack{})
	stack.Pop().Send()
	handlers[""]()
}
