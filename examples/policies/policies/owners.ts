import { policy } from 'gantry/policies';

export const ownerNamed = policy({
  id: 'owner-named',
  about: 'Somebody answers for every workload.',
  kind: 'workload',
  resource({ tags = {} }) {
    if ('owner' in tags) return [];
    return [{ message: 'nobody is named as its owner', path: 'tags.owner', fix: 'Add the tag owner.' }];
  },
});

export const carefulReplacements = policy({
  id: 'careful-replacements',
  about: 'What is replaced is down for a time: one at a time.',
  plan({ changes }) {
    const replaced = changes.filter(({ action }) => action === 'replace').map(({ id }) => id);
    return replaced.length <= 1 ? [] : [{ message: `${replaced.join(', ')} would be replaced at once` }];
  },
});
