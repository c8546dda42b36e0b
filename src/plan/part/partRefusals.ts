import type { ResourceId } from '../../schema/record/ref.ts';
import type { Refusal } from '../model/change.ts';
import { mostItems } from './partRecord.ts';

/** Every reason for which a plan says no to a part (`lifecycle.part`). */
export const refusePart = {
  absent: (id: ResourceId): Refusal => ({
    code: 'part.absent',
    message: `there is no ${id}, and a part never makes it: its owner has to be applied first`,
  }),
  owned: (): Refusal => ({
    code: 'part.owned',
    message: 'this stack owns the whole resource, so it cannot own a part of it beside',
    allow: 'no lifecycle.part in its manifest; or lifecycle.retain: true first, and then its removal, to give it up',
  }),
  ownerTooLong: (): Refusal => ({
    code: 'part.owner-too-long',
    message: 'the name of this stack is too long to stand in the key of a tag, where its part is remembered',
    allow: 'a shorter name of the stack, the project or the GVC',
  }),
  tooMany: (count: number): Refusal => ({
    code: 'part.too-many',
    message: `${count} items of one resource are declared, and a tag remembers at most ${mostItems}`,
    allow: 'several stacks, each with some of them',
  }),
  lost: (owners: readonly string[], total: number): Refusal => ({
    code: 'delete.part',
    message: `it would take along what belongs to ${owners.join(', ')}`,
    allow: `--allow-collateral=${total}`,
  }),
  conflict: (path: string, owner: string | undefined): Refusal => ({
    code: 'part.conflict',
    message: `${path} is there already and says something else: it belongs to ${owner === undefined ? 'the owner of the resource, or to nobody' : `the stack ${owner}`}`,
    ...(owner === undefined ? { allow: 'lifecycle.adopt: true in its manifest, or the value that is there' } : {}),
  }),
} as const;
