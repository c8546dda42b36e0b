/** Fields that records of several kinds have. A type that has more to say about one says it itself. */
export const recordFields: Readonly<Record<string, string>> = {
  name: 'Name on the platform, unique among the records of its kind in the org or the GVC. It cannot be changed.',
  description: 'Text for people, without white space at either end. The name, when omitted.',
  tags:
    'Free-form keys and values, for queries and for people. Values are compared as text. Keys below `gantry/` are ' +
    'reserved.',
  id: 'Identifier chosen by the platform, unique for all time.',
  kind: 'Kind of the record.',
  version: 'Counter of changes. A write that carries another version than the stored one is refused with 409.',
  created: 'Time of creation, in ISO 8601.',
  lastModified: 'Time of the last change, in ISO 8601.',
  links: 'Addresses of the record itself and of the records around it.',
  origin: 'Who created the record: `builtin` for the platform, `default` for a client.',
  status: 'State of the record as the platform reports it.',
  gvc: 'Name of the GVC that the record is in.',
  spec: 'Settings of the record.',
};
