// Package openapi reads API documents into a tree, takes them apart and puts them
// together again. It is pure: no files, no network, no database.
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
// # Packages
//
// Each of these packages derives one thing from a document:
//
//   - graph: a typed view of operations and schemas;
//   - model: the fields, examples and outline that pages show;
//   - sample: calls of an endpoint in several languages;
//   - validate: checks of requests and responses.
//
// Package tree holds documents, naming makes slugs, media sorts content types,
// and markdown renders descriptions. In tests, package spectest checks a service
// against its document.
//
// # Operations that share a path
//
// Four members extend OpenAPI. x-variants, on an operation, lists operations
// that share its method and path and differ in the kind of id that they take.
// Each has an x-path, the path as readers see it. x-path on a plain operation is
// its display path, and x-name on a parameter its display name. With x-sample, an
// optional parameter is part of samples. Use it where a call needs one of several
// optional parameters.
// Within an [Operation], x-openapi-path keeps the path of the document where it
// differs from the one shown, and x-openapi-inherited marks a parameter or a
// server that belongs to the path.
package openapi
