import type { ResourceId } from '../../schema/record/ref.ts';
import type { Refusal } from '../model/change.ts';
import { mostItems } from '../record/ownership.ts';

/** Every reason to refuse a part (`lifecycle.part`). */
export const refusePart = {
  absent: (id: ResourceId): Refusal => ({
    code: 'part.absent',
    message: `${id} does not exist, and a part never creates it: apply the stack of its owner first`,
  }),
  owned: (): Refusal => ({
    code: 'part.owned',
    message: 'this stack owns the whole resource, so it cannot also own a part of it',
    allow: 'no lifecycle.part in its manifest; to give up the resource, apply lifecycle.retain: true, then remove it',
  }),
  ownerTooLong: (): Refusal => ({
    code: 'part.owner-too-long',
    message: 'the name of this stack is too long for the key of the tag that records its part',
    allow: 'a shorter name of the stack, the project or the GVC',
  }),
  tooMany: (count: number): Refusal => ({
    code: 'part.too-many',
    message: `${count} items of one resource are declared; a tag can record at most ${mostItems}`,
    allow: 'several stacks, each with some of the items',
  }),
  lost: (owners: readonly string[], total: number): Refusal => ({
    code: 'delete.part',
    message: `it would also delete parts that belong to ${owners.join(', ')}`,
    allow: `--allow-collateral=${total}`,
  }),
  conflict: (path: string, stacks: readonly string[]): Refusal => ({
    code: 'part.conflict',
    message: `${path} already exists with another value: it belongs to ${ownersOf(stacks)}`,
    ...(stacks.length === 0 ? { allow: 'lifecycle.adopt: true in its manifest, or the live value' } : {}),
  }),
} as const;

function ownersOf(stacks: readonly string[]): string {
  if (stacks.length === 0) return 'the owner of the resource, or to nobody';
  return `${stacks.length === 1 ? 'the stack' : 'the stacks'} ${stacks.join(', ')}`;
}
