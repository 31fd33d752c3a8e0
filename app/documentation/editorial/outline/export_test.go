package outline

// The types of inputs that tests fill in.
const (
	Choice = choiceInput
	Check  = checkInput
	Code   = codeInput
)
