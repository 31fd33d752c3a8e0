package main

import (
	"syscall"
	"time"
)

// rlimitData bounds the private memory of a process, without what is only reserved.
const rlimitData = 2

// boundProcess ends this process when it takes more memory or processor time.
func boundProcess(memory uint64, processor time.Duration) error {
	if err := syscall.Setrlimit(rlimitData, &syscall.Rlimit{Cur: memory, Max: memory}); err != nil {
		return err
	}
	seconds := uint64(processor / time.Second)
	return syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: seconds, Max: seconds + 1})
}
