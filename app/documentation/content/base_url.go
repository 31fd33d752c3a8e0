package content

import (
	"errors"
	"net/url"
	"strings"
)

// maxBaseURL is the longest base address of a product, in bytes.
const maxBaseURL = 2000

// ReadBaseURL returns the base URL of a product without blanks around it and
// without a slash at its end. It is an address, or a path of this installation
// such as /v3. An empty one stays empty. The error is a sentence without a full stop
// that says what to enter.
func ReadBaseURL(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" || text == "/" {
		return text, nil
	}
	text = strings.TrimSuffix(text, "/")
	u, err := url.Parse(text)
	isPath := strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//")
	switch {
	case len(text) > maxBaseURL:
		return "", errors.New("enter an address of at most 2,000 bytes")
	case err != nil, !isPath && (u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == ""), strings.ContainsAny(text, "{}<>\"\\ "):
		return "", errors.New("enter a whole address, for example https://api.example.com/v1")
	case u.User != nil:
		return "", errors.New("enter the address without a user name and password: everybody can read it")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.Contains(text, "#"):
		return "", errors.New("enter the address without a query and without a fragment")
	}
	return text, nil
}
