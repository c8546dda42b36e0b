import type { Published } from '../common/words.ts';

export const published: Published = {
  types: {
    DeploymentFields: {
      about: 'What runs of a workload in one location.',
      section: 'deployment.status',
      fields: { spec: 'What is deployed.' },
    },
  },
};
