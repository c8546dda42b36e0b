import { type Published, typed } from '../common/words.ts';

export const published: Published = {
  types: {
    ServiceAccountFields: {
      about: 'An account for programs.',
      section: 'serviceaccount.keys',
      fields: {
        keys: typed('ServiceAccountKey', 'Keys of the account. They are made outside of manifests.'),
      },
    },
    ServiceAccountKey: {
      about: 'A key of a service account.',
      section: 'serviceaccount.keys',
      fields: {
        name: 'Name of the key: the part of it before the first dot.',
        created: 'Time of creation, in ISO 8601.',
        description: 'Text for people.',
        key: 'The key itself. Only the answer to its creation shows it.',
      },
    },
  },
  example: { name: 'deployer', description: 'Delivers the shop' },
};
