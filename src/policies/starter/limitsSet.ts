import { policy } from '../model/policy.ts';

const needed = ['cpu', 'memory'] as const;

/** The resources of a container are decided by its author, and not by a default. */
export const limitsSet = policy({
  id: 'limits-set',
  about: 'Every container says how much CPU and memory it may use.',
  kind: 'workload',
  resource({ spec }) {
    return spec.containers.flatMap((container) =>
      needed
        .filter((name) => container[name] === undefined)
        .map((name) => ({
          message: `${name} is not set`,
          path: `spec.containers.${container.name}.${name}`,
          fix: `Set ${name}, such as ${name === 'cpu' ? '250m' : '512Mi'}.`,
        })),
    );
  },
});
