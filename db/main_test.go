package db_test

import (
	"testing"

	"heliograph/app/runtest"
)

func TestMain(m *testing.M) {
	runtest.InMemory()
	runtest.Overlap(4)
	m.Run()
}
