// Aliases, generic ones too.
package main

type Painter interface{ Paint() }

type Same = Painter

type Brush struct{}

func (Brush) Paint() {}

type Roller = Brush

type Sink[T any] interface{ Drain(T) }

type IntSink = Sink[int]

type AnySink[T any] = Sink[T]

type Pipe struct{}

func (Pipe) Drain(int) {}

type Tube struct{}

func (Tube) Drain(string) {}

type Literal2 = interface{ Glow() }

type Lamp struct{}

func (Lamp) Glow() {}

func drain[T any](s AnySink[T], x T) { s.Drain(x) }

func aliases() {
	var p Same = Roller{}
	p.Paint()
	var i IntSink = Pipe{}
	i.Drain(1)
	drain[string](Tube{}, "")
	var l Literal2 = Lamp{}
	l.Glow()
}
