// Package mock answers requests to published APIs from their documentation. It
// calls nothing and, but for requests that ask for state, touches no database.
//
// An engine is compiled from the document of one release, the same one that
// the pages show: its routes, validators and answers. It is pure. A [Service]
// finds the engine of a product and a version.
//
// # Choices
//
// These are the choices where OpenAPI and the rivals leave one:
//
//   - The address of a mock stands for any server of the document. The base path
//     of a server may follow it or not; it is tried first.
//   - A method that a concrete path lacks is looked up in templated paths before
//     it is a 405. A slash at the end is ignored where no path has it.
//   - Operations that share a path (x-variants) are distinguished by the example of
//     the path parameter, then by query parameters that only one of them has,
//     then by what is valid.
//   - A request that asks for a status of 400 or above is not validated, since
//     it asks for a failure. Every other one is: credentials, content type,
//     parameters, body, then Accept.
//   - Broken requests are problems (RFC 9457) with the status 422 where the
//     operation documents it, else 400 where it documents that, else 422. The
//     documented error is sent to requests that ask for its status.
//   - An example is sent as the documentation shows it. Only dynamic=true samples
//     a schema that has one, and shape changes its lists.
//   - Preferences that are not known are ignored (RFC 7240). Known ones with a
//     wrong value are a 422, since a test that silently gets another answer is
//     worth nothing.
package mock
