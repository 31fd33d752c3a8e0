package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// timedRules are the sentences of the contracts that promise something about time, each
// by some of its words, and the tests that hold it with the clock of the database or a
// clock of their own. "" holds sentences that promise nothing about this service.
var timedRules = map[string][]struct{ tests, words string }{
	"messaging": {
		{"TestLiveNumbersHaveTheirOwnRates TestANumberSendsAtItsRateAcrossProcesses", "80 messages per second"},
		{"TestARecipientGetsABurstAndThenAPause", "One every 6 seconds, with bursts of up to 45"},
		{"TestOperationsHaveRates", "5,000 an hour per organisation | 100 an hour per account | 100 an hour per catalogue | about 100 batches an hour | and 100 new ones an"},
		{"TestIdempotencyKeyGivesOneMessage TestIdempotencyKeyOverHTTP TestHousekeepKeepsWhatIsStillOfUse", "For 24 hours, the same key with the same body | one key sends one message within 24 hours | for 24 hours the same key with"},
		{"TestPausesEndAndGrow", "`PAUSED` for 3, then 6 hours | `PAUSED` for 3 hours, for 6 hours"},
		{"TestConversationWindow", "within the last 24 hours, otherwise | 24 hours and arrives at your webhook | messages of every kind for 24 hours | Replies within the 24-hour window"},
		{"TestMessageFailsWhenItsTimeToLiveIsOver TestSentMessageFailsWhenItsTimeToLiveIsOver TestMessageTakesTheTimeToLiveOfItsTemplate", "30 days for other kinds | -1 means 30 days | title: 30 days"},
		{"TestFetchesHoldForAWhile", "link within ten minutes"},
		{"TestUnreachableServersAreTriedAgain", "requested three more times within a minute"},
		{"TestFilesByLinkAreKept", "kept for a day after they were last needed"},
		{"TestVirtualCarrier", "delivered after 10 seconds, read after 20 seconds"},
		{"TestVirtualPayer", "succeeds 10 seconds later"},
		{"TestSweepKeepsWhatWasPromised", "30 days after they came"},
		{"TestMediaBelongsToItsTenant TestSweepMediaLeavesWhatLives", "for 30 days, and one upload serves | can be downloaded for 30 days, received media for 7 days | download it within 7 days | download the file within 7 days"},
		{"TestUploadsOfADayHaveAQuota", "stores at once or uploads on one day"},
		{"TestMediaAddressesExpire", "works for 5 minutes and needs your key | for 5 minutes and with your key"},
		{"TestApprovedTemplateIsEditedSoOften", "Once in 24 hours, ten times in 30 days | counts as a second edit"},
		{"TestUploadInSteps", "is not finished ends after 24 hours"},
		{"TestHandlesAreBound", "          for 30 days."},
		{"TestAuthenticationTemplateIsStoredAsItIsSent", "the button works for 10 minutes"},
		{"TestTemplateNameIsTakenOnce TestDeletionWaitsForMessagesAndBlocksTheName", "        for 30 days. Up to 6,000 templates"},
		{"TestDeletionWaitsThirtyDaysAtMost TestDeletionWaitsForMessagesAndBlocksTheName", "delivered, at most 30 days. The name"},
		{"TestSecretsAreRotatedAndRetired TestReplayedAndRotated", "For 24 hours, or until you retire the previous one"},
		{"TestReceiversHaveTenSeconds", "within 10 seconds, then do the work | within 10 seconds means that | no answer within 10 seconds"},
		{"TestTenAttemptsThenGivenUp TestCallbacksFollowTheScheduleOfTheirChannel", "tried again, ten times"},
		{"TestRetryAfter", "A longer `Retry-After`, up to 24 hours"},
		{"TestPaceFollowsTheShareOfFailures TestCircuitOpensAfterFiveFailuresAndClosesAtOnce", "single callbacks, up to a minute apart"},
		{"TestFiveDaysOfFailuresDisable TestGoneEndpointIsDisabled", "nothing but failures for five days | failed for five days"},
		{"TestMediaUploadIsRepeatedUnderItsKey TestUploadSessionIsRepeatedUnderItsKey TestQRCodeIsMadeOnce", "does not make a second one"},
		{"TestReadReceipt", "for up to 25 seconds or until you send"},
		{"TestReportsMoveMessagesForward", "one recipient on one day"},
	},
	"sms": {
		{"TestSMSIdempotencyKeyThatCannotBeUsed TestRequestsWithOneKeyAreDoneOnce TestHousekeepKeepsWhatIsStillOfUse", "for 24 hours, the same key returns the first response"},
		{"TestParseSchedule TestScheduledSMSWaits TestScheduledMessageIsDueLater", "15 minutes to 90 days ahead | 15 minutes to 129,600 minutes (90 days)"},
		{"TestSMSRequestsThatAreRefused TestSMSKeepsTheLimitsOfItsContract TestSMSFieldsAtBothLevels", "Send 60 to 604,800 seconds"},
		{"TestSMSReferenceIsUnique", "was used in the last 24 hours | The same `cust_ref` within 24 hours | unique within 24 hours"},
		{"TestOTPLimits", "a code every 30 seconds, five in 10 minutes and ten in 24 hours | at least 30 seconds between codes | More than 20 guesses an hour"},
		{"TestCodesToAPrefixAreBounded TestCodesThatNobodyEntersAreHeldBack", "50 codes of your account at once, and 25 a minute"},
		{"TestOTPIsSentAndVerifiedOnce TestOTPThroughTheAPI", "It is valid for 10 minutes | 10 minutes if you leave it out"},
		{"TestLookupLimits", "600 requests a minute | 60 such requests a minute"},
		{"TestReceiversHaveTenSeconds", "within 10 seconds**"},
		{"TestReportsAreTriedForADay TestCallbacksFollowTheScheduleOfTheirChannel", "5 seconds, then with growing pauses of up to 1 hour, for 24 hours"},
		{"TestSubmittedSMSExpires TestWhatIsOverEnds", "Reported 2 minutes after it, or up to 15 minutes"},
		{"TestVirtualCarrierOfSMS", "then `DELIVRD` after 10 seconds"},
	},
	"rcs": {
		{"TestRCSIdempotencyKey TestHousekeepKeepsWhatIsStillOfUse", "for 24 hours, the same key with the same body | for 24 hours the same key with the same"},
		{"TestRequestsOfAnOrganisationHaveARate", "100 requests a second for sending, 60 a minute for everything else"},
		{"TestRCSInvitationsAreFew", "then one more every 72 minutes"},
		{"TestRCSMessageStatus", "Statuses are kept for 30 days | or it is older than 30 days"},
		{"TestReceiversHaveTenSeconds", "within 10 seconds**"},
		{"TestReportsAreTriedForADay TestCallbacksFollowTheScheduleOfTheirChannel", "retried after 5, 25 and 125 seconds, then with growing pauses of up to 1 hour, for 24 hours | growing pauses of up to 1 hour, for 24 hours"},
		{"TestExpiredMessageIsRevokedFirst TestRCSSendsAreChecked", "(15 days). Not with `expireTime` | at most 15 days ahead"},
	},
	"portal": {
		{"", "the request waits up to ten seconds"},
		{"TestDisguisedCallsCount TestCallsAreLimited", "60 calls a minute, 30 of them at once"},
		{"TestHealthFollowsTheDatabase", "when it replied within a second"},
		{"", "so that a second import replaces the first"},
	},
}

