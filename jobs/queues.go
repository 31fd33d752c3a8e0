package jobs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/riverqueue/river"

	"heliograph/jobs/args"
)

// defaultQueues returns every queue with how many of its jobs one worker process runs
// at once. Jobs are fetched every FetchCooldown at the soonest, at most as many
// as there are idle workers, so that twenty workers would do a thousand jobs a
// second at the best; the database's connections bound what runs together.
func defaultQueues() map[string]river.QueueConfig {
	return map[string]river.QueueConfig{
		args.QueueBuild:   {MaxWorkers: 2},
		args.QueueDefault: {MaxWorkers: 4},
		args.QueueImages:  {MaxWorkers: 1},
		args.QueueImport:  {MaxWorkers: 2}, // each is a process with memory of its own
		args.QueueMail:    {MaxWorkers: 10},
		args.QueueOTP:     {MaxWorkers: 20},
		args.QueueRelay:   {MaxWorkers: 200},
		args.QueueSend:    {MaxWorkers: 200},
	}
}

// Only returns the named queues, all of them for an empty list. An unknown
// name is an error that lists the names there are.
func Only(names []string) (map[string]river.QueueConfig, error) {
	all := defaultQueues()
	if len(names) == 0 {
		return all, nil
	}
	chosen := map[string]river.QueueConfig{}
	for _, name := range names {
		queue, ok := all[name]
		if !ok {
			return nil, fmt.Errorf("there is no queue %q: choose from %s", name, strings.Join(slices.Sorted(maps.Keys(all)), ", "))
		}
		chosen[name] = queue
	}
	return chosen, nil
}
