package main

import (
	"context"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// What Go's runtime may hold, in bytes, so that a web process with the program
// itself stays under 150 MB, and how much garbage may gather within that, in
// hundredths of what is in use.
const (
	memoryAim      = 128 << 20
	garbagePercent = 400
	memoryChecked  = 10 * time.Second
)

// tuneMemory spends memory that is free on collecting garbage less often, until
// ctx ends. What GOGC or GOMEMLIMIT ask for is left as it is.
func tuneMemory(ctx context.Context) {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return
	}
	if asked := debug.SetGCPercent(garbagePercent); asked != 100 {
		debug.SetGCPercent(asked)
		return
	}
	inUse := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	ticker := time.NewTicker(memoryChecked)
	defer ticker.Stop()
	for {
		metrics.Read(inUse)
		debug.SetMemoryLimit(memoryLimit(int64(inUse[0].Value.Uint64())))
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// memoryLimit is what the runtime may hold when so much is in use. It leaves
// room for garbage always: collecting without end costs more than memory.
func memoryLimit(inUse int64) int64 { return max(memoryAim, inUse*3/2) }
