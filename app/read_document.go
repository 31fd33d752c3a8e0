package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"

	"heliograph/app/documentation/importing/prepare"
)

// readDocument is the name of the command that a worker starts for each document that
// it reads. People have no use for it, so that it is not listed.
const readDocument = "read-document"

// readerGarbage is how much garbage the process lets grow, in percent of what it uses.
// It saves a fifth of the processor time of a large document.
const readerGarbage = 400

// documentReader returns what reads documents: each in a process of this program without any
// of its settings.
func documentReader() prepare.Child {
	return prepare.Child{Command: func(ctx context.Context) *exec.Cmd {
		program, err := os.Executable()
		if err != nil {
			program = os.Args[0]
		}
		cmd := exec.CommandContext(ctx, program, readDocument)
		cmd.Env = []string{"HELIOGRAPH=" + readDocument}
		return cmd
	}}
}

// runReadDocument prepares the document of its standard input within bounds.
func runReadDocument(_ context.Context, t terminal, _ []string) error {
	if err := boundProcess(prepare.MaxMemory, prepare.MaxTime); err != nil {
		return fmt.Errorf("bounding the process: %w", err)
	}
	// The process lives for one document: it collects garbage when its memory runs short
	// rather than to keep small.
	debug.SetGCPercent(readerGarbage)
	debug.SetMemoryLimit(prepare.MaxMemory * 3 / 4)
	return prepare.Serve(bufio.NewReader(t.in), t.out)
}
