package outbound

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
)

// errNoFile is the error of a file that the upstream does not have.
var errNoFile = &CarrierError{Code: 131052, Title: "Media download error", Detail: "The carrier does not have the file any more."}

// upload gives a file to the upstream and returns its id there.
func (g *Graph) upload(ctx context.Context, sender string, f GraphFile) (string, error) {
	reader, writer := io.Pipe()
	form := multipart.NewWriter(writer)
	go func() { writer.CloseWithError(writeFile(form, g.product, f)) }()
	defer reader.Close()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.base+"/"+g.numbers[sender]+"/media", reader)
	if err != nil {
		return "", waitForGraph("The address of the carrier is wrong", "")
	}
	req.Header.Set("Content-Type", form.FormDataContentType())
	res, err := g.request(g.files, req, graphCall{})
	if err != nil {
		return "", err
	}
	body, err := g.read(res, 0)
	if err != nil {
		return "", err
	}
	var kept struct{ ID string }
	if json.Unmarshal(body, &kept) != nil || kept.ID == "" {
		return "", fmt.Errorf("the carrier %s took a file and gave no id", g.name)
	}
	return kept.ID, nil
}

func writeFile(form *multipart.Writer, product string, f GraphFile) error {
	kind := uploadType(f.Type)
	for _, field := range [][2]string{{"messaging_product", product}, {"type", kind}} {
		if err := form.WriteField(field[0], field[1]); err != nil {
			return err
		}
	}
	header := textproto.MIMEHeader{}
	name := strings.NewReplacer(`\`, "", `"`, "", "\r", "", "\n", "").Replace(f.Name)
	header.Set("Content-Disposition", `form-data; name="file"; filename="`+cmp.Or(name, "file")+`"`)
	header.Set("Content-Type", kind)
	part, err := form.CreatePart(header)
	if err != nil {
		return err
	}
	if _, err := io.Copy(part, f.Body); err != nil {
		return err
	}
	return form.Close()
}

// uploadType returns the type of a file as the upstream takes it. Voice notes have to
// name their codec.
func uploadType(kind string) string {
	switch kind {
	case "audio/ogg", "audio/opus":
		return "audio/ogg; codecs=opus"
	}
	return kind
}

// Fetch opens a file that a person sent. The caller closes it. A *CarrierError that is
// not temporary says that there is none.
func (g *Graph) Fetch(ctx context.Context, id string) (f GraphFile, body io.Closer, err error) {
	answer, err := g.call(ctx, graphCall{method: http.MethodGet, path: url.PathEscape(id)})
	var refusal *CarrierError
	if errors.As(err, &refusal) && (!refusal.Temporary || refusal.Title == "The carrier refused the settings") {
		return f, nil, errNoFile
	}
	if err != nil {
		return f, nil, err
	}
	var known struct {
		URL  string `json:"url"`
		Type string `json:"mime_type"`
	}
	if err := json.Unmarshal(answer, &known); err != nil || known.URL == "" {
		return f, nil, fmt.Errorf("the carrier %s gives no address for a file", g.name)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, known.URL, bytes.NewReader(nil))
	if err != nil {
		return f, nil, errNoFile
	}
	res, err := g.request(g.files, req, graphCall{})
	if err != nil {
		return f, nil, err
	}
	if res.StatusCode != http.StatusOK {
		res.Body.Close()
		if res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusGone {
			return f, nil, errNoFile
		}
		return f, nil, fmt.Errorf("the carrier %s responds %s for a file", g.name, res.Status)
	}
	return GraphFile{Body: res.Body, Type: cmp.Or(known.Type, res.Header.Get("Content-Type"))}, res.Body, nil
}
