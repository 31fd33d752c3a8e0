package portal

// shortMethod fits a method into the navigation's narrow column.
func shortMethod(method string) string {
	switch method {
	case "DELETE":
		return "DEL"
	case "OPTIONS":
		return "OPT"
	}
	return method
}
