// Package model compiles the model of a document that pages, search and samples
// use: endpoints with their fields and examples, schemas, and the outline. It
// compiles a whole document with [Compile], or one part at a time with a [Frame].
//
// # Anchors
//
// Every field has a stable address within its endpoint's page: the place, then
// the names joined by dots. Places are path, query, header, cookie, body,
// response-200 (or response-4xx, response-default) and response-200-header.
// A second content type of the same body adds its name: body-multipart-form-data.
//
//	query.limit
//	body.template.language.code
//	response-200.data.id
//
// The items of an array add nothing to the address: data.id is the id of each
// item of data. The values of a map are *, and a variant is a colon and its
// slug: body.messages:image.link. Bytes of a name outside A–Z, a–z, 0–9, - and
// _ are percent-encoded, so an anchor can stand in a URL fragment as it is.
package model
