package setting

// DefaultBudget is the daily SMS budget until it is set.
const DefaultBudget = defaultBudget
