//go:build !linux

package dev

import "syscall"

// locale is what every system has.
const locale = "C"

// attributes cannot bind the life of a child to ours here: a server left by a
// killed process is stopped at the next start.
func attributes(credential *syscall.Credential, _ syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Credential: credential}
}

func descriptorPath(_ int, path string) string { return path }

// serves reports whether pid lives; more cannot be told here.
func serves(pid int, _ string) bool { return syscall.Kill(pid, 0) == nil }
