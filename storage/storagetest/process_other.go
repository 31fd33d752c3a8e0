//go:build !linux

package storagetest

import "os/exec"

// dieWithParent does nothing: only Linux ends a child with its parent. The
// test's cleanup still stops it.
func dieWithParent(*exec.Cmd) {}
