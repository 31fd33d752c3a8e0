// Package page holds what handlers share: rendering, forms, sessions, protection against
// forged requests, and content that is prepared before its requests. It is separate from app/web, which imports the handlers.
//
// Every address has one handler. Render chooses between the whole page and the
// region that htmx asks for by the id of the element that it will replace. Regions
// are named in views/ui/region.go.
//
// A handler binds its form, calls one rule and renders. It returns errors, which
// app/web turns into a response.
package page

// OperationKey is the context key of the operationId of an API request, for log and
// metrics.
const OperationKey = "operation"
