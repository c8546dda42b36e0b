import {
  choice,
  count,
  described,
  document,
  flag,
  integer,
  json,
  list,
  nullable,
  type Of,
  object,
  optional,
  some,
  text,
} from '../base/form/form.ts';
import type { FieldReason } from '../patch/recorder.ts';
import { actions, edgeForm, positionForm, refusalForm } from '../plan/model/change.ts';
import { risks } from '../schema/facts/risk.ts';

const texts = list(text);
const action = choice(...actions);
const risk = choice(...risks);

const anything = 'Any value; of a sensitive field {"sensitive": true, "changed": true or false}.';

/** The reason for a field's verdict: from the comparison of both records, or for tags and hidden fields. */
export type Reason = FieldReason | 'foreign-tag' | 'own-tag' | 'unrevealed';

/** The sentence for each verdict; a verdict without one does not compile. */
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

/** Verdicts on fields that this stack does not manage: they stay unchanged. */
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

const field = object({
  path: described('Dotted, list items by key, other keys quoted: spec.containers.main.cpu', text),
  why: described(
    Object.entries(sentences)
      .map(([why, sentence]) => `${why}: ${sentence}`)
      .join('. '),
    choice(...reasons),
  ),
  because: described('The same for people, with what is particular to this field.', text),
  declared: optional(described(anything, json)),
  at: optional(positionForm),
  live: optional(described(anything, json)),
  before: optional(
    described(`Carried over from the record that this one replaces, whatever is declared. ${anything}`, json),
  ),
  means: optional(described('The value that the field has when it is omitted.', json)),
  writer: optional(
    described(
      'Who wrote the live value. Null: unknown. Absent: not looked up, because nothing differs.',
      nullable(
        object({
          name: text,
          type: described('user, serviceaccount, ...', text),
          version: count,
          at: described('ISO 8601.', text),
        }),
      ),
    ),
  ),
  risk: optional(risk),
});
export type ExplainedField = Of<typeof field>;

const request = object({
  method: choice('POST', 'PATCH', 'DELETE'),
  then: optional(described('The PATCH of the second step.', choice(true))),
  body: optional(document),
});
export type ExplainedRequest = Of<typeof request>;

/** The patch, applied to the live copy by the reference semantics of `patch/`. */
const proof = object({
  /** False means a bug in the planner: such a plan is never made. */
  holds: flag,
  managed: described('Managed fields that then are as declared.', count),
  untouched: described('Fields that this stack does not manage, and that stay unchanged.', count),
  against: described('Paths that contradict it.', texts),
});
export type Proof = Of<typeof proof>;

const way = object({
  entries: described('The directives that it uses; a plain field is merged, or its whole list written.', texts),
  leaves: described('Changed leaves: compared first.', count),
  bytes: optional(
    described('Bytes of JSON: compared next; absent where it would reveal something about a secret.', count),
  ),
});
export type ExplainedWay = Of<typeof way>;

const alternatives = object({
  path: text,
  then: optional(described('Of the patch of the second step.', choice(true))),
  chosen: way,
  rejected: described('The cheapest first.', list(way)),
  impossible: list(object({ directives: texts, because: text })),
});
export type ExplainedChoice = Of<typeof alternatives>;

const along = object({ id: text, owner: text });
/** The resources that the platform deletes with it. */

const { on, because, soft, ready } = edgeForm.members;

export const explanationForm = object({
  org: text,
  stack: described('The owner: the value of the tag gantry/stack.', text),
  resource: described('kind/[gvc/]name', text),
  action,
  intended: optional(described('What a refused change would have been.', action)),
  reason: described('Empty for keep.', text),
  risk: optional(risk),
  liveVersion: optional(integer),
  owner: optional(described('Of the live record, in words.', text)),
  at: optional(positionForm),
  requests: described('What is sent, in this order, sensitive values masked.', list(request)),
  proof: optional(described('The patch, applied to the live copy by the reference semantics.', proof)),
  choices: described('Where the patch could have been written in other ways.', list(alternatives)),
  fields: described('What differs; with a path, all fields there.', list(field)),
  equal: described('What does not differ, but needs an explanation.', list(field)),
  counts: described('The number of fields of the live record for each verdict.', some(reasons, count)),
  waitsFor: list(object({ on, because, soft, ready })),
  takesAlong: described('What the platform deletes along with it, and its owners.', list(along)),
  hits: optional(described('Resources of other owners that the update of a GVC affects.', texts)),
  renamedFrom: optional(described('The resource that is deleted once this one exists.', text)),
  via: optional(described('The GVC that it is deleted with: it has no request of its own.', text)),
  refusals: described('Why it is refused; a plan with any refusal writes nothing.', list(refusalForm)),
  notes: texts,
});
export type Explanation = Of<typeof explanationForm>;
