package outbound

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"heliograph/db/seed"
)

// drivers run what the guide tells receivers to do: each reads a secret and a
// signature from its arguments and a body from a file, and answers yes or no.
var drivers = map[string]struct {
	file, driver, text string
	command            []string
}{
	"Python": {"signature.py", "main.py", `
import sys
from signature import valid
print("yes" if valid(sys.argv[1], open(sys.argv[3], "rb").read(), sys.argv[2]) else "no")
`, []string{"python3", "main.py"}},
	"Node.js": {"signature.mjs", "main.mjs", `
import { readFileSync } from "node:fs";
import { valid } from "./signature.mjs";
const [secret, signature, body] = process.argv.slice(2);
console.log(valid(secret, readFileSync(body), signature) ? "yes" : "no");
`, []string{"node", "main.mjs"}},
	"Go": {"webhook/webhook.go", "main.go", `
package main
import ("fmt"; "os"; "guide/webhook")
func main() {
	body, err := os.ReadFile(os.Args[3])
	if err == nil && webhook.Valid(os.Args[1], body, os.Args[2]) { fmt.Println("yes") } else { fmt.Println("no") }
}
`, []string{"go", "run", "."}},
	"PHP": {"signature.php", "main.php", `<?php
require 'signature.php';
echo valid($argv[1], file_get_contents($argv[3]), $argv[2]) ? 'yes' : 'no';
`, []string{"php", "main.php"}},
	"Java": {"Webhook.java", "Main.java", `
import java.nio.file.*;
class Main {
	public static void main(String[] a) throws Exception {
		System.out.println(Webhook.valid(a[0], Files.readAllBytes(Path.of(a[2])), a[1]) ? "yes" : "no");
	}
}
`, []string{"sh", "-c", `javac -d out Main.java Webhook.java && java -cp out Main "$@"`, "sh"}},
}

// The guide's receivers tell our callbacks from others.
func TestReceiversOfTheGuide(t *testing.T) {
	t.Parallel()
	guide, err := seed.Files.ReadFile("guides/business-messaging/receive-callbacks.md")
	if err != nil {
		t.Fatal(err)
	}
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	body := []byte(`{"object":"msgapp_business_account","text":"ünïcode \u0000 \"quoted\" $HOME"}` + "\n")
	signature := signed(t, secret, body)
	codes := regexp.MustCompile("(?s)```\\w+ tab=\"([^\"]+)\"\n(.*?)```").FindAllStringSubmatch(string(guide), -1)
	if len(codes) != len(drivers) {
		t.Fatalf("the guide has %d receivers, and %d are tried", len(codes), len(drivers))
	}
	for _, code := range codes {
		t.Run(code[1], func(t *testing.T) {
			t.Parallel()
			d := drivers[code[1]]
			tool := d.command[0]
			if tool == "sh" {
				tool = "javac"
			}
			if _, err := exec.LookPath(tool); err != nil {
				t.Skipf("%s is not installed", tool)
			}
			dir := t.TempDir()
			for name, text := range map[string]string{d.file: code[2], d.driver: d.text, "go.mod": "module guide\n\ngo 1.26\n", "body": string(body), "other": string(body[1:])} {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, tt := range []struct{ secret, signature, body, want string }{
				{secret, signature, "body", "yes"},
				{secret, signature, "other", "no"},
				{"another", signature, "body", "no"},
				{secret, signature[:len(signature)-1], "body", "no"},
				{secret, "sha256=é", "body", "no"},
			} {
				cmd := exec.CommandContext(t.Context(), d.command[0], append(d.command[1:], tt.secret, tt.signature, tt.body)...)
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				if got := strings.TrimSpace(string(out)); err != nil || got != tt.want {
					t.Errorf("%q %q %s: %s, want %s (%v)", tt.secret, tt.signature, tt.body, got, tt.want, err)
				}
			}
		})
	}
}

// signed is the signature of a real delivery.
func signed(t *testing.T, secret string, body []byte) (signature string) {
	t.Helper()
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) { signature = r.Header.Get("X-Hub-Signature-256") })
	if r := local().Post(t.Context(), Delivery{ID: "1", Owner: "1", URL: server.URL, Body: body, Secret: secret}); r.Err != nil {
		t.Fatal(r.Err)
	}
	return signature
}
