package dev

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
	"time"
)

// owner is the user that PostgreSQL runs as and that its data belongs to.
// PostgreSQL refuses to run as root, so root takes another user for it.
type owner struct {
	name       string
	credential *syscall.Credential // nil: ourselves
}

// findOwner returns ourselves, or for root whoever has the data already, else
// the user postgres, else nobody.
func findOwner(data string) (owner, error) {
	if os.Geteuid() != 0 {
		return owner{}, nil
	}
	if info, err := os.Stat(data); err == nil {
		if has, ok := info.Sys().(*syscall.Stat_t); ok && has.Uid != 0 {
			return owner{name: strconv.Itoa(int(has.Uid)), credential: &syscall.Credential{Uid: has.Uid, Gid: has.Gid}}, nil
		}
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			return owner{}, fmt.Errorf("reading the user %s: %w", name, err)
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			return owner{}, fmt.Errorf("reading the user %s: %w", name, err)
		}
		return owner{name: name, credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
	}
	return owner{}, errors.New("PostgreSQL does not run as root and there is no user postgres or nobody to run it: start as an ordinary user, or set DATABASE_URL")
}

// give hands a path over to the owner.
func (o owner) give(path string) error {
	if o.credential == nil {
		return nil
	}
	if err := os.Chown(path, int(o.credential.Uid), int(o.credential.Gid)); err != nil {
		return fmt.Errorf("%s cannot be given to the user %s, who runs PostgreSQL: choose another folder with --data, or start as an ordinary user: %w", path, o.name, err)
	}
	return nil
}

// command is a program that is run as the owner and that sees paths of ours.
type command struct {
	*exec.Cmd
	foreign bool
}

// command prepares a program of PostgreSQL: in its own process group, so that
// Ctrl-C reaches us alone, and ended by the signal death should we be killed.
func (o owner) command(ctx context.Context, program string, death syscall.Signal) *command {
	cmd := exec.CommandContext(ctx, program)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=" + locale, "TZ=UTC"}
	cmd.SysProcAttr = attributes(o.credential, death)
	cmd.WaitDelay = 5 * time.Second
	return &command{Cmd: cmd, foreign: o.credential != nil}
}

// lend returns the name under which the program finds path. Another user may
// not be able to walk there, in a clone under root's closed home for instance,
// so the program inherits an open descriptor and needs no right to the folders
// above.
func (c *command) lend(path string) string {
	if !c.foreign {
		return path
	}
	f, err := os.Open(path)
	if err != nil {
		c.Err = errors.Join(c.Err, err) // Start returns it
		return path
	}
	c.ExtraFiles = append(c.ExtraFiles, f)
	return descriptorPath(2+len(c.ExtraFiles), path)
}

// close lets go of what was lent; the program keeps its own.
func (c *command) close() {
	for _, f := range c.ExtraFiles {
		f.Close()
	}
}
