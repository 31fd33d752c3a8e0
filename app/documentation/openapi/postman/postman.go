// Package postman makes a Postman Collection 2.1 and its environment from the
// endpoints of a version. It is pure, and the same endpoints give the same
// bytes.
//
// A collection has a folder for each category and a request for each endpoint.
// Every named example of a request or a response is a saved response of its
// request; those with the same name belong together. Credentials are variables
// that the environment holds as empty secrets.
//
// Path parameters are path variables of Postman. It has them for whole segments
// only, so a parameter within a segment, as in /upload:{session_id}, is a
// variable of the collection.
package postman

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"heliograph/app/documentation/openapi/model"
)

// schema is the format that collections declare.
const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

// Source holds what a collection is made from.
type Source struct {
	ID          string // identifies the version among all others: rcs/1.0
	Name        string // RCS 1.0
	Description string // Markdown
	Base        string // name of the variable of the base address: rcs_base_url
	Server      string // the base address that readers call
	Mock        string // the base address of the mock, empty for none
	Folders     []Folder
	// Address returns the address of a server of an endpoint for readers.
	Address func(string) string
}

// Folder is a category with its endpoints.
type Folder struct {
	Name, Description string
	Endpoints         []*model.Endpoint
}

type collection struct {
	Info     info       `json:"info"`
	Item     []item     `json:"item"`
	Variable []variable `json:"variable"`
}

type info struct {
	ID          string `json:"_postman_id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Schema      string `json:"schema"`
}

// item is a folder, or a request.
type item struct {
	ID          string     `json:"id,omitempty"`
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	Item        *[]item    `json:"item,omitempty"`
	Request     *request   `json:"request,omitempty"`
	Response    []response `json:"response,omitempty"`
}

type variable struct {
	Key         string `json:"key"`
	Value       string `json:"value"`
	Type        string `json:"type,omitempty"`
	Description string `json:"description,omitempty"`
}

type environment struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Values []secret `json:"values"`
	Scope  string   `json:"_postman_variable_scope"`
}

// secret is a variable of an environment.
type secret struct {
	Key     string `json:"key"`
	Value   string `json:"value"`
	Type    string `json:"type"`
	Enabled bool   `json:"enabled"`
}

// Collection returns the collection as JSON.
func Collection(s Source) ([]byte, error) {
	w := newWriter(s)
	c := collection{Info: info{ID: uuid("collection " + s.ID), Name: s.Name, Description: s.Description, Schema: schema}, Item: []item{}}
	for _, f := range s.Folders {
		items := []item{}
		for _, e := range f.Endpoints {
			items = append(items, w.item(e))
		}
		c.Item = append(c.Item, item{ID: uuid("folder " + s.ID + " " + f.Name), Name: f.Name, Description: f.Description, Item: &items})
	}
	c.Variable = append([]variable{{Key: s.Base, Value: s.Server, Type: "string"}}, w.variables...)
	return encode(c)
}

// Environment returns the environment of the collection as JSON.
func Environment(s Source) ([]byte, error) {
	e := environment{ID: uuid("environment " + s.ID), Name: s.Name, Values: []secret{{s.Base, s.Server, "default", true}}, Scope: "environment"}
	if s.Mock != "" {
		// Whoever gives the first variable this value calls the mock.
		e.Values = append(e.Values, secret{strings.TrimSuffix(s.Base, "base_url") + "mock_url", s.Mock, "default", true})
	}
	known := map[string]bool{}
	for _, f := range s.Folders {
		for _, endpoint := range f.Endpoints {
			for _, together := range endpoint.Auth {
				for _, scheme := range together {
					for _, key := range secretsOf(scheme) {
						if !known[key] {
							known[key] = true
							e.Values = append(e.Values, secret{key, "", "secret", true})
						}
					}
				}
			}
		}
	}
	return encode(e)
}

// encode writes a value as indented JSON and leaves <, > and & as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// uuid returns an identifier that is always the same for a name (RFC 9562,
// version 8).
func uuid(name string) string {
	sum := sha256.Sum256([]byte(name))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	h := hex.EncodeToString(sum[:16])
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}
