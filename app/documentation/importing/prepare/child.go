package prepare

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"heliograph/app/fault"
)

// The bounds of a process that reads a document.
const (
	MaxMemory = 512 << 20 // bytes
	MaxTime   = 60 * time.Second
)

// output is what the process writes: its progress, and at the end a result or an error.
type output struct {
	Percent int     `json:"percent,omitempty"`
	Stage   string  `json:"stage,omitempty"`
	Result  *Result `json:"result,omitempty"`
	Kind    int     `json:"kind,omitempty"` // of the fault
	Error   string  `json:"error,omitempty"`
}

// Serve reads a request, prepares it and writes the result. It is the whole work of a
// child process.
func Serve(in io.Reader, out io.Writer) error {
	var r Request
	if err := json.NewDecoder(in).Decode(&r); err != nil {
		return fmt.Errorf("reading the request: %w", err)
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	result, err := Prepare(r, func(percent int, stage string) { _ = e.Encode(output{Percent: percent, Stage: stage}) })
	if err != nil {
		if f, ok := asFault(err); ok {
			return e.Encode(output{Kind: int(f.Kind), Error: message(f)})
		}
		return err
	}
	return e.Encode(output{Result: result})
}

// message is the message of a fault with its fields.
func message(f *fault.Error) string {
	text := f.Message
	for i, field := range f.Fields {
		if i > 0 || !strings.Contains(text, field.Message) {
			text += "\n" + field.Name + ": " + field.Message
		}
	}
	return text
}

// Child prepares documents, each in a process of its own.
type Child struct {
	// Command starts the process, which runs [Serve] on its standard input and output.
	Command func(ctx context.Context) *exec.Cmd
}

// Prepare reads a document in a process of its own. The process ends with the context.
func (c Child) Prepare(ctx context.Context, r Request, progress func(percent int, stage string)) (*Result, error) {
	ctx, cancel := context.WithTimeout(ctx, MaxTime)
	defer cancel()
	request, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	cmd := c.Command(ctx)
	cmd.Stdin = bytes.NewReader(request)
	var problems tail
	cmd.Stderr = &problems
	cmd.WaitDelay = 2 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the reader of documents: %w", err)
	}
	last, readErr := follow(out, progress)
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fault.New(fault.TooLarge, "Reading the document took longer than %d seconds. Split it into smaller documents.", int(MaxTime.Seconds()))
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case last.Error != "":
		return nil, fault.New(fault.Kind(last.Kind), "%s", last.Error)
	case last.Result != nil:
		return last.Result, nil
	case problems.isMemory():
		return nil, fault.New(fault.TooLarge, "Reading the document needs more than %d MiB of memory. Split it into smaller documents.", MaxMemory>>20)
	case err != nil:
		return nil, fmt.Errorf("the reader of documents failed: %w: %s", err, problems.text())
	}
	return nil, fmt.Errorf("the reader of documents ended without a result: %w", readErr)
}

// follow passes progress on and returns the last output.
func follow(out io.Reader, progress func(percent int, stage string)) (last output, err error) {
	d := json.NewDecoder(bufio.NewReaderSize(out, 64<<10))
	for {
		var o output
		if err := d.Decode(&o); err != nil {
			return last, err
		}
		if last = o; o.Stage != "" && progress != nil {
			progress(o.Percent, o.Stage)
		}
	}
}

// tail keeps the beginning of what a process writes about its end.
type tail struct{ buffer bytes.Buffer }

const maxTail = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	if left := maxTail - t.buffer.Len(); left > 0 {
		t.buffer.Write(p[:min(len(p), left)])
	}
	return len(p), nil
}

func (t *tail) text() string {
	first, _, _ := strings.Cut(strings.TrimSpace(t.buffer.String()), "\n")
	return first
}

func (t *tail) isMemory() bool {
	text := t.buffer.String()
	return strings.Contains(text, "out of memory") || strings.Contains(text, "cannot allocate memory")
}