// timed matches a time in a sentence of a contract.
var timed = regexp.MustCompile(`\b(?:[0-9][0-9,]*|an?|one|second|three|five|ten|once in|per)[ -]+(?:more )?(?:seconds?|minutes?|hours?|days?)\b`)

// example matches the values of examples and what people write in theirs.
var example = regexp.MustCompile(`^(?:title: \D|(?:message|details?|text|summary|body|example|value|found|note|explanation|error_user_msg|description: (?:Add|When the))\b)|\b(?:value|details?|message|text|error_data): `)

// Each sentence of a contract about a time has tests, which exist.
func TestRulesAboutTimesHaveTests(t *testing.T) {
	t.Parallel()
	exists := testsOfTheTree(t)
	for contract, rules := range timedRules {
		text, err := os.ReadFile("../db/seed/" + contract + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, rule := range rules {
			for test := range strings.FieldsSeq(rule.tests) {
				if !exists[test] {
					t.Errorf("%s: %q names %s, which does not exist", contract, rule.words, test)
				}
			}
			for phrase := range strings.SplitSeq(rule.words, " | ") {
				if words = append(words, phrase); !strings.Contains(string(text), phrase) {
					t.Errorf("%s does not say %q", contract, phrase)
				}
			}
		}
		for line := range strings.Lines(string(text)) {
			if timed.MatchString(line) && !example.MatchString(strings.TrimLeft(line, " -{")) && !slices.ContainsFunc(words, func(phrase string) bool { return strings.Contains(line, phrase) }) {
				t.Errorf("%s: no test is named for %q", contract, strings.TrimSpace(line))
			}
		}
	}
}
