// Package testing shows: a library package that a workspace's tests import; it stands for the
// standard library, so that tests need no Go distribution.
package testing

// T is given to each test.
type T struct{ failed bool }

// Fatal fails a test.
func (t *T) Fatal(args ...any) { t.failed = true }
