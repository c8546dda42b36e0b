import type { FieldReason } from '../../patch/model/verdict.ts';

/** Why a field is what it is: what the walk over both records says, and what is said of tags and hidden fields. */
export type Reason = FieldReason | 'foreign-tag' | 'own-tag' | 'unrevealed';

/** Said of each verdict; a verdict without a sentence does not compile. */
export const sentences: Readonly<Record<Reason, string>> = {
  differs: 'it differs',
  same: 'the same on both sides',
  default: 'omitted on one side, which means its default; the other side states it',
  derived: 'omitted, which means the value derived from the rest of the record: that is the live value',
  refill: 'it cannot be removed: omitted, it gets its documented value again',
  empty: 'empty and absent mean the same here',
  quantity: 'the same amount in another unit',
  link: 'the same link in another form',
  set: 'the same members; their order has no meaning',
  order: 'the same items by key; their order has no meaning',
  'json-text': 'the same JSON in another spelling',
  spelling: 'the same in the form in which the platform stores it',
  'as-text': 'the same as text',
  'short-form': 'a short form: both sides say the same in different fields',
  'own-form': 'the platform stored it so when this stack wrote it: its own default, or its own form of the value',
  service: 'not declared: the platform chooses it, and this stack does not manage it',
  operational: 'not declared: operators decide, so it is reported and not reverted (--revert-operational resets it)',
  ignored: 'under lifecycle.ignore: used on creation, never in a patch',
  platform: 'written by the platform alone',
  'unknown-field': 'not in the schema and not in the manifest: it stays unchanged',
  unmentioned: 'not in the manifest, and nothing is known of it: it stays unchanged',
  'foreign-tag': 'a tag that this stack did not set: it stays unchanged',
  'own-tag': "a tag of Gantry's own: written only together with a real change",
  foreign: 'of another owner: this stack owns another part of the resource',
  unrevealed:
    'this token cannot reveal its live value, so it is not known whether ' +
    'it differs (--write-unknown-secrets writes it)',
};

export const reasons = Object.keys(sentences) as readonly Reason[];

/** Verdicts on fields that this stack does not manage: they stay as they are, whatever they are. */
const unmanaged: ReadonlySet<Reason> = new Set<Reason>([
  'service',
  'operational',
  'ignored',
  'platform',
  'unknown-field',
  'unmentioned',
  'foreign-tag',
  'own-tag',
  'foreign',
  'unrevealed',
]);

export function isManaged(why: Reason): boolean {
  return !unmanaged.has(why);
}
