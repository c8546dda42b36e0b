import type { Problem } from '../../schema/record/problem.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import type { ReadManifest } from '../read/readManifest.ts';

/**
 * The problems of `lifecycle.previously`, by resource: the old name is its own, is also declared, or is claimed twice.
 * An old name that does not exist is fine: the resource was renamed already.
 */
export function previousNameProblems(members: readonly ReadManifest[]): ReadonlyMap<ResourceId, readonly Problem[]> {
  const renamed = members.filter(({ lifecycle }) => lifecycle.previously !== undefined);
  if (renamed.length === 0) return new Map();

  const declared = new Set(members.map(({ id }) => id));
  const claimed = new Map<ResourceId, ResourceId>();
  return new Map(
    renamed.map(({ id, ref, lifecycle }) => {
      const old = formatRef({ ...ref, name: lifecycle.previously ?? ref.name });
      const other = claimed.get(old);
      claimed.set(old, other ?? id);
      if (old === id) return [id, [problem('the old name and the new name are the same')]];
      if (declared.has(old)) return [id, [problem(`${old} is also declared, so it is not renamed`)]];
      return [id, other === undefined ? [] : [problem(`${other} also has ${old} as its previous name`)]];
    }),
  );
}

function problem(message: string): Problem {
  return {
    rule: 'manifest.previously',
    path: 'lifecycle.previously',
    pointer: ['lifecycle', 'previously'],
    message,
    hint: 'Declare only the new name, with the old one in lifecycle.previously; or remove lifecycle.previously.',
    severity: 'error',
  };
}
