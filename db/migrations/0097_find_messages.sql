-- Administrators find a message by the reference of its partner.
-- +goose Up
create index messages_reference on messages (reference, id) where reference <> '';
