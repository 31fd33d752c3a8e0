package ui

// sampleCode, sampleTable and the like are what the gallery shows.
var (
	sampleCode = Code{Title: "cURL", Language: "shell", Text: `curl -X POST https://api.example.com/v3/messages \
  -H "apikey: <API_KEY>" \
  -d '{"to": "919812345678", "type": "text"}'`}

	sampleJSON = Code{Title: "Response", Language: "json", Text: `{
  "id": "wamid.SGVsaW8",
  "accepted": true,
  "parts": 2
}`}

	sampleTable = Table{
		Caption: "Deliveries today",
		Columns: []Column{{Label: "Status"}, {Label: "Messages", Numeric: true}, {Label: "Share", Numeric: true}},
		Rows:    [][]string{{"Delivered", "18,204", "96.1 %"}, {"Failed", "739", "3.9 %"}},
	}

	samplePairs = []Pair{
		{Key: "Organisation", Value: "Sandbox"},
		{Key: "Phone number", Value: "106540352242922", Mono: true},
		{Key: "Keys in use", Value: "1 of 2"},
	}

	sampleInputs = []Input{
		{Name: "plain", Label: "Name", Required: true},
		{Name: "hinted", Label: "Mobile number", Type: "tel", Hint: "With its country code, for example +91 98123 45678", Value: "+91 98123 45678"},
		{Name: "wrong", Label: "Email", Type: "email", Value: "asha@", Error: "Enter the whole address, for example asha@example.com", Required: true},
		{Name: "fixed", Label: "Organisation", Value: "Sandbox", Required: true, Disabled: true},
	}
)

// samplePanels are three tabs of code.
func samplePanels() []Panel {
	return []Panel{
		{ID: "tab-200", Label: "200", Tone: Good, Body: CodeBlock(sampleJSON)},
		{ID: "tab-400", Label: "400", Tone: Warn, Body: CodeBlock(Code{Title: "Error", Language: "json", Text: `{"error": {"code": 100}}`})},
		{ID: "tab-500", Label: "500", Tone: Bad, Body: CodeBlock(Code{Title: "Error", Language: "json", Text: `{"error": {"code": 1}}`})},
	}
}
