// Package kit stands for a library: what it calls through literals and constraints is in another
// package than the methods.
package kit

type wrapper interface{ Unwrap() error }

// Unwrap asks by a literal, as errors.Unwrap does.
func Unwrap(err error) error {
	u, ok := err.(interface{ Unwrap() error })
	if !ok {
		return nil
	}
	return u.Unwrap()
}

// Is asks by a method of any type.
func Is(err, target error) bool {
	x, ok := err.(interface{ Is(error) bool })
	return ok && x.Is(target)
}

// Ordered is what Max compares.
type Ordered[T any] interface{ Compare(T) int }

// Max is the greater one.
func Max[T Ordered[T]](a, b T) T {
	if a.Compare(b) > 0 {
		return a
	}
	return b
}

// Pool keeps what New makes.
type Pool[T interface{ Reset() }] struct{ New func() T }

// Get resets what it gives.
func (p *Pool[T]) Get() T {
	x := p.New()
	x.Reset()
	return x
}
