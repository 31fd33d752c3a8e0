package messaging

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/db/models"
)

// fileKinds are the members of a payload that hold files.
var fileKinds = []string{"image", "video", "audio", "document", "sticker"}

// linkedFiles returns the files that a message names by link, each once: its own,
// the files in the header of a template or of an interactive message, and in cards.
func linkedFiles(m models.Message) ([]pipeline.RemoteFile, error) {
	if !bytes.Contains(m.Payload, []byte(`"link"`)) {
		return nil, nil // most have none
	}
	var payload any
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		return nil, fmt.Errorf("reading the payload of %s: %w", m.ID, err)
	}
	var files []pipeline.RemoteFile
	findLinks(payload, func(kind, link string) {
		if !slices.ContainsFunc(files, func(f pipeline.RemoteFile) bool { return f.URL == link && f.Kind == kind }) {
			files = append(files, pipeline.RemoteFile{URL: link, Kind: kind, Review: func(contentType string, head []byte) (pipeline.FileType, string) {
				return reviewFile(kind, contentType, head)
			}})
		}
	})
	return files, nil
}

func findLinks(value any, found func(kind, link string)) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			findLinks(item, found)
		}
	case map[string]any:
		for _, kind := range fileKinds {
			if file, ok := value[kind].(map[string]any); ok {
				if link, ok := file["link"].(string); ok && link != "" {
					found(kind, link)
				}
			}
		}
		for _, item := range value {
			findLinks(item, found)
		}
	}
}

// reviewFile returns the type of a file of a kind, from its first bytes. Servers often
// state no useful type, so their statement only breaks a tie.
func reviewFile(kind, contentType string, head []byte) (known pipeline.FileType, problem string) {
	t, err := media.CheckType("", head)
	if err != nil {
		t, err = media.CheckType(contentType, head)
	}
	if f := fault.As(err); f != nil {
		return known, f.Message
	}
	if !canCarry(kind, t.Name) {
		return known, fmt.Sprintf("it is %s, which cannot be sent as %s", t.Name, kind)
	}
	return pipeline.FileType{Name: t.Name, Limit: t.Limit}, ""
}

// unfetched returns the failure of a message with a link that leads to no file that
// can be sent.
func unfetched(problem string) pipeline.Failure {
	return pipeline.Failure{Code: refusal.MediaDownload, Title: refusal.Titles[refusal.MediaDownload], Detail: problem}
}
