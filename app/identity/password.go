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
)

// Argon2id with 46 MiB and one pass, as the OWASP password storage guide of
// 2026 advises: about 70 ms on one core.
var hashing = &argon2id.Params{Memory: 46 << 10, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// cores bounds how many hashes are computed at once, so that a flood of
// sign-ins takes neither all memory nor all time from other requests.
var cores = make(chan struct{}, runtime.GOMAXPROCS(0))

// hashPatience is how long a sign-in waits for its turn.
const hashPatience = 10 * time.Second

func turn(ctx context.Context) (done func(), err error) {
	timer := time.NewTimer(hashPatience)
	defer timer.Stop()
	select {
	case cores <- struct{}{}:
		return func() { <-cores }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timer.C:
		return nil, &fault.Error{Kind: fault.Unavailable, Message: "Too many people sign in at this moment. Try again shortly.", RetryAfter: hashPatience}
	}
}

func hashPassword(ctx context.Context, password string) (string, error) {
	done, err := turn(ctx)
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

// nobody is the hash of no account; comparing with it takes as long as with
// any other.
const nobody = "$argon2id$v=19$m=47104,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

func passwordMatches(ctx context.Context, password, hash string) (bool, error) {
	done, err := turn(ctx)
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

// common holds the roots of passwords that are guessed first.
var common = func() map[string]bool {
	words := map[string]bool{}
	for scanner := bufio.NewScanner(strings.NewReader(commonPasswords)); scanner.Scan(); {
		words[scanner.Text()] = true
	}
	return words
}()

// passwordProblem says what to change about a password, or nothing. about are
// texts that others know of the person and that must not carry the password.
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
	if guessable(folded) {
		return "This password is among the first that are tried. Choose one that nobody would guess from common words or from your name."
	}
	return ""
}

// guessable reports whether what remains of a password, without digits and
// signs at its ends, is common, or has too few different characters.
func guessable(folded string) bool {
	distinct := map[rune]bool{}
	for _, r := range folded {
		distinct[r] = true
	}
	root := strings.Trim(folded, "0123456789 !?.,;:#$%&*@_-+=()")
	return len(distinct) < 5 || common[folded] || common[root] || utf8.RuneCountInString(root) < 3
}
