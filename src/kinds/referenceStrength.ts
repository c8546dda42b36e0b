import { declarableKinds, type Kind, readOnlyKinds } from '../schema/record/kinds.ts';
import { anywhere, isResponseOnly } from '../schema/shape/anywhere.ts';
import { isMerged, type Shape } from '../schema/shape/shape.ts';
import { releases } from './kindFacts.ts';
import type { Reference } from './references.ts';
import { shapeOf } from './shapeOf.ts';

/** The schema's facts about a reference, independent of a record. */
export type ReferenceForm = Pick<Reference, 'strength' | 'fact'> & {
  readonly target: Pick<Reference['target'], 'kind'>;
};

/** Whether the target must exist before the referrer is written (platform/deletion.references). */
export function isRequired({ strength }: Pick<Reference, 'strength'>): boolean {
  return strength === 'hard' || strength === 'second-step';
}

/** Whether a write without the target is refused. If it may be missing, the platform only warns. */
export function mustBeThere(reference: Reference): boolean {
  return isRequired(reference) && reference.fact?.mayBeMissing !== true;
}

/** Whether a rollout waits for it: a secret that a variable or a volume names (platform/deletion.references). */
export function isAwaited({ target, fact }: Pick<ReferenceForm, 'target' | 'fact'>): boolean {
  return target.kind === 'secret' && fact === undefined; // a URI, not a link
}

/**
 * Whether the platform refuses to delete the target while a record of this kind refers to it
 * (platform/deletion.references, platform/deletion.refusal).
 */
export function blocksDeletion(referrer: Kind, reference: ReferenceForm): boolean {
  return isRequired(reference) && !releases(referrer, reference.target.kind);
}

/**
 * Whether a record of this kind needs the target in order to run. Besides targets that the platform refuses to delete,
 * these are secrets named in a text, targets of routes, and credentials. Policies and groups drop deleted targets.
 */
export function isNeeded(referrer: Kind, reference: ReferenceForm): boolean {
  return blocksDeletion(referrer, reference) || isAwaited(reference) || reference.fact?.needed === true;
}

/**
 * Whether the target can be missing while the record exists. False if the platform refuses both such a write and such a
 * deletion.
 */
export function mayDangle(referrer: Kind, reference: Reference): boolean {
  return !blocksDeletion(referrer, reference) || reference.fact?.mayBeMissing === true;
}

/** The kinds whose records may contain a reference to this kind that `counts` accepts, according to the schema. */
export function referringKinds(
  target: Kind,
  counts: (referrer: Kind, form: ReferenceForm) => boolean,
): readonly Kind[] {
  return [...declarableKinds(), ...readOnlyKinds].filter((kind) => {
    const mayRefer = anywhere((shape) => formsIn(shape, target).some((form) => counts(kind, form)), isResponseOnly);
    return mayRefer(shapeOf(kind));
  });
}

/** The possible references in a value of this shape, as `references.ts` finds them. */
function formsIn(shape: Shape, kind: Kind): readonly ReferenceForm[] {
  const { link, uri, uriStrength = 'hard' } = shape.facts;
  const target = { kind };
  if (isMerged(shape)) return [{ target, strength: 'soft' }];
  if (link !== undefined) return link.to.includes(kind) ? [{ target, strength: link.strength, fact: link }] : [];
  if (uri?.some((each) => each === kind) !== true) return [];
  return [{ target, strength: kind === 'secret' ? 'soft' : uriStrength }];
}
