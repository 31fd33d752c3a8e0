-- Words of newcomers that the guides do not use themselves.
-- +goose Up
insert into search_synonyms (term, means) values
    ('setup', 'set'), ('teammate', 'colleague'), ('team member', 'colleague'), ('coworker', 'colleague'), ('balance', 'billing'), ('credit', 'billing'),
    ('timed out', 'timeout'), ('resend', 'retry'), ('click', 'tap'), ('tap', 'click')
on conflict (term, means) do nothing;
