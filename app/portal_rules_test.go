package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	document "heliograph/app/documentation/openapi/tree"
	"heliograph/db/seed"
)

// portalRules are the sentences of the Portal API's contract that state a rule, each by
// some of its words, and the tests that hold it. "" holds sentences that promise nothing
// about an answer.
var portalRules = []struct{ tests, words string }{
	// Conventions and errors.
	{"TestPortalAPIOnlyAdds", "New fields may appear at any time"},
	{"TestEveryPortalAnswerKeepsTheConventions", "always with `type`, `status` ~ Every response has an `X-Request-Id` ~ The header `X-Request-Id` has it, too ~ The address exists, but not with this method ~ HTTP status of the response, for programs ~ Address of the error's entry ~ stands for an error that has none ~ Name of the HTTP status"},
	{"TestPortalAPIKeepsItsContracts TestConditionalRequests TestReleaseReplacesPages", "carry a strong `ETag` ~ Send it back as `If-None-Match` ~ without a body while that copy is current ~ Strong validator of this answer ~ It changes only when something new is published ~ The copy you hold is current ~ There is no body"},
	{"TestSearchIsLimited TestFieldPagesAreLimited TestMockLimits TestMockFlood", "A client that sends too many requests ~ Too many requests from your network address ~ Wait as many seconds as `Retry-After` says ~ Seconds to wait before the next request ~ Wait as long as `Retry-After` says ~ Requests that are left at once"},
	{"TestSearchKeepsItsContract TestQueriesAreChecked", "A parameter is missing or wrong ~ Correct what `errors` names ~ `errors` names each one and what to send instead ~ Absent if the problem is not in one"},
	{"TestTokensThatAreRefused TestTokensEnd TestProgramsBringDocumentsIn TestProgramsGetTheirCallbacks", "The token is missing, unknown, expired or revoked ~ Send a token that works ~ The API key is missing, unknown or revoked ~ They expire, and can be revoked"},
	{"TestHostAndOrigin TestTokensThatAreRefused TestEditorsImportIntoTheirProducts", "A page of another site sent the request ~ without an `Origin` header ~ The administrator of the token may not edit ~ names an address that is not the portal's"},
	{"TestMissingFilesNameTheNearest TestNothingUnpublishedIsShown", "Nothing is published at this address ~ Drafts and misspelt names ~ No published documentation has this address ~ Look the name up at `/api/catalog` ~ the most similar first ~ Only published documentation is visible"},
	{"TestProgramsBringDocumentsIn", "The import was decided before ~ Get the import and look at its `state` ~ The import does not wait for a decision ~ The body is larger than this address reads ~ The version or the body cannot be used ~ `errors` names each one ~ The document is over 10 MiB ~ No import into the product of the token"},
	{"TestErrorsBecomeOneAnswerPerAudience TestExhaustedDatabaseIsTemporary TestBrokenVersion", "Something failed on our side ~ Retry with growing pauses ~ The service is temporarily unavailable"},
	// Search.
	{"TestSearchKeepsItsWords", "best match first ~ The results, best first ~ Matches, best first ~ Answers are not for keeping ~ Space at both ends is removed ~ Without it, results of every kind ~ How many results to return at most ~ How many things match, of which ~ Counting stops at 100 ~ The query as it was understood ~ Absent for products and guides ~ Callbacks have none ~ Compare scores within one answer only ~ beginning with a slash ~ case does not matter"},
	{"TestRelevance TestMethodAloneFindsNothing TestFieldsAreFoundByTheirJSONPath", "narrows by method and path ~ find the same things ~ are kept whole ~ a path finds its endpoint also ~ the last word may be typed in part ~ An exact path or name comes first ~ what has all but one of them follows"},
	{"TestSlipsAreCorrected TestSearchNarrows", "the nearest word of the documentation takes its place ~ where the query had words that are found nowhere ~ Filters combine ~ It is HTML-escaped"},
	{"TestSearchNarrows TestNothingFoundOffersTheNearest", "A query that finds nothing answers ~ is empty when nothing matches ~ Empty if nothing was found ~ What to try instead when nothing matches"},
	{"TestSearchKeepsNoQuery TestSearchesAreNoted", "nothing else is kept"},
	{"TestSearchKeepsItsContract", "It requires `product` ~ Only results ~ Only endpoints, fields and examples"},
	// Catalogue.
	{"TestCatalogueKeepsItsWords", "always in the same order as the portal shows them ~ in display order ~ in the order of the portal's navigation ~ is listed with `status` `coming_soon` ~ A hidden product is left out ~ say until when it answers ~ in the order in which the portal shows them ~ are announced and have nothing to read yet ~ absent while it is coming soon ~ absent while the product is coming soon ~ newest first ~ Empty for products marked Coming Soon ~ Day after which the version may stop answering ~ Whether this is the version to read first ~ in the order of the navigation ~ relative to `base_url` ~ are relative to ~ Only for `Deprecated` and `Retired` versions ~ Number of published endpoints ~ Address relative to the portal ~ Version to read first"},
	{"TestPortalAPIKeepsItsContracts", "belong together ~ Both lists may be empty ~ empty when it needs none ~ by status, in documented order ~ JSON as it is ~ Returns the documented request and response examples ~ One entry for each published version ~ Returns a link set as RFC 9727 defines it"},
	{"TestHistoryTellsWhatAComparisonTells TestReleaseIsSeenEverywhere", "It grows with each publication"},
	{"", "`Beta` may still change ~ `Deprecated` still answers ~ `Retired` no longer answers ~ Name for people"},
	// Exports.
	{"TestExportsKeepTheirWords", "Exports never contain live credentials ~ every `$ref` points into the document itself ~ without anchors or aliases ~ one folder per category ~ every request is ready to send ~ empty and marked secret ~ Always empty for secrets ~ Always `true` ~ Identifier that stays the same ~ so that a second import replaces the first ~ one per category"},
	{"TestExports TestExportIsStable", "The YAML export holds the same content ~ Returns the same document as the JSON export ~ Downloads the OpenAPI 3.1 specification"},
	{"TestOperationHasWhatItRefersTo", "only the schemas, parameters and security schemes"},
	{"TestJudgesAcceptExports TestCollectionsAreValid", "its own specification defines all further fields ~ its own schema defines all further fields"},
	{"TestArchivesKeepTheirContract TestFind", "other common names redirect to these"},
	{"TestMatrix TestBuild", "without other packages"},
	{"TestArchivesKeepTheirContract TestBuild", "If yours is not ready, the request waits ~ then answers `503` with `Retry-After` ~ The archive is still being built ~ is the SHA-256 of the file ~ Ranges are answered"},
	// Assistants.
	{"TestConformance TestContract TestScope", "A read-only Model Context Protocol endpoint ~ It keeps no sessions ~ the oldest supported revision is assumed ~ Revision 2026-07-28 requires it ~ the answer repeats it ~ which is part of every message ~ A result or an error, never both ~ Decide by it ~ A message without `id` is a notification ~ Why the message could not be answered ~ A notification was taken ~ The answer to the message"},
	{"TestOtherMethods", "answer `405`"},
	{"TestBatches TestContract", "A request is at most 64 KiB ~ a batch holds at most 10 messages ~ The request is larger than 64 KiB ~ or the batch has more than 10 messages"},
	{"TestMistakesTeach TestUnknownMethods", "A wrong argument is no transport error ~ whose `isError` is true ~ Unknown tools and methods answer"},
	{"TestContract TestAcceptMayBeLeftOut", "The headers or the body are no valid MCP request ~ is not `application/json` ~ that lists both `application/json`"},
	{"TestDisguisedCallsCount TestCallsAreLimited", "One address may make 60 calls a minute ~ Tool calls, reads of resources and completions count"},
	{"TestEveryPageAsMarkdown TestPagesAsMarkdown TestAcceptChoosesMarkdown", "Returns every page of the latest versions ~ Every page of the documentation is also Markdown ~ Each product has one of its own ~ Returns the list of all pages as Markdown"},
	{"TestSetupPage", "has ready configuration"},
	// Mock server.
	{"TestEngineAnswers TestMockExplains TestContractRequest", "the request is checked against the documentation ~ Each response has the status and the content type ~ tells what chose it ~ choose what it answers"},
	{"TestMockIsIsolated TestMockReadsNoSession", "Nothing is sent or stored"},
	{"TestMockPreflight TestEngineAnswers", "All methods work, not only `GET`"},
	{"TestUnknownOperations TestEngineNamesTheNearest TestMockProblems", "It may have slashes ~ Nothing is published there ~ Operations that document 400 and not 422 answer 400 ~ The request breaks its contract ~ Why the mock did not answer ~ Each place that must change ~ HTTP status of the answer"},
	{"TestMockFaults TestMockWaits TestEngineForgetsPreferences", "`code`, `example`, `dynamic` ~ The same names with two underscores ~ describes every preference and problem"},
	{"TestOutcomesShowTheirCallbacks TestMockExplains", "It is absent otherwise"},
	// Imports.
	{"TestProgramsBringDocumentsIn TestDocumentsAreReadChosenAndAccepted TestImportAndImportAgain", "at most 10 MiB ~ The answer comes at once ~ Ask for the import until ~ Nothing is public before people review ~ any other is new ~ whatever its content type says ~ waits for a worker ~ Reports how far an import is ~ It is reviewed like all others ~ `ready` waits for a decision ~ Why it could not be read ~ What was read, once it was ~ that the document does not have ~ could not be taken over as they are written ~ could not be taken over as it is written ~ at most thirty changes of each operation ~ Makes a change set of everything"},
	// Callbacks.
	{"TestProgramsGetTheirCallbacks", "Webhooks get their callbacks as always ~ while your webhook gets them as always ~ has no `after` and begins now ~ A request waits until there is a callback ~ How many seconds the request may wait ~ 0 answers at once ~ the answer has no events and begins now ~ A key sees the callbacks of its channels ~ A parameter cannot be read ~ with a fresh signature ~ The same for every attempt"},
	{"TestListenWaitsForTheReceiver", "Only a GET has one"},
	{"TestCursorsAreRead TestCursorsLoseAndRepeatNothing", "Send `next` of each answer ~ The value of `next` from the previous answer ~ Nothing is lost when your program ~ the oldest first ~ at most 50 of them ~ What it holds may change ~ Ask for them at once ~ Send it as `after` of the following"},
	// Health.
	{"TestHealthFollowsTheDatabase", "Asks the database one question ~ answers `200` when it replied ~ The answer names no cause ~ The database did not answer ~ while the database answers, else"},
	{"TestReadyzTellsOfAReadOnlyDatabase", "which asks nobody"},
	{"", "the same documentation over the Model Context Protocol ~ the message may change ~ `detail` is for people ~ Address of the portal, without a trailing slash"},
}

