// Package values shows: functions as values, whose calls no declaration decides.
package values

var table = map[string]func(int) int{
	"twice": twice,
}

// Run calls whatever the table holds.
func Run(name string, n int) int {
	return table[name](n)
}

func twice(n int) int { return 2 * n }
