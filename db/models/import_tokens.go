package models

import "time"

// ImportToken lets programs bring documents into one product for an administrator.
type ImportToken struct {
	ID          int64
	AdminID     int64
	AdminName   string
	ProductID   int64
	ProductName string
	Name        string
	Prefix      string // what is shown of it
	CreatedAt   time.Time
	ExpiresAt   time.Time
	LastUsedAt  *time.Time
	RevokedAt   *time.Time
}
