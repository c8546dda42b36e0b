import type { Kind } from '../../schema/record/kinds.ts';
import type { Reference } from '../../schema/shape/references.ts';

/** Must the target exist before the referrer is written? (platform/deletion.references) */
export function isRequired({ strength }: Reference): boolean {
  return strength === 'hard' || strength === 'second-step';
}

/** Is the write refused while the target is not there? Where it may be missing, the platform only warns of it. */
export function mustBeThere(reference: Reference): boolean {
  return isRequired(reference) && reference.fact?.mayBeMissing !== true;
}

/**
 * Required when written, but no obstacle to the deletion of its target (platform/deletion.references); nor is anything
 * that an org refers to.
 */
const notBlocking: ReadonlySet<string> = new Set(['domain workload', 'group serviceaccount', 'group user']);

/**
 * Does the platform refuse to delete the target while a record of this kind refers to it?
 * (platform/deletion.references)
 */
export function blocksDeletion(referrer: Kind, reference: Reference): boolean {
  return isRequired(reference) && referrer !== 'org' && !notBlocking.has(`${referrer} ${reference.target.kind}`);
}
