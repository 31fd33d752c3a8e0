-- The trace that a message was accepted in, as the header traceparent has it. It is
-- empty while traces are off. There is no index, because nothing is found by it.
-- +goose Up
alter table messages add column traceparent text not null default '' check (char_length(traceparent) <= 55);
