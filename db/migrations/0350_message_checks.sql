-- Each channel declares its states, and PostgreSQL reads a constraint anew for every
-- statement that inserts messages: the lists took a fiftieth of what accepting costs.
-- Only statements of ours write these columns, from constants.
-- +goose Up
alter table messages
    drop constraint messages_state_check,
    drop constraint messages_channel_check,
    drop constraint messages_category_check;
