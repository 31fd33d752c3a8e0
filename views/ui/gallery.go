package ui

// The samples of the gallery.
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
		Rows:    [][]Cell{Texts("Delivered", "18,204", "96.1 %"), Texts("Failed", "739", "3.9 %")},
	}

	sampleCells = Table{
		Caption: "Kinds of cell",
		Quiet:   true,
		Columns: []Column{{Label: "Organisation"}, {Label: "Status"}, {Label: "Key"}, {Label: "Seen"}},
		Rows: [][]Cell{
			{{Text: "Sandbox", Href: "#main", Note: "for trying"}, {Text: "Active", Badge: true, Tone: Good}, {Text: "hg_test_4tY2", Mono: true}, {Text: "21 Nov 2026, 05:19", Title: "two minutes ago"}},
			{{Body: PostButton(Post{Action: "#main", Label: "Retry", Object: "the job"})}, {Text: "Inactive", Badge: true}, {}, {Text: "Never"}},
			{{Body: AskButton(Ask{Link: Link{Label: "Pause", Href: "#main"}, Object: "the queue", Small: true})}, {Text: "Open", Badge: true, Tone: Good}, {}, {Text: "Never"}},
		},
	}

	sampleSelect = Select{Name: "status", Label: "Status", Value: "active", Options: []Option{{Label: "Any"}, {Value: "active", Label: "Active"}}}

	sampleRadios = Radios{
		Name: "mode", Label: "How SMS are sent", Value: "virtual", Error: "Choose one.",
		Choices: []Radio{{"virtual", "Virtual", "They go to the inbox of the administration."}, {"actual", "Actual", "A provider sends them."}},
	}

	sampleChecks = Checks{
		Name: "channels", Label: "Channels", Values: []string{"messaging"}, Hint: "What the key may be used for",
		Options: []Option{{Value: "messaging", Label: "Messaging"}, {Value: "sms", Label: "SMS"}},
	}

	sampleFilter = Filter{
		Action:  "#main",
		Inputs:  []Input{{Name: "text-of", Label: "Name or email", Type: "search", Value: "sand"}},
		Selects: []Select{sampleSelect},
		Clear:   Link{Label: "Show all", Href: "#main"},
	}

	sampleList = Listing{
		Filter: sampleFilter, Summary: "First 2 deliveries", First: Link{Label: "First page", Href: "#main"},
		Table: Table{
			Caption: "Deliveries", Quiet: true, Columns: []Column{{Label: "When (UTC)", Sort: Link{Label: "When (UTC)", Href: "#main"}, Order: "descending"}, {Label: "State"}},
			Rows: [][]Cell{{{Text: "10:00:18", Href: "#main", Opens: "details-1"}, {Text: "Failed", Badge: true, Tone: Bad}}},
			Rest: Rest{Link: Link{Label: "Show more deliveries", Href: "#main"}, Note: "Searched back to 09:00.", Pages: 1},
		},
	}

	sampleQuestion = Question{
		Region: "confirm-1", InPlace: true, Text: "Requests with this key are refused immediately.", Facts: []Pair{{Key: "Begins with", Value: "hg_test_4tY2", Mono: true}},
		Action: Post{Action: "#main", Label: "Revoke the key", Kind: Danger}, Back: Link{Label: "Keep the key", Href: "#main"},
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

// sampleChart is a week of three channels, one day without anything.
var sampleChart = Chart{
	Title: "Messages by day and channel", Steps: "Day", Series: []string{"Messaging", "SMS", "RCS"},
	Bars: []Bar{
		{"15 Nov", []int{1204, 310, 0}}, {"16 Nov", []int{980, 420, 12}}, {"17 Nov", []int{0, 0, 0}}, {"18 Nov", []int{1410, 120, 44}},
		{"19 Nov", []int{1320, 260, 60}}, {"20 Nov", []int{640, 700, 3}}, {"21 Nov", []int{212, 40, 1}},
	},
}

var sampleArea = TextArea{Name: "headers", Label: "Headers of your own", Value: "X-Webhook-Secret: b4f1c7d2", Rows: 3, Mono: true, Hint: "One on each line"}

// samplePanels are three tabs of code.
func samplePanels() []Panel {
	return []Panel{
		{ID: "tab-200", Label: "200", Tone: Good, Body: CodeBlock(sampleJSON)},
		{ID: "tab-400", Label: "400", Tone: Warn, Body: CodeBlock(Code{Title: "Error", Language: "json", Text: `{"error": {"code": 100}}`})},
		{ID: "tab-500", Label: "500", Tone: Bad, Body: CodeBlock(Code{Title: "Error", Language: "json", Text: `{"error": {"code": 1}}`})},
	}
}
