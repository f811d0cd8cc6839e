package greet

// Shows: a test of the package itself calls an exact method.

import "testing"

func TestEnglish(t *testing.T) {
	if (English{}).Greet("x") != "Hello, x" {
		t.Fatal("no greeting")
	}
}
