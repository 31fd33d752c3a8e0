// Package page is what handlers are written with: rendering, forms, sessions,
// request forgery protection and limits. It is apart from app/web, which
// imports the handlers to list them in its route table, so that the handlers
// can import it in turn.
//
// Every address has one handler and several renderings, and Render chooses among
// them: the whole page, or the region of it that htmx asks for by the id of the
// element that it will replace. Regions are named in views/ui/region.go.
//
// A handler binds its form, calls one rule and renders: errors are returned,
// and app/web turns them into an answer in one place.
package page

// OperationKey is where an API leaves the operationId of a request in its
// context, for log and metrics.
const OperationKey = "operation"
