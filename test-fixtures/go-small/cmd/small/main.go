// Command small shows: calls into other packages, an import by another name, a package
// initialiser as caller.
package main

import (
	"example.com/small/chain"
	hello "example.com/small/greet"
	"example.com/small/values"
)

var first = hello.Default()

func main() {
	hello.Say(first, "world")
	hello.Say(&hello.French{}, "monde")
	chain.First(3)
	values.Run("twice", 2)
}
