package pipeline

import (
	"time"

	"heliograph/db/models"
)

// RemoteFile is a file that a message names by its address.
type RemoteFile struct {
	URL  string
	Kind string // as what it is sent, such as image
	// Review returns the type of the file, from its declared type and its first bytes,
	// or says what is wrong with it.
	Review func(contentType string, head []byte) (t FileType, problem string)
}

// FileType is a type of files that a channel can send.
type FileType struct {
	Name  string // media type
	Limit int64  // bytes that such a file may have
}

// RemoteFiles returns the files that a message names by their address.
func (c *Channel) RemoteFiles(m models.Message) ([]RemoteFile, error) {
	if c.Files == nil {
		return nil, nil
	}
	return c.Files(m)
}

// UnfetchedStep returns the step of a message with a file that cannot be had.
func (c *Channel) UnfetchedStep(m models.Message, problem string) Step {
	f := c.Unfetched(problem)
	return Step{MessageID: m.ID, Leg: m.Leg, State: Failed, At: time.Now(), Failure: &f}
}
