// Package models holds the shapes of rows as the queries return them: plain
// structs without behaviour. Sealed fields hold ciphertext of app/keyring.
package models
