//go:build judge

package outbound

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// guideFunctions are functions in guides, and programs that call them and fail where
// one does otherwise than its guide says.
var guideFunctions = []struct {
	guide, language, tool, file string
	call                        string
}{
	{"sms/delivery-reports", "Python", "python3", "valid.py", `

import os

secret, body, genuine = os.environ["SECRET"], os.environb[b"BODY"], os.environ["SIGNATURE"]
assert valid(secret, body, genuine)
assert not valid(secret, body + b" ", genuine)
assert not valid(secret + "x", body, genuine)
assert not valid(secret, body, genuine[:-1])
assert not valid(secret, body, "")
assert not valid(secret, body, "sha256=é")
`},
	{"sms/delivery-reports", "PHP", "php", "valid.php", `
[$secret, $body, $genuine] = [getenv('SECRET'), getenv('BODY'), getenv('SIGNATURE')];
$ok = valid($secret, $body, $genuine)
    && !valid($secret, $body . ' ', $genuine)
    && !valid($secret . 'x', $body, $genuine)
    && !valid($secret, $body, substr($genuine, 0, -1))
    && !valid($secret, $body, '')
    && !valid($secret, $body, 'sha256=é');
exit($ok ? 0 : 1);
`},
	{"business-messaging/errors-and-retries", "Python", "python3", "retry.py", `

def answers(*list):
    left = iter(list)

    def send():
        answer = next(left)
        if answer is None:
            raise OSError("the connection broke")
        return answer

    return send


now = {"Retry-After": "0.01"}
assert send_with_retries(answers((400, now, 130429), (500, now, 2), (200, {}, 0))) == (200, 0)
assert send_with_retries(answers((400, {}, 100))) == (400, 100)  # fails for good
assert send_with_retries(answers(None, (200, {}, 0))) == (200, 0)
try:
    send_with_retries(answers((400, now, 80007), (400, now, 80007)), attempts=2)
    raise AssertionError("it went on")
except TimeoutError:
    pass
`},
	{"business-messaging/errors-and-retries", "Node.js", "node", "retry.mjs", `
import assert from "node:assert/strict";

const answers = (...list) => async () => {
  assert.ok(list.length > 0, "it sends too often");
  const [status, after, code] = list.shift() ?? [];
  if (!status) throw new Error("the connection broke");
  return { status, code, headers: new Headers(after ? { "Retry-After": after } : {}) };
};
assert.equal((await sendWithRetries(answers([400, "0.01", 130429], [500, "0.01", 2], [200]))).status, 200);
assert.equal((await sendWithRetries(answers([400, "", 100]))).code, 100); // fails for good
assert.equal((await sendWithRetries(answers(null, [200]))).status, 200);
await assert.rejects(sendWithRetries(answers([400, "0.01", 80007], [400, "0.01", 80007]), 2), /still busy/);
`},
}

// Functions in guides do what the guides say: they tell genuine reports from others,
// and retry what is worth it.
func TestFunctionsOfTheGuides(t *testing.T) {
	t.Parallel()
	const secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", `{"status":"DELIVRD","text":"ünïcode"}`
	signature := receiverGuide{header: "X-Signature-256"}.sign(t, secret, []byte(body))
	tried := map[string]int{}
	for _, f := range guideFunctions {
		tried[f.guide]++
		t.Run(f.guide+" "+f.language, func(t *testing.T) {
			t.Parallel()
			needTool(t, f.tool)
			code := codesOfGuide(t, f.guide)[f.language]
			if code == "" {
				t.Fatal("the guide has no such function")
			}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, f.file), []byte(code+f.call), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), f.tool, f.file)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "SECRET="+secret, "BODY="+body, "SIGNATURE="+signature)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	for guide, n := range tried {
		if codes := codesOfGuide(t, guide); len(codes) != n {
			t.Errorf("%s has %d functions, and %d are tried", guide, len(codes), n)
		}
	}
}
