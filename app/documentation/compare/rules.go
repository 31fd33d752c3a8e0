package compare

// direction says who writes the value that a schema describes.
type direction uint8

const (
	request   direction = iota // the reader's program writes it
	response                   // the reader's program reads it
	condition                  // part of a condition, where either may fail
)

func (d direction) reverse() direction {
	switch d {
	case request:
		return response
	case response:
		return request
	}
	return d
}

// rule describes a kind of change. The second level and text belong to
// responses. An empty one is the same as for requests.
type rule struct {
	class          Class
	title          string
	level, read    Level
	reason, told   string
	advice, remedy string
}

// in returns the level, reason and advice of a rule in a direction.
func (r rule) in(d direction) (Level, string, string) {
	level, reason, advice := r.level, r.reason, r.advice
	if d == response {
		if r.read != "" {
			level = r.read
		}
		if r.told != "" {
			reason = r.told
		}
		if r.remedy != "" {
			advice = r.remedy
		}
	}
	if d == condition && level != Prose {
		level, reason = Risky, "The change is within a condition, so that it depends on the value."
		advice = "Check your requests and responses against the new condition."
	}
	return level, reason, advice
}

const nothing = "Nothing to do."

// rules are the kinds of changes by name.
var rules = map[string]rule{
	"endpoint-added":          {Added, "Endpoint added", Safe, "", "New endpoints do not affect existing calls.", "", nothing, ""},
	"endpoint-removed":        {Removed, "Endpoint removed", Breaking, "", "Calls of the endpoint fail.", "", "Stop calling it before you move to the new version.", ""},
	"callback-added":          {Added, "Callback added", Safe, "", "Your server may receive a new kind of callback.", "", "Accept callbacks that you do not know with a 2xx response.", ""},
	"callback-removed":        {Removed, "Callback removed", Breaking, "", "Your server no longer receives the callback.", "", "Get the information in another way.", ""},
	"path-changed":            {Changed, "Path changed", Breaking, "", "Calls to the old address fail.", "", "Call the new method and path.", ""},
	"deprecated":              {Changed, "Deprecated", Safe, "", "It still works and will be removed in a later version.", "", "Plan to move away from it.", ""},
	"undeprecated":            {Changed, "No longer deprecated", Safe, "", "It stays in the API.", "", nothing, ""},
	"prose-changed":           {Changed, "Text changed", Prose, "", "Only the documentation changed.", "", "Read the new text.", ""},
	"category-changed":        {Changed, "Category changed", Prose, "", "Only its place in the documentation changed.", "", nothing, ""},
	"operation-id-changed":    {Changed, "Operation id changed", Risky, "", "Calls stay as they are. Generated clients name the method after the id.", "", "Rename the call if you use a generated client.", ""},
	"example-added":           {Added, "Example added", Prose, "", "Only the documentation changed.", "", nothing, ""},
	"example-removed":         {Removed, "Example removed", Prose, "", "Only the documentation changed.", "", nothing, ""},
	"example-changed":         {Changed, "Example changed", Prose, "", "Only the documentation changed.", "", nothing, ""},
	"detail-changed":          {Changed, "Detail changed", Prose, "", "The change affects no call.", "", nothing, ""},
	"schema-changed":          {Changed, "Schema changed", Prose, "", "The endpoints that use the schema list what affects them.", "", nothing, ""},
	"unused-schema-changed":   {Changed, "Unused schema changed", Prose, "", "No endpoint uses the schema.", "", nothing, ""},
	"server-added":            {Added, "Server added", Safe, "", "The other servers stay.", "", nothing, ""},
	"server-removed":          {Removed, "Server removed", Risky, "", "Calls to the address can fail.", "", "Call one of the other servers.", ""},
	"security-added":          {Added, "Way to authenticate added", Safe, "", "The other ways still work.", "", nothing, ""},
	"security-removed":        {Removed, "Way to authenticate removed", Breaking, "", "Calls that authenticate in this way are refused.", "", "Authenticate in one of the other ways.", ""},
	"security-required":       {Changed, "Authentication required", Breaking, "", "Calls without credentials are refused.", "", "Send credentials with each call.", ""},
	"security-lifted":         {Changed, "Authentication no longer required", Safe, "", "Calls work with and without credentials.", "", nothing, ""},
	"security-changed":        {Changed, "Authentication scheme changed", Breaking, "", "Credentials are expected in another way.", "", "Send your credentials as the new version describes.", ""},
	"scope-added":             {Added, "Scope required", Breaking, "", "Tokens without the scope are refused.", "", "Request the scope for your tokens.", ""},
	"scope-removed":           {Removed, "Scope no longer required", Safe, "", "Tokens need less than before.", "", nothing, ""},
	"parameter-added":         {Added, "Optional parameter added", Safe, "", "Calls may leave it out.", "", nothing, ""},
	"required-parameter":      {Added, "Required parameter added", Breaking, "", "Calls without the parameter are refused.", "", "Send the parameter.", ""},
	"parameter-removed":       {Removed, "Parameter removed", Risky, "", "The server ignores the parameter or refuses it.", "", "Stop sending the parameter.", ""},
	"style-changed":           {Changed, "Serialisation changed", Breaking, "", "The value is written in another way.", "", "Write the value as the new version describes.", ""},
	"body-added":              {Added, "Optional body added", Safe, "", "Calls may leave the body out.", "", nothing, ""},
	"required-body":           {Added, "Required body added", Breaking, "", "Calls without a body are refused.", "", "Send a body.", ""},
	"body-removed":            {Removed, "Body removed", Breaking, Risky, "The server ignores the body or refuses it.", "The callback has no body any more.", "Stop sending a body.", "Do not rely on the body."},
	"media-added":             {Added, "Content type added", Safe, "", "The other content types still work.", "", nothing, ""},
	"media-removed":           {Removed, "Content type removed", Breaking, "", "Bodies of the content type are refused.", "Responses no longer have the content type.", "Send another content type.", "Accept another content type."},
	"encoding-changed":        {Changed, "Encoding changed", Risky, "", "Parts of the form are written in another way.", "", "Write the form as the new version describes.", ""},
	"response-added":          {Added, "Response added", Safe, "", "The response is documented now.", "", "Handle the status if you do not yet.", ""},
	"response-removed":        {Removed, "Response removed", Breaking, "", "The endpoint no longer responds with the status.", "", "Expect one of the other statuses.", ""},
	"error-removed":           {Removed, "Error response removed", Safe, "", "The endpoint no longer responds with the error.", "", nothing, ""},
	"link-changed":            {Changed, "Link changed", Prose, "", "Only a hint at further calls changed.", "", nothing, ""},
	"header-added":            {Added, "Header added", Safe, "", "Programs ignore headers that they do not know.", "", nothing, ""},
	"header-removed":          {Removed, "Optional header removed", Risky, "", "Programs that read the header do not find it.", "", "Do not rely on the header.", ""},
	"required-header-removed": {Removed, "Header removed", Breaking, "", "Programs that read the header do not find it.", "", "Do not rely on the header.", ""},
	"became-required":         {Changed, "Became required", Breaking, Safe, "Requests without it are refused.", "It is always there now.", "Send it in each request.", nothing},
	"became-optional":         {Changed, "Became optional", Safe, Breaking, "Requests may leave it out.", "It can be missing now.", nothing, "Handle responses without it."},
	"field-added":             {Added, "Optional field added", Safe, "", "Requests may leave it out.", "Programs ignore fields that they do not know.", nothing, ""},
	"required-field":          {Added, "Required field added", Breaking, Safe, "Requests without the field are refused.", "Programs ignore fields that they do not know.", "Send the field.", nothing},
	"field-removed":           {Removed, "Optional field removed", Risky, "", "The server ignores the field or refuses it.", "Programs that read the field do not find it.", "Stop sending the field.", "Do not rely on the field."},
	"required-field-removed":  {Removed, "Field removed", Risky, Breaking, "The server ignores the field or refuses it.", "Programs that read the field do not find it.", "Stop sending the field.", "Do not rely on the field."},
	"type-narrowed":           {Changed, "Type narrowed", Breaking, Safe, "Values of the old type are refused.", "All values have a type that was possible before.", "Send values of the new type.", nothing},
	"type-widened":            {Changed, "Type widened", Safe, Breaking, "Values of the old type are still accepted.", "Values can have a type that was not possible before.", nothing, "Handle values of the new type."},
	"type-changed":            {Changed, "Type changed", Breaking, "", "Values of the old type are refused.", "Values have another type.", "Send values of the new type.", "Read values of the new type."},
	"null-allowed":            {Changed, "May be null", Safe, Breaking, "Null is accepted too.", "The value can be null now.", nothing, "Handle null."},
	"null-refused":            {Changed, "May not be null", Breaking, Safe, "Null is refused.", "The value is never null.", "Leave the field out or send a value.", nothing},
	"enum-value-added":        {Added, "Value added", Safe, Risky, "The other values stay.", "Programs may not know the value.", nothing, "Handle values that you do not know."},
	"enum-value-removed":      {Removed, "Value removed", Breaking, Safe, "The value is refused.", "The value is no longer sent.", "Send one of the other values.", nothing},
	"enum-set":                {Changed, "Limited to values", Breaking, Safe, "Other values are refused.", "Only these values are sent.", "Send one of the values.", nothing},
	"enum-lifted":             {Changed, "No longer limited to values", Safe, Risky, "All values of the type are accepted.", "Values that were not possible before can be sent.", nothing, "Handle values that you do not know."},
	"limit-narrowed":          {Changed, "Limit narrowed", Breaking, Safe, "Values beyond the new limit are refused.", "All values keep the old limit too.", "Check your values against the new limit.", nothing},
	"limit-widened":           {Changed, "Limit widened", Safe, Breaking, "Values within the old limit are still accepted.", "Values can be beyond the old limit.", nothing, "Make room for values within the new limit."},
	"format-narrowed":         {Changed, "Format set", Breaking, Safe, "Values of another format are refused.", "All values have the format.", "Send values in the format.", nothing},
	"format-widened":          {Changed, "Format lifted", Safe, Breaking, "Values in any format are accepted.", "Values can have another format.", nothing, "Do not rely on the format."},
	"format-changed":          {Changed, "Format changed", Breaking, "", "Values in the old format are refused.", "Values have another format.", "Send values in the new format.", "Read values in the new format."},
	"pattern-set":             {Changed, "Pattern set", Breaking, Safe, "Values that do not match are refused.", "All values match the pattern.", "Check your values against the pattern.", nothing},
	"pattern-lifted":          {Changed, "Pattern lifted", Safe, Risky, "Values need not match.", "Values need not match the old pattern.", nothing, "Do not rely on the pattern."},
	"pattern-changed":         {Changed, "Pattern changed", Risky, "", "Values that matched the old pattern may not match the new one.", "Values may not match the old pattern.", "Check your values against the new pattern.", "Do not rely on the old pattern."},
	"default-changed":         {Changed, "Default changed", Risky, Safe, "Requests without the value can have another effect.", "The server fills the value in.", "Send the value if you rely on it.", nothing},
	"encoding-of-text":        {Changed, "Content of the text changed", Breaking, "", "The text is read in another way.", "The text holds something else.", "Write the text as the new version describes.", "Read the text as the new version describes."},
	"read-only":               {Changed, "Read-only changed", Risky, "", "The server may ignore or refuse the field in requests.", "", "Check whether you send the field.", ""},
	"write-only":              {Changed, "Write-only changed", Risky, "", "The field may be missing in responses.", "", "Check whether you read the field.", ""},
	"members-closed":          {Changed, "Other members refused", Breaking, Safe, "Objects with members that are not listed are refused.", "Only listed members are sent.", "Send listed members only.", nothing},
	"members-opened":          {Changed, "Other members allowed", Safe, "", "Objects may have members that are not listed.", "Programs ignore members that they do not know.", nothing, ""},
	"condition-added":         {Added, "Condition added", Risky, "", "Values that do not meet the condition are refused.", "The condition narrows what is sent.", "Check your values against the condition.", nothing},
	"condition-removed":       {Removed, "Condition removed", Risky, "", "The value depends on less than before.", "", "Check whether you rely on the condition.", ""},
	"condition-changed":       {Changed, "Condition changed", Risky, "", "Values that met the old condition may not meet the new one.", "", "Check your values against the new condition.", ""},
	"form-added":              {Added, "Form added", Safe, Breaking, "The other forms are still accepted.", "The value can have a form that was not possible before.", nothing, "Handle the new form."},
	"form-removed":            {Removed, "Form removed", Breaking, Safe, "Values of the form are refused.", "The form is no longer sent.", "Send one of the other forms.", nothing},
	"forms-set":               {Changed, "Limited to forms", Breaking, Safe, "Values of other forms are refused.", "All values have one of the forms.", "Send one of the forms.", nothing},
	"forms-lifted":            {Changed, "No longer limited to forms", Safe, Breaking, "Values of any form are accepted.", "Values of other forms can be sent.", nothing, "Handle other forms."},
	"discriminator-changed":   {Changed, "Discriminator changed", Risky, "", "Programs that tell the forms apart by it may choose wrongly.", "", "Tell the forms apart as the new version describes.", ""},
	"keyword-changed":         {Changed, "Rule changed", Risky, "", "The schema has another rule for the value.", "", "Check your values against the new rule.", ""},
}
