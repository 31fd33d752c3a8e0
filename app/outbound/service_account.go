package outbound

import (
	"cmp"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// serviceAccount gets access tokens with the key of a service account
// (RFC 7523).
type serviceAccount struct {
	client *Client
	owner  string
	email  string
	keyID  string
	uri    string
	key    *rsa.PrivateKey

	mu     sync.Mutex
	access string
	until  time.Time
}

const (
	scopeRBM      = "https://www.googleapis.com/auth/rcsbusinessmessaging"
	googleTokens  = "https://oauth2.googleapis.com/token"
	grantJWT      = "urn:ietf:params:oauth:grant-type:jwt-bearer"
	lifeOfClaim   = time.Hour
	renewalBefore = time.Minute
)

// newServiceAccount reads the key file of a service account, which is the secret
// of a carrier.
func newServiceAccount(c *Client, s CarrierSettings) (*serviceAccount, error) {
	var file struct {
		Email   string `json:"client_email"`
		Key     string `json:"private_key"`
		KeyID   string `json:"private_key_id"`
		Address string `json:"token_uri"`
	}
	if s.Secret == "" {
		return nil, errors.New("the key of the service account is missing: paste its JSON file")
	}
	if err := json.Unmarshal([]byte(s.Secret), &file); err != nil || file.Email == "" || file.Key == "" {
		return nil, errors.New("the key must be the JSON file of a service account, with client_email and private_key")
	}
	block, _ := pem.Decode([]byte(file.Key))
	if block == nil {
		return nil, errors.New("the private_key of the service account is no PEM")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("the private_key of the service account is no PKCS #8 key")
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, errors.New("the private_key of the service account is no RSA key")
	}
	return &serviceAccount{client: c, owner: "carrier " + s.Name, email: file.Email, keyID: file.KeyID, uri: cmp.Or(file.Address, googleTokens), key: key}, nil
}

// token returns an access token that is valid for a while. Requests share it.
func (a *serviceAccount) token(ctx context.Context) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.access != "" && time.Now().Before(a.until) {
		return a.access, nil
	}
	claim, err := a.claim(time.Now())
	if err != nil {
		return "", waitForRCS("The key of the service account cannot sign", err.Error())
	}
	form := url.Values{"grant_type": {grantJWT}, "assertion": {claim}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.uri, strings.NewReader(form.Encode()))
	if err != nil {
		return "", waitForRCS("The token_uri of the service account is wrong", "")
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := a.client.Do(a.owner, req)
	if err != nil {
		return "", waitForRCS("No token could be fetched", err.Error()) // nothing was handed over
	}
	defer res.Body.Close()
	var answer struct {
		Token   string `json:"access_token"`
		Seconds int    `json:"expires_in"`
		Problem string `json:"error_description"`
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(&answer); err != nil || res.StatusCode != http.StatusOK || answer.Token == "" {
		return "", waitForRCS("The service account got no token", strings.TrimSpace(res.Status+" "+printable(answer.Problem)))
	}
	a.access, a.until = answer.Token, time.Now().Add(time.Duration(answer.Seconds)*time.Second-renewalBefore)
	return a.access, nil
}

// forget drops a token that was refused.
func (a *serviceAccount) forget(token string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.access == token {
		a.access = ""
	}
}

// claim returns the signed claim (JWT, RS256) that is exchanged for a token.
func (a *serviceAccount) claim(now time.Time) (string, error) {
	part := func(v any) (string, error) {
		text, err := json.Marshal(v)
		return base64.RawURLEncoding.EncodeToString(text), err
	}
	head, err := part(map[string]string{"alg": "RS256", "typ": "JWT", "kid": a.keyID})
	if err != nil {
		return "", err
	}
	body, err := part(map[string]any{"iss": a.email, "scope": scopeRBM, "aud": a.uri, "iat": now.Unix(), "exp": now.Add(lifeOfClaim).Unix()})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(head + "." + body))
	signature, err := rsa.SignPKCS1v15(rand.Reader, a.key, crypto.SHA256, sum[:])
	if err != nil {
		return "", fmt.Errorf("signing: %w", err)
	}
	return head + "." + body + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}
