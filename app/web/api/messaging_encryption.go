package api

import (
	"context"
	"strings"

	"heliograph/app/channels/messaging"
	"heliograph/app/input"
	"heliograph/db/models"
)

type encryptionInput struct {
	PublicKey  input.Text `json:"business_public_key"`
	Regenerate input.Text `json:"regenerate"` // a form sends it as text
}

// messagingEncryption answers the operations on keys of flows.
type messagingEncryption struct {
	keys *messaging.FlowKeys
}

// setEncryption serves POST
// /flows/{phone_number_id}/set_msgapp_business_encryption.
func (m messagingEncryption) setEncryption(ctx context.Context, c *call, number models.PhoneNumber, in encryptionInput) (success, error) {
	replace := strings.EqualFold(string(in.Regenerate), "true") || in.Regenerate == "1"
	return success{true}, m.keys.SetKey(ctx, number, string(in.PublicKey), replace, c.actor())
}

type privateKey struct {
	Result string `json:"result"`
}

// getPrivateKey serves GET /flows/{phone_number_id}/get_private_key.
func (m messagingEncryption) getPrivateKey(ctx context.Context, c *call, number models.PhoneNumber, _ none) (privateKey, error) {
	c.writer.Header().Set("Cache-Control", "no-store")
	key, err := m.keys.PrivateKey(ctx, number, c.actor())
	return privateKey{key}, err
}

type publicKey struct {
	PublicKey       string `json:"business_public_key"`
	SignatureStatus string `json:"business_public_key_signature_status"`
}

// getEncryption serves GET /{phone_number_id}/msgapp_business_encryption: the
// public key.
func (m messagingEncryption) getEncryption(ctx context.Context, c *call, number models.PhoneNumber, _ none) (paged, error) {
	key, err := m.keys.PublicKey(ctx, number)
	if err != nil || key.PEM == "" {
		return paged{Data: []any{}}, err
	}
	return paged{Data: []any{publicKey{key.PEM, key.Signature}}}, nil
}
