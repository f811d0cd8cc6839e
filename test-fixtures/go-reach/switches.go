// Type switches and assertions.
package main

type Walker interface{ Walk() }

type Swimmer interface{ Swim() }

type Duck struct{}

func (Duck) Walk() {}
func (Duck) Swim() {}

type Fish struct{}

func (*Fish) Swim() {}

type Cat struct{}

func (Cat) Walk() {}

type Frog struct{}

func (Frog) Leap() {}

func move(x any) {
	switch y := x.(type) {
	case Walker:
		y.Walk()
	case Swimmer:
		y.Swim()
	case interface{ Leap() }:
		y.Leap()
	}
}

func switches() {
	move(Duck{})
	move(&Fish{})
	move(Cat{})
	move(Frog{})
	var w Walker = Duck{}
	w.(Swimmer).Swim()
}
