-- What a carrier passes on finds the owner of a header, or of its look-alikes, among
-- all of them. The expressions are those of the statements.
-- +goose Up
create index sms_headers_alike on sms_headers ((regexp_replace(regexp_replace(upper(header), '\s', '', 'g'), '^\+?0*([0-9]+)$', '\1')));
create index sms_numbers_alike on sms_numbers ((regexp_replace(regexp_replace(upper(number), '\s', '', 'g'), '^\+?0*([0-9]+)$', '\1')));
