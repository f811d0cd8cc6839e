//go:build never

package platform

// Hidden shows: a caller in a file that is left out.
func Hidden() string { return Name() }
