// Package spec reads API documents and compiles them to the model that pages,
// samples, search and validation use. It is pure: no files, no network, no
// database, and nothing of ours but fault.
//
// It reads OpenAPI 3.0 and 3.1 as JSON or YAML. A 3.0 document becomes a 3.1
// document while it is read, so everything behind [Read] knows one version and
// one schema dialect, JSON Schema 2020-12.
//
// # Parts
//
// [Read] takes a document apart, so that an editor can store, review and release
// each part as an item of its own. The parts are
//
//   - the frame: openapi, info, servers, security, extensions, components except
//     schemas, and what belongs to a path rather than to one of its operations;
//   - operations: each member of paths with a method, or each of its variants;
//   - callbacks: each member of webhooks with a method;
//   - schemas: each member of components.schemas;
//   - categories: each member of tags.
//
// The order of a kind of parts is the order of its list. A part has a slug that
// no other part of its kind has; operations and callbacks share theirs.
//
// [Assemble] puts parts together. Nothing is lost: the parts of a document give
// that document back, after its upgrade to 3.1 and without what a warning says
// was left out.
//
// [Compile] makes the model of a release from the same parts. Package validate
// checks requests and responses against a document; package spectest holds a
// service to its document in tests.
//
// # Operations that share a path
//
// Four members extend OpenAPI. x-variants, on an operation, lists operations
// that share its method and path and are told apart by the kind of id they are
// given; each has an x-path, the path as readers see it. x-path on a plain
// operation is its display path, and x-name on a parameter its display name.
// x-sample on an optional parameter has samples send it, where a call without
// any of several such parameters is refused.
// Within an [Operation], x-openapi-path keeps the path of the document where it
// differs from the one shown, and x-openapi-inherited marks a parameter or a
// server that belongs to the path.
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
package spec
