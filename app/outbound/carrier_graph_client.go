package outbound

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// graphClient makes requests to an upstream that speaks the Graph API.
type graphClient struct {
	client, files *Client
	name, base    string
	product       string // its word for the channel
	secret        graphSecret
}

// graphCall is a request to the upstream.
type graphCall struct {
	method, path string
	query        url.Values
	body         []byte // nil for none
	contentType  string // JSON if empty
	handOver     int    // of the message; 0 for other requests
}

// longestAnswer bounds the responses of an upstream that are read, except for files.
const longestAnswer = 1 << 20

// call makes a request and returns the body of a response of success.
func (g *graphClient) call(ctx context.Context, c graphCall) ([]byte, error) {
	res, err := g.do(ctx, g.client, c)
	if err != nil {
		return nil, err
	}
	return g.read(res, c.handOver)
}

// read returns the body of a response of success. handOver is as in graphCall.
func (g *graphClient) read(res *http.Response, handOver int) ([]byte, error) {
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, longestAnswer))
	if res.StatusCode >= 200 && res.StatusCode < 300 {
		return body, err
	}
	return nil, graphError(g.name, res, body, handOver)
}

func (g *graphClient) do(ctx context.Context, client *Client, c graphCall) (*http.Response, error) {
	address := g.base + "/" + c.path
	if len(c.query) > 0 {
		address += "?" + c.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, c.method, address, bytes.NewReader(c.body))
	if err != nil {
		return nil, waitForGraph("The address of the carrier is wrong", "")
	}
	return g.request(client, req, c)
}

func (g *graphClient) request(client *Client, req *http.Request, c graphCall) (*http.Response, error) {
	if g.secret.AccessToken == "" {
		return nil, waitForGraph("The carrier has no access token", "")
	}
	req.Header.Set("Authorization", "Bearer "+g.secret.AccessToken)
	if c.body != nil {
		req.Header.Set("Content-Type", cmp.Or(c.contentType, "application/json"))
	}
	res, err := client.Do("carrier "+g.name, req)
	if err != nil {
		return nil, notTakenByGraph(err)
	}
	return res, nil
}

// post posts JSON and reads the answer into a value, unless it is nil.
func (g *graphClient) post(ctx context.Context, path string, change any, into any) error {
	body, err := json.Marshal(change)
	if err != nil {
		return err
	}
	answer, err := g.call(ctx, graphCall{method: http.MethodPost, path: path, body: body})
	if err != nil || into == nil {
		return err
	}
	if json.Unmarshal(answer, into) != nil {
		return g.unreadable("a change", answer)
	}
	return nil
}

// unreadable is the error of an answer of success that has another shape.
func (g *graphClient) unreadable(what string, answer []byte) error {
	return fmt.Errorf("the carrier %s answers about %s in another shape: %s", g.name, what, printable(string(bytes.TrimSpace(answer[:min(len(answer), 300)]))))
}
