package spectest

// BrokenError lists how a request or a response breaks the contract.
type BrokenError = brokenError
