import type { Shape } from '../../schema/shape/shape.ts';

/** Why a field is what it is. The words for people are in `sentences`. */
export const reasons = [
  'differs',
  'same',
  'default',
  'derived',
  'refill',
  'empty',
  'quantity',
  'link',
  'set',
  'order',
  'json-text',
  'spelling',
  'as-text',
  'short-form',
  'service',
  'operational',
  'ignored',
  'platform',
  'unknown-field',
  'foreign-tag',
  'own-tag',
  'foreign',
  'unrevealed',
] as const;

export type Reason = (typeof reasons)[number];

/** Verdicts on fields that this stack does not manage: they stay as they are, whatever they are. */
const unmanaged: ReadonlySet<Reason> = new Set<Reason>([
  'service',
  'operational',
  'ignored',
  'platform',
  'unknown-field',
  'foreign-tag',
  'own-tag',
  'foreign',
  'unrevealed',
]);

export function isManaged(why: Reason): boolean {
  return !unmanaged.has(why);
}

/** Said of each verdict; a verdict without a sentence does not compile. */
export const sentences: Readonly<Record<Reason, string>> = {
  differs: 'it differs',
  same: 'the same on both sides',
  default: 'leaving it out means its default, which the other side states',
  derived: 'leaving it out means what follows from the rest of the record, and that is what is there',
  refill: 'it cannot be removed: leaving it out means its documented value, which comes back by itself',
  empty: 'empty and absent mean the same here',
  quantity: 'the same amount in another unit',
  link: 'the same link in another form',
  set: 'the same members; their order means nothing',
  order: 'the same items by key; their order means nothing',
  'json-text': 'the same JSON in another spelling',
  spelling: 'the same in the form in which the platform keeps it',
  'as-text': 'the same as text',
  'short-form': 'a short form: both sides say the same in different fields',
  service: 'not declared: the platform chooses it, and this stack does not manage it',
  operational:
    'not declared: left to operators, so it is reported and not reverted (--revert-operational takes it back)',
  ignored: 'under lifecycle.ignore: used on create, and never in a patch',
  platform: 'written by the platform alone',
  'unknown-field': 'the schema does not know it and the manifest does not set it: it is kept as it is',
  'foreign-tag': 'a tag of somebody else: it stays',
  'own-tag': "a tag of Gantry's own: written only together with a real change",
  foreign: 'of somebody else: this stack owns a part of the resource, and this is none of it',
  unrevealed:
    'its live value may not be revealed, so nobody can say whether it differs (--write-unknown-secrets writes it)',
};

/** Why two scalars that are written differently are equal, from the facts of the field. */
export function meaningOf({ facts }: Shape): Reason {
  if (facts.quantity !== undefined) return 'quantity';
  if (facts.asText === true) return 'as-text';
  if (facts.jsonText === true) return 'json-text';
  if (facts.link !== undefined) return 'link';
  return 'spelling';
}
