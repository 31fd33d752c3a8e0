package mcp

import "slices"

// methods are the requests and notifications that the server takes. The library
// refuses the whole body for any other.
var methods = []string{
	"completion/complete", "initialize", "logging/setLevel", "notifications/cancelled", "notifications/initialized", "notifications/progress",
	"notifications/roots/list_changed", "ping", "prompts/get", "prompts/list", "resources/list", "resources/read", "resources/subscribe",
	"resources/templates/list", "resources/unsubscribe", "server/discover", "subscriptions/listen", "tools/call", "tools/list",
}

// IsMethod reports whether the server takes a method.
func IsMethod(name string) bool { return slices.Contains(methods, name) }
