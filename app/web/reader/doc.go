// Package reader serves the public documentation: the homepage and the pages
// of products, versions, endpoints, callbacks and schemas.
//
// A page depends on the published documentation and on the language and server
// that the reader chose for samples (choice.go). It needs no session and no
// database. The first request for a page renders it. It is then kept compressed
// for all readers (cache.go). Each page has a file with its address, its source and
// a pure function that builds its view from the published documentation.
//
// Every field has an address, the fragment of its page: send-message#body.to.phone.
// Browsers open it without the server. The query ?field=body.to.phone names the
// same field to the server. It shows fields that a large page only links to, and
// the nearest field where the named one does not exist.
//
// Choices where the specification is silent:
//
//   - A product that is coming soon has a small page and no versions, whatever
//     was published of it. A hidden product has all of its pages. Search engines
//     are asked not to index them, and no other page links to them.
//   - The webhooks of a contract have pages like its endpoints. They are listed
//     and counted separately and show payloads instead of calls (callback.go).
//   - The canonical address of an endpoint is the address of the same endpoint in the
//     latest version that has it. Each overview of a version is canonical itself.
//   - Every page of the reference and every guide is also available as Markdown,
//     at its address with .md at the end. Package reference writes it.
//   - The address that a product, version, endpoint, callback or guide had before
//     an editor moved it redirects permanently, also with .md (redirect.go).
//   - /docs and /docs/:product/latest redirect temporarily, as do other spellings
//     of a version and operationIds (redirect.go). The sitemap lists the pages
//     that are canonical themselves (sitemap.go).
//   - Each page that search engines list has a picture for links to it, drawn by
//     package card (card.go). The portal's own picture stands in for it where the
//     storage of files does not answer.
//   - A server on localhost, or one without a host, is this installation. Pages
//     show its public address, since a contract does not know it.
package reader
