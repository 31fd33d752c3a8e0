-- Heads of the audit that were put outside of the database. What counts is
-- there; this says where, and shows one that was taken away.
-- +goose Up
create table audit_anchors (
    at       timestamptz primary key,
    seq      bigint not null, -- the head that was anchored
    key      text   not null, -- of the object in the storage
    retained boolean not null -- whether the storage holds on to it
);
