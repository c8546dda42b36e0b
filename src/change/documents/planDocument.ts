import {
  amount,
  choice,
  count,
  described,
  each,
  flag,
  integer,
  json,
  list,
  type Of,
  object,
  objectOf,
  optional,
  publishedForm,
  text,
} from '../../base/form/form.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { errorMember } from '../../kinds/errorSchema.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { planRisk } from '../../plan/consequences/risk.ts';
import { causeForm } from '../../plan/model/cause.ts';
import {
  accessForm,
  actions,
  type Change,
  type Edge,
  edgeForm,
  positionForm,
  refusalForm,
  type UncheckedChange,
} from '../../plan/model/change.ts';
import { actionCounts, isRefused, type Plan, saveForm } from '../../plan/model/plan.ts';
import { storageForm } from '../../plan/model/storageUse.ts';
import { announcedProbe } from '../../plan/order/applyRequests.ts';
import { losableThings } from '../../plan/record/gvcLosses.ts';
import { positionOfField } from '../../plan/record/shapeFacts.ts';
import { risks } from '../../schema/facts/risk.ts';
import { formatRef } from '../../schema/record/ref.ts';
import { outputsForm } from '../outputs.ts';
import { rehearsalForm } from './rehearsalDocument.ts';
import { resultForm } from './resultDocument.ts';
import { signaturesForm } from './signaturesDocument.ts';

const texts = list(text);
const body = objectOf({ type: 'object' });
const action = choice(...actions);
const anyValue = described('Any value; of a sensitive field {"sensitive": true, "changed": true or false}.', json);

const refusals = described('Why it is refused; a plan with any refusal writes nothing.', list(refusalForm));

const field = described(
  'One field that will be different. Without old it is added, without new it is removed.',
  object({
    path: described('Dotted, list items by key, other keys quoted: spec.containers.main.cpu', text),
    old: optional(anyValue),
    new: optional(anyValue),
    risk: optional(described('What the change of this field can do; absent: none.', choice(...risks))),
    cause: optional(
      described('Why it differs, if the audit trail was queried; otherwise as for the whole change.', causeForm),
    ),
    place: optional(described('Where its new value is written; absent where no manifest says it.', positionForm)),
  }),
);
export const fieldsForm = list(field);

const { on, onStep, because, soft, ready } = { ...edgeForm.members, onStep: edgeForm.members.step };
const waitsFor = list(
  object({
    step: described('The step of this change that waits.', choice('write', 'delete', 'then')),
    on,
    onStep,
    because,
    soft,
    ready,
  }),
);

const change = object({
  id: described('kind/[gvc/]name', text),
  action,
  intended: optional(described('What a refused change would have been.', action)),
  kind: text,
  name: text,
  gvc: optional(described('Absent for kinds of the org.', text)),
  place: optional(described('Where it is declared, lines and columns from 1; absent where it is not.', positionForm)),
  reason: described('Empty for keep.', text),
  cause: optional(described('Why it is not what is declared; absent for what is created or deleted.', causeForm)),
  renamedFrom: optional(described('Of a creation: the resource whose name it had before; that one is deleted.', text)),
  part: optional(described('Only single items of it belong to the stack (lifecycle.part).', choice(true))),
  unowned: optional(
    described(
      'Kept because it is not, or might not be, of this stack: a copy, or without gantry/applied.',
      choice(true),
    ),
  ),
  fields: fieldsForm,
  access: optional(accessForm),
  create: optional(described('The POST body, sensitive values masked.', body)),
  patch: optional(described('The PATCH body with id and version, sensitive values masked.', body)),
  then: optional(described('The PATCH of the second step, without id and version.', body)),
  liveVersion: optional(described('The version that the live record has now.', integer)),
  requires: described('Ids of the changes that must be done first.', texts),
  thenRequires: optional(described('The same for the second step.', texts)),
  waitsFor: optional(described('Every edge with its reason.', waitsFor)),
  cascadesTo: described('What the platform deletes with it, including records of others.', texts),
  via: optional(described('The GVC whose deletion deletes this child: it has no request of its own.', text)),
  awaits: optional(described('References to values of live records that are known only when it is made.', texts)),
  wait: described('It is done only when the resource is ready; an unchanged one is waited for too.', flag),
  waitTimeoutMs: optional(described('lifecycle.waitTimeout in milliseconds.', amount)),
  risk: optional(described('The worst that it can do; absent for keep.', choice(...risks))),
  takes: optional(
    described(
      'What the update of a GVC takes from all that live in it.',
      list(object({ what: choice(...losableThings), name: text })),
    ),
  ),
  losesData: optional(described('What loses its data with it; nothing else of it may hold data when it goes.', texts)),
  victims: optional(described('Workloads and volume sets of others that it hits by that.', texts)),
  refusals,
  notes: texts,
});

