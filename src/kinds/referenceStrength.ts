import { declarableKinds, type Kind, readOnlyKinds } from '../schema/record/kinds.ts';
import { anywhere, isResponseOnly } from '../schema/shape/anywhere.ts';
import { isMerged, type Shape } from '../schema/shape/shape.ts';
import { releases } from './kindFacts.ts';
import type { Reference } from './references.ts';
import { shapeOf } from './shapeOf.ts';

/** The facts that the schema has of a reference, whatever record it stands in. */
export type ReferenceForm = Pick<Reference, 'strength' | 'fact'> & {
  readonly target: Pick<Reference['target'], 'kind'>;
};

/** Must the target exist before the referrer is written? (platform/deletion.references) */
export function isRequired({ strength }: Pick<Reference, 'strength'>): boolean {
  return strength === 'hard' || strength === 'second-step';
}

/** Is the write refused while the target is not there? Where it may be missing, the platform only warns. */
export function mustBeThere(reference: Reference): boolean {
  return isRequired(reference) && reference.fact?.mayBeMissing !== true;
}

/** Does a rollout wait for it? A secret that a variable or a volume names (platform/deletion.references). */
export function isAwaited({ target, fact }: Pick<ReferenceForm, 'target' | 'fact'>): boolean {
  return target.kind === 'secret' && fact === undefined; // no link, but a URI
}

/**
 * Does the platform refuse to delete the target while a record of this kind refers to it?
 * (platform/deletion.references, platform/deletion.refusal)
 */
export function blocksDeletion(referrer: Kind, reference: ReferenceForm): boolean {
  return isRequired(reference) && !releases(referrer, reference.target.kind);
}

/**
 * Does a record of this kind need the target in order to run? Besides what the platform refuses to delete these are the
 * secrets that a text names, the targets of routes, and credentials. Policies and groups let go of what is deleted.
 */
export function isNeeded(referrer: Kind, reference: ReferenceForm): boolean {
  return blocksDeletion(referrer, reference) || isAwaited(reference) || reference.fact?.needed === true;
}

/** Can the target be missing although the record is there? Not where the platform refuses both to write and to delete so. */
export function mayDangle(referrer: Kind, reference: Reference): boolean {
  return !blocksDeletion(referrer, reference) || reference.fact?.mayBeMissing === true;
}

/** The kinds whose records may hold a reference to one of this kind that counts, as far as the schema says. */
export function referringKinds(
  target: Kind,
  counts: (referrer: Kind, form: ReferenceForm) => boolean,
): readonly Kind[] {
  return [...declarableKinds(), ...readOnlyKinds].filter((kind) => {
    const mayRefer = anywhere((shape) => formsIn(shape, target).some((form) => counts(kind, form)), isResponseOnly);
    return mayRefer(shapeOf(kind));
  });
}

/** The references that a value of this shape may be, as `references.ts` finds them. */
function formsIn(shape: Shape, kind: Kind): readonly ReferenceForm[] {
  const { link, uri, uriStrength = 'hard' } = shape.facts;
  const target = { kind };
  if (isMerged(shape)) return [{ target, strength: 'soft' }];
  if (link !== undefined) return link.to.includes(kind) ? [{ target, strength: link.strength, fact: link }] : [];
  if (uri?.some((each) => each === kind) !== true) return [];
  return [{ target, strength: kind === 'secret' ? 'soft' : uriStrength }];
}
