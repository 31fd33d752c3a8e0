package dev

import (
	"fmt"
	"os"
	"syscall"
)

// locale is what the C library offers everywhere without being installed.
const locale = "C.UTF-8"

func attributes(credential *syscall.Credential, death syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Credential: credential, Pdeathsig: death}
}

// descriptorPath names an inherited descriptor as a path. The kernel goes
// straight to the open file, whatever the permissions of the folders above it.
func descriptorPath(fd int, _ string) string { return fmt.Sprintf("/proc/self/fd/%d", fd) }

// serves reports whether pid is a live server of the data folder: PostgreSQL
// works from within it.
func serves(pid int, data string) bool {
	cwd, err := os.Stat(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil {
		return false
	}
	dir, err := os.Stat(data)
	return err == nil && os.SameFile(cwd, dir)
}
