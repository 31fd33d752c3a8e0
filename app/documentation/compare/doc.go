// Package compare finds what differs between two versions of an API. It is
// pure: two documents in, a report out.
//
// Operations correspond by operationId, else by method and path without the
// names of parameters, else by slug. Parameters correspond by place and name,
// and parameters of a path by their position. Bodies correspond by content type,
// responses by status, and members of objects by name. References and allOf
// are followed, so that a field is the same field wherever it is declared.
//
// # Levels
//
// A change that narrows what a request may hold, or widens what a response may
// hold, breaks programs that were right before. A change in the other direction
// is safe. A change is risky where it depends on the program, such as a new
// value of an enum in a response or a removed parameter that servers ignore.
// Callbacks are the reverse of endpoints: what they send is read by the reader's
// program. Text and examples are apart from both.
//
// # Cost
//
// Each pair of schemas is compared once for requests and once for responses,
// however many fields use it. An operation visits each pair once for each of
// its parameters and bodies, and reports a change at the shortest path there.
package compare
