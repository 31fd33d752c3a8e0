-- Pages that show a webhook follow when a program sets it: phone_numbers signalled
-- that until webhooks had a table of their own. The counts of attempts change no
-- updated_at, so that deliveries signal nothing.
-- +goose Up
-- +goose StatementBegin
create function signal_webhook() returns trigger language plpgsql as $$
begin
    perform pg_notify('heliograph', 'live:webhooks:' || coalesce(new.organisation_id, old.organisation_id));
    return null;
end
$$;
-- +goose StatementEnd
create trigger signal after insert or update of updated_at or delete on webhooks for each row execute function signal_webhook();
