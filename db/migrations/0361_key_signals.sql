-- Open pages of an organisation hear of its own keys and numbers, and not of those of
-- others. Code of before listens to the changes of the whole tables as well.
-- +goose Up
-- +goose StatementBegin
create function signal_organisation() returns trigger language plpgsql as $$
begin
    perform pg_notify('heliograph', 'live:' || tg_argv[0] || ':' || coalesce(new.organisation_id, old.organisation_id));
    return null;
end
$$;
-- +goose StatementEnd
create trigger signal_keys after insert or delete or update of revoked_at, name, channels on api_keys for each row execute function signal_organisation('keys');
create trigger signal_numbers after insert or delete or update of removed_at, verified_name on phone_numbers for each row execute function signal_organisation('webhooks');
