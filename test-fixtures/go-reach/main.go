// Command reach calls methods in every way that Go has: each type is reached in one of them.
package main

func main() {
	literals()
	instances()
	constraints()
	embeddings()
	values()
	containers()
	switches()
	sequences()
	aliases()
	lib()
}
