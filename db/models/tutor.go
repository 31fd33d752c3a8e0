package models

import "time"

// TutorState is where an administrator is in the tutor, as their practice product has it.
type TutorState struct {
	AdminUserID int64
	Skipped     []string // names of steps
	Paused      bool
	UsedAt      time.Time

	ProductID   int64
	ProductSlug string
	GuideID     int64 // zero where it is gone
	GuideSlug   string
	EndpointID  int64 // zero where it is gone
	SetID       int64 // the open change set of the administrator, else the latest; zero for none
	SetState    string
	ThreadID    int64 // that waits for an answer, zero for none

	Found     bool // the product was opened
	Edited    bool // the guide was changed
	Touched   bool // the endpoint was changed
	Previewed bool // a draft was looked at as a reader
	Submitted bool // a change set was submitted
	Answered  bool // a request for changes was answered
	Approved  bool // a change set was approved
	Published bool // a change set was published
	Seen      bool // the product was looked at after that
	Restored  bool // an earlier revision was restored
}

// TutorTargets are the items that the steps are about.
type TutorTargets struct{ GuideID, EndpointID int64 }
