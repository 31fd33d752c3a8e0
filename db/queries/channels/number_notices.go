package queries

// StrandedNumbers selects the numbers p of active organisations o that send for
// real and have no carrier.
const StrandedNumbers = `
	from phone_numbers p join organisations o on o.id = p.organisation_id
	where p.removed_at is null and not o.sandbox and o.status <> 'suspended' and not exists (
		select from carrier_routes r join carriers c on c.id = r.carrier_id
		where r.channel = 'messaging' and r.sender in ('', p.id::text) and r.organisation_id in (0, o.id) and c.disabled_at is null)`
