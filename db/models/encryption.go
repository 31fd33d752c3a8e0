package models

// EncryptionKey is the key pair of a phone number.
type EncryptionKey struct {
	PhoneNumberID int64
	PublicKey     string // PEM, SubjectPublicKeyInfo
	PrivateKey    []byte // sealed; nil where the partner keeps the pair
}
