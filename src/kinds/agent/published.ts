import type { Published } from '../common/words.ts';

export const published: Published = {
  types: {
    AgentFields: {
      about: 'A way into a private network.',
      section: 'agent.bootstrap',
      fields: {},
    },
  },
  example: { name: 'office', description: 'Reaches the network of the office', tags: { team: 'network' } },
};
