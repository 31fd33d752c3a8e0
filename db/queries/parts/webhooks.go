package parts

// LastWebhookAnswer is what the webhook w answered last: its status, or the error if no
// answer came. It is null if nothing was posted to it lately.
const LastWebhookAnswer = `
	(select coalesce('HTTP ' || a.status, nullif(a.error, '')) from (
			(select id, attempts from deliveries where webhook_id = w.id order by created_at desc limit 20)
			union all (select id, attempts from deliveries where webhook_id = w.id and state = 'pending' order by next_attempt_at, id limit 20)
		) d cross join lateral (select status, error, started_at from delivery_attempts where delivery_id = d.id order by number desc limit 1) a
		where d.attempts > 0 order by a.started_at desc limit 1)`
