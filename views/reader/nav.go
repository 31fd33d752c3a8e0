package reader

// shortMethod shortens a method for the narrow navigation.
func shortMethod(method string) string {
	switch method {
	case "DELETE":
		return "DEL"
	case "OPTIONS":
		return "OPT"
	}
	return method
}
