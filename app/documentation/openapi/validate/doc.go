// Package validate checks requests and responses against an API document. It
// is pure: what it checks is passed in, and nothing is loaded from outside.
//
// A document is OpenAPI 3.1.1, as package spec assembles it, and its schemas
// are JSON Schema 2020-12. Formats are asserted. Operations are compiled when
// they are first checked, and callbacks are checked like operations.
//
// # What is checked
//
// A request: path, query, header and cookie parameters in every style of
// OpenAPI, the content type, and the body. Text becomes the type that the
// schema asks for: "5" is an integer where the schema allows one. A member
// that is readOnly is refused in a request and never required there; writeOnly
// is the same for responses. A response: the status, headers and the body.
//
// JSON, URL-encoded, multipart and text bodies are checked by their schemas.
// Other bodies, XML among them, are only checked for their content type.
// Parameters and headers that the document does not name are ignored.
// A discriminator changes no verdict, as OpenAPI says; it selects the variant
// that problems are reported for.
//
// # Bounds
//
// limitSet bounds the size of a body, its depth, its number of values, and the
// work of one check. A validator tries every variant at every value, so a
// nested schema can need time that grows exponentially with the depth of a
// small body. The number of times that a schema is applied is therefore
// computed before each check, in time that grows linearly, and a value that
// needs more than limitSet.Work is refused with the code "work".
//
// A schema that is applied over 10,000 times to one value, or that applies
// itself to the same value, is not checked. Neither are patterns that RE2
// lacks, such as lookahead, nor schemas with $id, $dynamicRef or
// $recursiveRef. [Validator.Warnings] lists what is not checked.
package validate
