// Package console sends calls of published endpoints for readers and checks the
// answers against the contract.
//
// A call is built from the published documentation alone: the servers, security
// schemes, parameters and content types of an endpoint. Readers choose among them
// and enter values. There is no field for an address, and none for a header that the
// endpoint does not document.
//
// # Credentials
//
// A credential is in the memory of the call and nowhere else. [Call.Shown] and
// samples have placeholders in its place, and what comes back is searched for it
// before it is shown. Nothing of a call is stored, logged or counted by its values.
//
// # Choices
//
// These are the choices where the specification is silent:
//
//   - Headers that belong to the transport are refused by name, also where an
//     endpoint documents them: see [IsBlocked]. Cookies that an endpoint documents
//     are sent, since a browser could not.
//   - A path value of "." or ".." is refused: it would change the path (RFC 3986,
//     5.2.4).
//   - A value of an array is one item a line, or a JSON array. A value of an object
//     is JSON.
//   - A placeholder in the body, such as <API_KEY>, is where the credential goes.
//   - Redirects are answers to look at, and are not followed.
//   - Broken requests are sent: the console is for looking at errors too. What the
//     contract says about the request stands among the checks.
package console
