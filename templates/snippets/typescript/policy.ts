import { type Gvc, Policy, type Stack } from 'gantry';

/** Who may do what: here a group may look at one GVC. `targetKind` decides which permissions there are. */
export function addSamplePolicy(stack: Stack, gvc: Gvc): Policy {
  return new Policy(stack, 'sample', {
    targetKind: 'gvc',
    targetLinks: [gvc],
    bindings: [{ permissions: ['view'], principalLinks: ['//group/developers'] }],
  });
}
