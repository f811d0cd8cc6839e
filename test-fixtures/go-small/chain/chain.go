// Package chain shows: a chain of calls with a ring in it, for depth, cycles, impact and path.
package chain

// First starts the chain.
func First(n int) int { return second(n) }

func second(n int) int { return third(n) + 1 }

func third(n int) int {
	if n > 0 {
		return second(n - 1)
	}
	return last()
}

func last() int { return 0 }

// Alone is called by nobody.
func Alone() {}
