// Package runtest says how a run of tests goes: what runs at once, and where temporary
// folders are.
package runtest

import (
	"flag"
	"strconv"
)

// Overlap lets n parallel tests of this binary run at once, unless -parallel says
// otherwise: they wait for the database, for other programs and for the clock while others
// compute. Call it from TestMain.
func Overlap(n int) {
	flag.Parse()
	const name = "test.parallel"
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == name })
	if asked {
		return
	}
	if err := flag.Set(name, strconv.Itoa(n)); err != nil {
		panic(err) // the flag takes every number
	}
}
