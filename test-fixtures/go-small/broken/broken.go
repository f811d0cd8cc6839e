// Package broken shows: what can be read of a file with a syntax error.
package broken

// Whole can be read.
func Whole() int { return half() }

func half() int { return 1 }

func torn( {