/** The output of `gantry plan -o json`; apply and destroy add the result, and `show` its signatures. */
export const planForm = object({
  formatVersion: choice(1),
  org: text,
  stack: described('The owner: the value of the tag gantry/stack.', text),
  refused: described('True if anything is refused: then apply writes nothing.', flag),
  changes: described('One for each resource; in the order in which they are written.', list(change)),
  refusals,
  notes: texts,
  risk: described('The worst that the plan can do.', choice(...risks)),
  storage: optional(storageForm),
  leftOut: optional(
    described(
      'Of a partial plan: the changes that --target and --exclude leave for later.',
      list(object({ id: text, action })),
    ),
  ),
  saves: optional(described('What is shown once, and is written to files after the changes.', list(saveForm))),
  waiting: optional(
    described(
      'In a run of several stacks: deletions that are made after another stack, with what needs them until then.',
      list(object({ id: text, after: text, by: text, path: text })),
    ),
  ),
  requests: object({ snapshot: count, apply: count }),
  versionProbe: optional(
    described(
      'A PATCH that changes nothing, sent before the first one to test whether versions are honoured.',
      object({ id: described('kind/[gvc/]name', text), patch: body }),
    ),
  ),
  summary: each(actions, count),
  rehearsal: optional(rehearsalForm),
  result: optional(resultForm),
  outputs: optional(described('After apply: what the stack hands on.', outputsForm)),
  signatures: optional(signaturesForm),
  error: optional(objectOf(errorMember)),
});
export type PlanDocument = Of<typeof planForm>;
export type ChangeDocument = Of<typeof change>;
export type FieldDocument = Of<typeof field>;

/** The JSON Schema of `gantry plan -o json`; the build writes it to `dist/schemas/plan.json`. */
export const planSchema: JsonObject = publishedForm('plan', 'Gantry plan, format 1', planForm);

/**
 * The plan in its documented form (`planDocument.ts`). Sensitive values are masked. Keys are in a fixed order, so equal
 * plans give equal texts. `declared`: adds the positions of changes and fields.
 */
export function planToJson(plan: Plan, declared: readonly DesiredResource[] = []): JsonObject {
  const byId = new Map(declared.map((resource) => [resource.id, resource]));
  const probe = announcedProbe(plan);
  return planForm.write({
    ...plan,
    ...(probe && { versionProbe: { id: formatRef(probe.ref), patch: { ...probe.body } } }),
    refused: isRefused(plan),
    changes: plan.changes.map((change) => changeDocument(change, byId.get(change.id))),
    risk: planRisk(plan.changes),
    summary: actionCounts(plan.changes),
  });
}

/** One change of a document. `resource`: adds the positions of the change and of its fields. */
export function changeDocument(change: Change, resource?: DesiredResource) {
  const { create, patch, then, requires, deleteRequires = [], thenRequires, ...others }: UncheckedChange = change;
  return {
    ...others,
    ...(resource === undefined ? {} : placesOf(change, resource)),
    ...(create && { create: create.masked }),
    ...(patch && { patch: patch.masked }),
    ...(then && { then: then.masked }),
    requires: ids([...requires, ...deleteRequires]),
    ...(thenRequires && { thenRequires: ids(thenRequires) }),
    waitsFor: waitsOf(change),
  };
}

function placesOf({ kind, fields }: Change, resource: DesiredResource) {
  const shape = shapeOf(kind, resource.record);
  const place = resource.locate([]);
  return {
    ...(place && { place }),
    fields: fields.map((field) => {
      const at = positionOfField(field.path, shape, resource);
      return { ...field, ...(at && { place: at }) };
    }),
  };
}

function ids(edges: readonly Edge[]): readonly string[] {
  return [...new Set(edges.map((edge) => edge.on))].sort();
}

/** Each edge with its reason and with the step that waits. */
function waitsOf({ requires, deleteRequires = [], thenRequires = [] }: Change) {
  const steps = [
    ['write', requires],
    ['delete', deleteRequires],
    ['then', thenRequires],
  ] as const;
  return steps.flatMap(([step, edges]) =>
    edges.map((edge) => ({ ...edge, step, ...(edge.step && { onStep: edge.step }) })),
  );
}
