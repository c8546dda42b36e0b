import { type Published, typed } from '../common/words.ts';

export const published: Published = {
  types: {
    PolicyFields: {
      about: 'Who may do what with which records of one kind.',
      section: 'policy.targets',
      fields: {
        targetKind: 'Kind of the records that the policy is about. It cannot be changed.',
        target: '`all`: every record of the kind. Excludes `targetLinks` and `targetQuery`.',
        targetLinks: 'Records that the policy is about. Links to workloads, identities and volume sets name their GVC.',
        targetQuery: typed('Query', 'Records that the query finds, beside those of `targetLinks`.'),
        bindings: typed('Binding', 'Who gets which permissions. No two bindings grant the same ones.', {
          section: 'policy.bindings',
        }),
      },
    },
    Binding: {
      about: 'Permissions, and who gets them.',
      section: 'policy.bindings',
      fields: {
        permissions: 'Permissions on the records of the target kind. `manage` includes all.',
        principalLinks: 'Users, groups, service accounts and identities. Links to identities name their GVC.',
      },
    },
  },
  example: {
    name: 'deploy-shop',
    description: 'The pipeline may change workloads',
    targetKind: 'workload',
    target: 'all',
    bindings: [{ permissions: ['edit', 'view'], principalLinks: ['//serviceaccount/deployer'] }],
  },
};
