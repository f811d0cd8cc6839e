// Calls that another package makes.
package main

import "example.com/reach/kit"

type Wrapped struct{ inner error }

func (w *Wrapped) Error() string { return "" }
func (w *Wrapped) Unwrap() error { return w.inner }
func (w *Wrapped) Is(error) bool { return false }

type Version int

func (v Version) Compare(w Version) int { return int(v - w) }

type Buffer struct{}

func (*Buffer) Reset() {}

var pool = kit.Pool[*Buffer]{New: func() *Buffer { return &Buffer{} }}

func lib() {
	var err error = &Wrapped{}
	_ = kit.Unwrap(err)
	_ = kit.Is(err, err)
	_ = err.Error()
	_ = kit.Max(Version(1), 2)
	_ = pool.Get()
}
