// Package shapes shows: uses of a type as field, parameter, result, literal, conversion and type
// argument.
package shapes

// Point is used in every way.
type Point struct{ X, Y int }

// Line has fields of the type.
type Line struct{ From, To Point }

// Pair is generic.
type Pair[T any] struct{ A, B T }

// Move takes and gives the type and makes a literal of it.
func Move(p Point, by int) Point {
	return Point{X: p.X + by, Y: p.Y + by}
}

// Both names the type as a type argument.
func Both(l Line) Pair[Point] {
	return Pair[Point]{A: l.From, B: l.To}
}
