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
//
// # Prism
//
// What Prism 5.14.2 documents and does, with the mock's behaviour beside it.
// .tools/mocks/behaviours.js sends the same requests to both and holds them to this list:
//
//   - Prefer code, example, dynamic, and __code, __example, __dynamic: the same, with 404
//     for a status or example that is not documented, and 422 for a wrong dynamic. Prism
//     has seed in its command line; here it is a preference, so that a test has its own.
//   - Other preferences are ignored. The same, but wait, shape and fault are known
//     here, and a wrong value of one is a 422 as well.
//   - Without a preference, the lowest 2xx and its first example: the same, but a
//     request that resembles a named example gets the response of that name. A client
//     that tests several kinds of requests needs it.
//   - No example: static values of the schema. The same; Prism's differ from ours in
//     their texts, not in what is valid.
//   - Invalid requests: Prism answers the first documented of 422 and 400 with
//     an example of it, and a problem where there is none. The same status, but it is
//     always a problem with every place here, since an example cannot say what is wrong.
//     Prefer: code=400 gives the example.
//   - An invalid request with Prefer: code=401: Prism reports the request. Here it gets
//     the 401, since it asks for a failure; with code=200 both report the request.
//   - A body that is no JSON: Prism answers 400 with a text of its own. The same status,
//     as a problem with the place.
//   - Missing credentials: Prism sends the documented 401, or a problem with
//     WWW-Authenticate where there is none. Here it is always a problem with the header.
//     It names the scheme, never Basic, which would make browsers ask for a password.
//   - Unknown path or method: 404 and 405 with a problem. The same, with Allow and the
//     nearest operation.
//   - HEAD: Prism answers 405 where it is not documented. Here GET answers it without a
//     body, as HTTP says (RFC 9110, 9.3.2).
//   - A slash at the end: Prism answers 404. Here it is ignored where no path has it, as
//     many gateways do.
//   - Servers: Prism refuses a base path that the document does not have. Here the
//     base path may be there or not, as the address stands for any server.
//   - Accept that cannot be satisfied: 406. The same, but 204 and errors are sent.
//   - Content types that are not documented: Prism answers the first documented of 415,
//     422 and 400 with an example of it, and a 415 where there is none. Here it is always
//     a 415, so that a client tells a wrong header from a wrong body.
//   - Callbacks: Prism calls the addresses in the request. Here the caller names one
//     with a key of an organisation, as the server is not the caller's own.
//   - Forwarding (prism proxy) and --errors: not here. The API console holds real
//     answers against the contract.
//   - CORS: Prism reflects the origin with credentials; here every origin is allowed
//     without, as the mock shares its origin with the portal.
package mock
