package main

import "testing"

func TestMemoryLimitLeavesRoomForGarbage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ inUse, want int64 }{
		{0, 128 << 20}, {80 << 20, 128 << 20}, {100 << 20, 150 << 20}, {1 << 30, 3 << 29},
	} {
		if got := memoryLimit(tt.inUse); got != tt.want {
			t.Errorf("memoryLimit(%d) = %d, want %d", tt.inUse, got, tt.want)
		}
	}
}
