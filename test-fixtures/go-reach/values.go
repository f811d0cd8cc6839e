// Method values, method expressions, closures, defer and go.
package main

type Op struct{}

func (Op) Bound()      {}
func (*Op) Expressed() {}
func (Op) Deferred()   {}
func (Op) Started()    {}
func (Op) Captured()   {}
func (Op) Returned()   {}
func (Op) Field()      {}
func (Op) Argument()   {}

type Doer interface{ Do() }

type doing = interface{ Do() }

type Work struct{}

func (Work) Do() {}

type Task struct{}

func (Task) Do() {}

type Hook struct{ f func() }

func run(f func()) { f() }

func closure() func() {
	o := Op{}
	return func() { o.Captured() }
}

func pick() func() { return Op{}.Returned }

func plain() {}

func values() {
	o := Op{}
	f := o.Bound
	f()
	g := (*Op).Expressed
	g(&o)
	defer o.Deferred()
	go o.Started()
	closure()()
	pick()()
	Hook{o.Field}.f()
	run(o.Argument)
	run(plain)
	var d Doer = Work{}
	run(d.Do)
	h := Doer.Do
	h(Task{})
	i := doing.Do
	i(Task{})
}
