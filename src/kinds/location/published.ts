import { type Published, typed } from '../common/words.ts';

export const published: Published = {
  construct: "A place where workloads run. Only self-hosted ones (`provider: 'byok'`) can be created.",
  types: {
    LocationFields: {
      about: 'A place where workloads run.',
      section: 'location.own',
      fields: {
        provider: 'Cloud provider. Only self-hosted locations (`byok`) can be created. It cannot be changed.',
        region: 'Region of the provider; of a self-hosted location its name.',
        spec: typed('LocationSpec', 'Settings of the location.'),
      },
    },
    LocationSpec: {
      about: 'Settings of a location.',
      section: 'location.built-in',
      fields: { enabled: 'Whether workloads may run there.' },
    },
  },
  example: { name: 'home', description: 'A cluster of our own', provider: 'byok' },
};
