package model

import (
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/tree"
)

// API is the read-only model of one release, made by [Compile]. It is safe for
// concurrent use as long as nobody changes it.
type API struct {
	Title, Version string
	Description    string // Markdown
	Servers        []Server
	Categories     []*Category // in the order of the document's tags, then of first use
	Callbacks      []*Category // the same for what is sent to servers of readers

	Schemas  []*Schema         // the named schemas that endpoints use, by name
	Warnings []openapi.Warning // what was cut or could not be resolved
}

// Server is a base address with the defaults of its variables.
type Server struct {
	URL, Description string
	Slug             string // of the description, else of the address; unique in its list
}

// Schema is a named schema of the document. Its tree ends at members that are
// named schemas themselves, as Field.Schema tells.
type Schema struct {
	Name      string
	Root      *Field      // anchors begin with schema
	Example   string      // indented JSON, "" where none can be made
	Endpoints []*Endpoint // that show it, in the order of the document
}

// Category is a tag of the document with its endpoints or callbacks. Operations
// without a tag are in the category Operations, callbacks without a tag of
// their own in Callbacks.
type Category struct {
	Name, Slug  string
	Description string // Markdown
	Endpoints   []*Endpoint
}

// Endpoint is one operation: a call, or a callback, which is sent to a server
// of the reader.
type Endpoint struct {
	ID, Slug, Name string
	Category       string // name of its Category
	Method, Path   string // upper case; as readers see it, the name of the webhook for a callback
	Callback       bool   // it has no Servers, no PathParts and no Auth
	PathParts      []PathPart
	Purpose        string // Markdown
	Deprecated     bool
	Destructive    bool     // marked by x-destructive: a person is asked before it is called
	Unchecked      bool     // a schema of it cannot be checked with bounded effort
	Servers        []Server // its own, else the API's

	// Auth lists alternatives. A call needs the schemes of one of them
	// together. An empty alternative, or an empty list, mean that no credential
	// is needed. The list is nil where nothing is said of credentials.
	Auth       [][]AuthScheme
	Parameters []parameterGroup // path, query, header, cookie; only those that exist
	Bodies     []Body           // one for each content type, in the order of the document
	Responses  []Response       // in the order of the document

	Inputs       []Input       // parameters with what a sample needs
	Placeholders []Placeholder // that readers replace in samples
}

// PathPart is a part of a path: literal text or a parameter.
type PathPart struct {
	Text      string // literal text, or {name} as readers see it
	Parameter string // name of the parameter, "" for literal text
	Anchor    string // Path of the parameter's field, "" when it is not documented
}

// AuthScheme is one way to authenticate.
type AuthScheme struct {
	Name        string // of the scheme in the document
	Kind        string // apiKey, basic, bearer, oauth2, openIdConnect, mutualTLS, or another HTTP scheme
	In          string // header, query or cookie; "" for mutualTLS
	Field       string // name of the header, parameter or cookie
	Scopes      []string
	Description string // Markdown
}

// parameterGroup is the parameters of one place.
type parameterGroup struct {
	In     string // path, query, header or cookie
	Fields []*Field
}

// Body is a request or response body in one content type.
type Body struct {
	ContentType string
	Required    bool
	Description string // Markdown; of the request body, "" for responses
	Root        *Field // the whole body; nil when the document has no schema for it
	Examples    []Example
	PartTypes   map[string]string // content types of the parts of a form, by their names, as far as the document says them
}

// Example is one example value of a body.
type Example struct {
	Name      string // key in the document; "" when it has none
	Summary   string
	Value     string // indented JSON, or text as it is sent
	Generated bool   // made from the schema, since the document has none
	Cause     *Cause // of an error: the request that gets it, nil when the document names none

	Node *tree.Node
}

// Response is one documented response.
type Response struct {
	Status      string // 200, 4XX or default
	Title       string // the HTTP reason
	Description string // Markdown
	Headers     []*Field
	Bodies      []Body
}

// Field is a parameter, a header, a body, or a member of one.
type Field struct {
	Name        string // as it is sent; {key} for the values of a map, "" for a whole body
	Path        string // anchor within the endpoint's page; see the package comment
	Type        string // in words: "string", "array of object", "string or integer"
	Format      string // date-time, uuid, base64, …; "" when plain
	Required    bool
	Deprecated  bool
	ReadOnly    bool
	WriteOnly   bool
	Nullable    bool
	Description string   // Markdown
	Constraints []string // in words: "at most 40 characters", "minimum 0"
	Enum        []string // the only values allowed; of each item where Type is an array
	Const       string   // the only value allowed, "" without one
	Default     string   // text, or compact JSON
	Example     string   // text, or compact JSON
	Children    []*Field // members; of each item where Type is an array
	Variants    []variant
	Schema      string // name of the schema that it is, or each of its items; "" for one written in place
	Recursive   string // name of the schema that repeats here; no Children then
	Truncated   bool   // members were left out: the tree is too large for a page
}

// variant is one of several forms of a field. Its members add to the Children
// of the field.
type variant struct {
	Name  string // title, discriminator value or schema name
	Slug  string // unique within the field
	Field *Field // the form; its Name is ""
}
