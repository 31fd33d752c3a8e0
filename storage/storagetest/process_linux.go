package storagetest

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the kernel end the child when this process dies, however
// it dies, so that an interrupted test leaves no server behind.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
