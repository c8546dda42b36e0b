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
} from '../../base/form/form.ts';
import { actions, edgeForm, positionForm, refusalForm } from '../../plan/model/change.ts';
import { risks } from '../../schema/facts/risk.ts';
import { reasons, sentences } from './reasons.ts';

const texts = list(text);
const action = choice(...actions);
const risk = choice(...risks);

const anything = 'Any value; of a sensitive field {"sensitive": true, "changed": true or false}.';

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
  /** False would be a mistake of the planner: such a plan is never made. */
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
/** The resources that the platform deletes along with it. */

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
/** Why a plan does to one resource what it does. */
export type Explanation = Of<typeof explanationForm>;
