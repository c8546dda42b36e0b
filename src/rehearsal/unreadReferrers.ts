import { creatableKinds, type Kind } from '../schema/record/kinds.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { memoByShape } from '../schema/shape/memoByShape.ts';
import type { Shape } from '../schema/shape/shape.ts';
import { shapeOf } from '../schema/shape/shapeOf.ts';
import type { Known } from './standIns.ts';

/**
 * Deletions that the platform might refuse, because not all referrers are known: only the records of the stack, their
 * targets, and the content of deleted GVCs were read. Sorted.
 */
export function unreadReferrers({ plan, snapshot }: Known): readonly ResourceId[] {
  const inUseKinds = heldKinds();
  const isListed = (gvc: string | undefined): boolean =>
    gvc !== undefined && snapshot.closures.get(gvc)?.known === true;
  return plan.changes
    .filter(({ action, via }) => (action === 'delete' || action === 'replace') && via === undefined)
    .filter(({ kind, gvc }) => inUseKinds.has(kind) && !isListed(gvc))
    .map(({ id }) => id)
    .sort();
}

/**
 * Their records stay while somebody refers to them; an ip set while an address of it is bound
 * (platform/deletion.references).
 */
function heldKinds(): ReadonlySet<Kind> {
  return new Set(['ipset', ...creatableKinds.flatMap((kind) => hardTargets(shapeOf(kind)))]);
}

const hardTargets = memoByShape((shape: Shape): readonly Kind[] => {
  const { link, uri = [], uriStrength } = shape.facts;
  const isHard = link?.strength === 'hard' || link?.strength === 'second-step';
  const here = [...(isHard ? link.to : []), ...(uriStrength === 'hard' ? uri : [])];
  switch (shape.type) {
    case 'object':
      return [...here, ...[...shape.fields.values()].flatMap(hardTargets)];
    case 'map':
      return [...here, ...hardTargets(shape.value)];
    case 'list':
      return [...here, ...hardTargets(shape.item)];
    case 'scalar':
    case 'free':
      return here;
  }
});
