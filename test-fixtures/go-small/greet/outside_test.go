package greet_test

// Shows: a test outside the package calls through its import.

import (
	"testing"

	"example.com/small/greet"
)

func TestSay(t *testing.T) {
	greet.Say(greet.Default(), "y")
}
