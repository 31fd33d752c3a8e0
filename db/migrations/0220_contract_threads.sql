-- Threads of comments on a change of the contract of a version. Processes of the
-- version before show them as threads on the item and open none.
-- +goose Up
alter table review_threads
    add column version_id      bigint references items on delete cascade,
    add column contract_change text not null default '' check (char_length(contract_change) <= 40), -- the fingerprint; empty for other threads
    drop constraint review_threads_check1,
    add constraint review_threads_excerpt check (excerpt = '' or field <> '' or contract_change <> ''),
    add constraint review_threads_contract check ((version_id is null) = (contract_change = '') and (contract_change = '' or field = ''));
create index on review_threads (version_id) where version_id is not null;
