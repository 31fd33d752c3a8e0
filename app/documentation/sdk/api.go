package sdk

import "heliograph/app/documentation/openapi/tree"

// API is the intermediate form of a contract.
type API struct {
	Name        string // of the product and its version
	Product     string // slug
	Version     string // slug
	Release     int
	SDKVersion  string // semantic version of the archives
	Title       string
	Description string // plain text
	BaseURL     string
	PageURL     string // documentation of the version
	Generator   string
	Publisher   string // name of the portal
	Hash        string // SHA-256 of the document, in hexadecimal

	Resources []*Resource
	Models    []*Model
	Schemes   []*Scheme
	Webhooks  []*Webhook
	Changes   []Change
	License   License

	Document *tree.Node // OpenAPI 3.1
}

// License is the licence of the archives, as the product sets it.
type License struct {
	ID   string // of SPDX, or LicenseRef-…
	Text string
}

// Change is an entry of the change log.
type Change struct {
	Version string   `json:"version"` // semantic version of the archives
	Date    string   `json:"date"`    // 2006-01-02
	Lines   []string `json:"lines"`
}

// Resource is a group of methods.
type Resource struct {
	Name    Name
	Doc     string
	Type    Name // of the class of the resource
	Methods []*Method
}

// Method is one operation.
type Method struct {
	Name       Name
	ID         string // operationId
	Slug       string // of the documentation page
	Title      string
	Doc        string
	Deprecated bool
	Verb, Path string
	Resource   *Resource

	Params      []*Param
	Body        *Body
	Result      *Result
	Security    [][]*Scheme // alternatives; an empty one needs no credential
	Idempotency string      // name of the header that makes a repetition safe
	Page        *Page
	Server      string // its own base address, empty for the one of the API
	Input       Name   // base name of the type of its arguments
	Example     []ExampleArgument
}

// ExampleArgument is a required argument of a method with an example value.
type ExampleArgument struct {
	Name  Name
	Value *tree.Node
}

// Param is a parameter of a method.
type Param struct {
	Name          Name
	Wire          string // as it is sent
	In            string // path, query, header or cookie
	Required      bool
	Deprecated    bool
	Style         string
	Explode       bool
	AllowReserved bool
	JSON          bool // written as JSON
	Type          *Type
	Doc           string
}

// The kinds of bodies.
const (
	BodyJSON      = "json"
	BodyForm      = "form"
	BodyMultipart = "multipart"
	BodyBinary    = "binary"
	BodyText      = "text"
)

// Body is the request body of a method.
type Body struct {
	Name        Name
	Kind        string
	ContentType string
	Required    bool
	Type        *Type
	Parts       []Part // of a multipart body
	Doc         string
}

// Part is a part of a multipart body with a content type of its own.
type Part struct{ Wire, ContentType string }

// Result is the body of a successful response.
type Result struct {
	Kind string // json, text or binary
	Type *Type
}

// Page tells how a list continues.
type Page struct {
	Name  Name     // of the method that goes through all pages
	Kind  string   // cursor, url, offset, page or link
	Items []string // path of the list within the response
	Next  []string // path of the cursor or address
	Param *Param   // that takes the cursor, offset or page
	Item  *Type
}

// Scheme is a way to authenticate.
type Scheme struct {
	Name  Name
	Key   string // in the document
	Kind  string // apiKey, basic, bearer
	In    string // header, query or cookie
	Field string
	Env   string // name of the environment variable
	Doc   string
}

// Webhook is a request that the service sends.
type Webhook struct {
	Name      Name
	Key       string
	Doc       string
	Type      *Type
	Signature string // name of the header with its signature, empty without one
	Algorithm string // sha256 or sha512
	Encoding  string // hex or base64
	Prefix    string
}

// The kinds of types.
const (
	Any     = "any"
	String  = "string"
	Integer = "integer"
	Number  = "number"
	Boolean = "boolean"
	Binary  = "binary"
	Array   = "array"
	Map     = "map"
	Ref     = "ref"
)

// Type is the type of a value.
type Type struct {
	Kind     string
	Nullable bool
	Elem     *Type // of an array or a map
	Model    *Model
}

// The kinds of models.
const (
	Object = "object"
	Enum   = "enum"
	Union  = "union"
)

// Model is a named type.
type Model struct {
	Name     Name
	Kind     string
	Doc      string
	Fields   []*Field
	Values   []Value // of an enum
	Variants []Variant
	Property string // of the discriminator
}

// Field is a member of an object.
type Field struct {
	Name       Name
	Wire       string
	Type       *Type
	Required   bool
	ReadOnly   bool
	Deprecated bool
	Doc        string
}

// Value is a value of an enum.
type Value struct {
	Name Name
	Wire string
}

// Variant is one form of a union.
type Variant struct {
	Name Name
	Type *Type
}
