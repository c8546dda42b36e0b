-- Queries of the audit trail by who did it, by the kind and name of the record, and in the contexts of clients. Nearly all
-- events are in the platform's own context.

CREATE INDEX audit_by_subject ON entries (org, md5(substring(subject from '[^/]*$')), at, seq)
  WHERE journal = 'audit' AND context = 'scheme';
CREATE INDEX audit_by_kind ON entries (org, kind, at, seq) WHERE journal = 'audit' AND context = 'scheme';
CREATE INDEX audit_by_name ON entries (org, md5(name), at, seq) WHERE journal = 'audit' AND context = 'scheme';
CREATE INDEX audit_of_others ON entries (org, md5(context), at, seq) WHERE journal = 'audit' AND context <> 'scheme';

CREATE INDEX leaving_until ON leaving (org, until);
