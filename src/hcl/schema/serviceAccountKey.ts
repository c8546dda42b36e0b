import type { Attributes, BlockSchema } from '../attribute.ts';

/** The names of the attributes of a key. */
export const key = {
  account: 'serviceaccount',
  description: 'description',
  name: 'name',
  key: 'key',
  created: 'created',
  link: 'link',
} as const;

const answered: Attributes = {
  [key.name]: { type: 'string', computed: true, description: 'The name of the key, by which it is removed.' },
  [key.key]: {
    type: 'string',
    computed: true,
    sensitive: true,
    description: 'The key: a token for the platform. Only the answer to its creation has it.',
  },
  [key.created]: { type: 'string', computed: true, description: 'Time of creation, in ISO 8601.' },
  [key.link]: { type: 'string', computed: true, description: 'The link to the service account.' },
};

const account: Attributes = {
  [key.account]: { type: 'string', required: true, description: 'The name of the service account.' },
};

/** A lasting key, stored in the state. */
export const serviceAccountKey: BlockSchema = {
  version: 0,
  description:
    'A key of a service account. It is in the state, as only its creation shows it; where nothing has to be stored, use ' +
    'the ephemeral resource. Another description or account makes another key; `create_before_destroy` lets the old one ' +
    'work until what uses it has the new one.',
  attributes: {
    ...account,
    [key.description]: {
      type: 'string',
      required: true,
      description: 'What the key is for, in 1 to 250 characters. It cannot be changed.',
    },
    ...answered,
  },
};

/** A key for the duration of a command. */
export const ephemeralServiceAccountKey: BlockSchema = {
  version: 0,
  description:
    'A key of a service account that works as long as a plan or an apply needs it: it is made for each of them, and ' +
    'removed at its end (Terraform 1.10 and later). After `kill -9` it stays: remove it with `gantry serviceaccount ' +
    'remove-key`.',
  attributes: {
    ...account,
    [key.description]: {
      type: 'string',
      optional: true,
      computed: true,
      description: 'What the key is for, in 1 to 250 characters. `Terraform, for one command`, when omitted.',
    },
    ...answered,
  },
};