// ruled matches a sentence that states a rule.
var ruled = regexp.MustCompile(`(?i)\b(?:at most|at least|always|never|only|no longer|until|without|default|absent|empty|first|order|stays|same|any|whatever|each|every|nothing|none|once|cannot|not|must|may|like|alike|answers?|carry|carries|relative|escaped|ignore|returns?|waits?|expire|redirect)\b|[0-9]+ (?:KiB|MiB)|SHA-256`)

// Each sentence of the Portal API's contract that states a rule has tests, which exist.
func TestRulesOfThePortalAPIHaveTests(t *testing.T) {
	t.Parallel()
	text, err := seed.Files.ReadFile("portal.yaml")
	if err != nil {
		t.Fatal(err)
	}
	root, err := document.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	sentences := describedBy(root)
	whole, exists := strings.Join(sentences, "\n"), testsOfTheTree(t)
	var words []string
	for _, rule := range portalRules {
		for test := range strings.FieldsSeq(rule.tests) {
			if !exists[test] {
				t.Errorf("%q names %s, which does not exist", rule.words, test)
			}
		}
		for phrase := range strings.SplitSeq(rule.words, " ~ ") {
			if words = append(words, phrase); !strings.Contains(whole, phrase) {
				t.Errorf("the contract does not say %q", phrase)
			}
		}
	}
	states := 0
	for _, sentence := range sentences {
		if !ruled.MatchString(sentence) {
			continue
		}
		states++
		if !slices.ContainsFunc(words, func(phrase string) bool { return strings.Contains(sentence, phrase) }) {
			t.Errorf("no test is named for %q", sentence)
		}
	}
	if states < 100 {
		t.Errorf("only %d sentences state a rule", states)
	}
}

// describedBy returns the sentences of all descriptions of a document, without examples.
func describedBy(n *document.Node) (sentences []string) {
	for _, m := range n.Members {
		switch {
		case m.Key == "example" || m.Key == "examples":
		case m.Key == "description" && m.Value.Is(document.KindString):
			text := strings.Join(strings.Fields(n.Str("description")), " ")
			sentences = append(sentences, sentenceBreak.Split(text, -1)...)
		default:
			sentences = append(sentences, describedBy(m.Value)...)
		}
	}
	for _, item := range n.Items {
		sentences = append(sentences, describedBy(item)...)
	}
	return sentences
}

var sentenceBreak = regexp.MustCompile(`[.;] (?:- )?| \| `)
