//go:build drill

package editorial_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"
)

// The drill of the state machine tries 20,000 acts in episodes of 500, each with a
// seed of its own; DRILL_SEED tries one again, and DRILL_ACTS another number:
//
//	go test -tags drill -run DrillWorkflow -timeout 60m -v ./app/documentation/editorial
func TestDrillWorkflow(t *testing.T) {
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return otherwise
	}
	const episode = 500
	first, acts := number("DRILL_SEED", 0), number("DRILL_ACTS", 20_000)
	if first != 0 {
		acts = episode
	}
	var tried, done, together int
	for seed := first; tried < acts; seed++ {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			m := newMachine(t, uint64(seed))
			m.play(episode)
			tried, done, together = tried+m.tried, done+m.done, together+m.together
		})
		if t.Failed() {
			break
		}
	}
	t.Logf("%d acts, %d of them legal, %d pairs at once", tried, done, together)
}
