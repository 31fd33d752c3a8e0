package identity

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	"heliograph/app/fault"
	"heliograph/app/lists"
)

// Argon2id with 46 MiB and one pass, as recommended by the OWASP password storage
// guide of 2026. A hash takes about 70 ms on one core.
var hashing = &argon2id.Params{Memory: 46 << 10, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hashSlots limits how many hashes are computed at once, so that a flood of
// sign-ins does not take all memory and CPU time from other requests.
var hashSlots = make(chan struct{}, runtime.GOMAXPROCS(0))

// hashPatience is how long a sign-in waits for a slot.
const hashPatience = 10 * time.Second

func acquireSlot(ctx context.Context) (done func(), err error) {
	timer := time.NewTimer(hashPatience)
	defer timer.Stop()
	select {
	case hashSlots <- struct{}{}:
		return func() { <-hashSlots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timer.C:
		return nil, &fault.Error{Kind: fault.Unavailable, Message: "Too many people are signing in right now. Try again shortly.", RetryAfter: hashPatience}
	}
}

func hashPassword(ctx context.Context, password string) (string, error) {
	done, err := acquireSlot(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	hash, err := argon2id.CreateHash(password, hashing)
	if err != nil {
		return "", fmt.Errorf("hashing a password: %w", err)
	}
	return hash, nil
}

// dummyHash is compared when there is no account, so that it takes the same time.
const dummyHash = "$argon2id$v=19$m=47104,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

func passwordMatches(ctx context.Context, password, hash string) (bool, error) {
	done, err := acquireSlot(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	match, err := argon2id.ComparePasswordAndHash(password, hash)
	if err != nil {
		return false, fmt.Errorf("comparing a password: %w", err)
	}
	return match, nil
}

// The length of a password in characters.
const (
	minPassword = 12
	maxPassword = 200
)

//go:embed common_passwords.txt
var commonPasswords string

// common holds the roots of common passwords.
var common = func() map[string]bool {
	words := map[string]bool{}
	for scanner := bufio.NewScanner(strings.NewReader(commonPasswords)); scanner.Scan(); {
		words[scanner.Text()] = true
	}
	return words
}()

// passwordProblem returns what to change about a password, or an empty string.
// about holds known texts about the user. The password must not rely on them.
func passwordProblem(password string, about ...string) string {
	length := utf8.RuneCountInString(password)
	switch {
	case length < minPassword:
		return fmt.Sprintf("Enter at least %d characters. A sentence is easier to remember than a word.", minPassword)
	case length > maxPassword:
		return fmt.Sprintf("Enter at most %d characters.", maxPassword)
	}
	folded := strings.ToLower(password)
	for _, text := range about {
		for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" @.", r) }) {
			if utf8.RuneCountInString(word) >= 3 {
				folded = strings.ReplaceAll(folded, word, "")
			}
		}
	}
	if isGuessable(folded) {
		return "This password is easy to guess. Choose one that is not based on common words or your name."
	}
	return ""
}

// isGuessable reports whether the rest of a password, without digits and symbols
// at its ends, is common or has too few different characters.
func isGuessable(folded string) bool {
	distinct := lists.Set([]rune(folded))
	root := strings.Trim(folded, "0123456789 !?.,;:#$%&*@_-+=()")
	return len(distinct) < 5 || common[folded] || common[root] || utf8.RuneCountInString(root) < 3
}
