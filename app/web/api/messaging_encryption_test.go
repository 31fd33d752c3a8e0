package api_test

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func (p *partner) encryption() string {
	return "/flows" + p.number("/set_msgapp_business_encryption")
}

// privateKey reads the number's private key.
func (p *partner) privateKey(t *testing.T) string {
	t.Helper()
	a := p.call(t, http.MethodGet, "/flows"+p.number("/get_private_key"), "")
	if a.status != 200 || a.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("private key = %d %q", a.status, a.header.Get("Cache-Control"))
	}
	var got struct{ Result string }
	if err := json.Unmarshal(a.body, &got); err != nil {
		t.Fatal(err)
	}
	return got.Result
}

func TestKeyPairIsMadeKeptAndReplaced(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	if a := first.call(t, http.MethodGet, "/flows"+first.number("/get_private_key"), ""); a.status != 404 || a.code(t) != 803 {
		t.Errorf("before there is one: %d %s", a.status, a.body)
	}
	if a := first.call(t, http.MethodPost, first.encryption(), `{}`); string(a.body) != `{"success":true}` {
		t.Fatalf("making a pair: %d %s", a.status, a.body)
	}
	made := first.privateKey(t)
	block, _ := pem.Decode([]byte(made))
	if block == nil || block.Type != "PRIVATE KEY" {
		t.Fatalf("not a PKCS #8 PEM: %.40s", made)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	pair, ok := parsed.(*rsa.PrivateKey)
	if !ok || pair.N.BitLen() != 2048 {
		t.Fatalf("key is %T", parsed)
	}
	public := first.call(t, http.MethodGet, first.number("/whatsapp_business_encryption"), "")
	if !strings.Contains(string(public.body), `"business_public_key_signature_status":"VALID"`) {
		t.Errorf("public half = %s", public.body)
	}
	first.call(t, http.MethodPost, first.encryption(), "")
	if first.privateKey(t) != made {
		t.Error("repeating made another pair")
	}
	first.call(t, http.MethodPost, first.encryption(), `{"regenerate":true}`)
	if first.privateKey(t) == made {
		t.Error("regenerate kept the pair")
	}
	var stored, reads int
	err = first.pool.QueryRow(t.Context(), `
		select (select count(*) from encryption_keys where encode(private_key, 'escape') like '%BEGIN%'),
		       (select count(*) from audit_entries where action = 'encryption_key.read')`).Scan(&stored, &reads)
	if err != nil || stored != 0 || reads != 3 {
		t.Errorf("%d keys in clear, %d reads in the audit (%v), want 0 and 3", stored, reads, err)
	}
	for _, path := range []string{first.encryption(), "/flows" + first.number("/get_private_key")} {
		method := http.MethodGet
		if strings.Contains(path, "set_") {
			method = http.MethodPost
		}
		if a := second.call(t, method, path, ""); a.status != 403 || a.code(t) != 200 {
			t.Errorf("another tenant at %s: %d %s", path, a.status, a.body)
		}
	}
}

func TestPartnersOwnPublicKey(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	second.call(t, http.MethodPost, second.encryption(), `{}`)
	var public struct {
		Data []struct {
			Key string `json:"business_public_key"`
		}
	}
	if err := json.Unmarshal(second.call(t, http.MethodGet, second.number("/msgapp_business_encryption"), "").body, &public); err != nil {
		t.Fatal(err)
	}
	form := url.Values{"business_public_key": {public.Data[0].Key}}.Encode()
	if a := first.call(t, http.MethodPost, first.encryption(), form, "Content-Type", "application/x-www-form-urlencoded"); a.status != 200 {
		t.Fatalf("own key by form: %d %s", a.status, a.body)
	}
	if a := first.call(t, http.MethodGet, "/flows"+first.number("/get_private_key"), ""); a.status != 404 {
		t.Errorf("a private key for a partner's own pair: %d", a.status)
	}
	if a := first.call(t, http.MethodPost, first.encryption(), `{}`); a.status != 200 {
		t.Errorf("a retry without a key: %d %s", a.status, a.body)
	}
	if a := first.call(t, http.MethodGet, first.number("/msgapp_business_encryption"), ""); !strings.Contains(string(a.body), strings.Split(public.Data[0].Key, "\n")[1]) {
		t.Errorf("{} replaced the partner's key: %s", a.body)
	}
	for _, bad := range []string{"nonsense", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", strings.Repeat("x", 9000)} {
		body, err := json.Marshal(map[string]string{"business_public_key": bad})
		if err != nil {
			t.Fatal(err)
		}
		if a := first.call(t, http.MethodPost, first.encryption(), string(body)); a.status != 400 || a.code(t) != 100 {
			t.Errorf("%.30s: %d %s, want 400 code 100", bad, a.status, a.body)
		}
	}
}
