// Command heliograph is the whole program.
package main

func main() {}
