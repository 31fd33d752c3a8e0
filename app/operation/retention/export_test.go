package retention

// KeepPartitions makes partitions ahead and drops partitions that nobody needs.
var KeepPartitions = keepPartitionsOnce
