import type { DesiredResource, Position } from '../../manifest/model/manifest.ts';
import type { JsonArray, JsonObject } from '../../schema/json/json.ts';
import { withoutUndefined } from './withoutUndefined.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import { planRisk } from '../impact/risk.ts';
import type { StorageAmount, StorageUse } from '../model/storageUse.ts';
import type { Cause } from '../model/cause.ts';
import { positionOfField, positionToJson } from '../record/fieldPosition.ts';
import type { Plan } from '../model/plan.ts';
import type { Action, Change, Edge, Refusal } from '../model/change.ts';
import type { FieldChange } from '../model/fieldChange.ts';

/**
 * The plan in its documented form (`planSchema.ts`), for scripts and for keeping. Sensitive values are masked.
 * Keys stand in a fixed order, so equal plans are equal texts. `declared`: to say where each change and field is written.
 */
export function planToJson(plan: Plan, declared: readonly DesiredResource[] = []): JsonObject {
  const byId = new Map(declared.map((resource) => [resource.id, resource]));
  return {
    formatVersion: plan.formatVersion,
    org: plan.org,
    stack: plan.stack,
    refused: plan.refusals.length > 0 || plan.changes.some((change) => change.action === 'refuse'),
    changes: plan.changes.map((change) => changeToJson(change, byId.get(change.id))),
    refusals: plan.refusals.map(refusalToJson),
    notes: plan.notes,
    risk: planRisk(plan.changes),
    ...(plan.storage === undefined ? {} : { storage: storageToJson(plan.storage) }),
    ...(plan.leftOut === undefined ? {} : { leftOut: plan.leftOut.map(({ id, action }) => ({ id, action })) }),
    requests: { snapshot: plan.requests.snapshot, apply: plan.requests.apply },
    summary: summarise(plan.changes),
  };
}

/** How many resources each action concerns. */
export function summarise(changes: readonly Change[]): Readonly<Record<Action, number>> {
  const counts = { create: 0, patch: 0, replace: 0, delete: 0, keep: 0, adopt: 0, forget: 0, refuse: 0 };
  for (const change of changes) counts[change.action] += 1;
  return counts;
}

function changeToJson(change: Change, resource: DesiredResource | undefined): JsonObject {
  const shape = shapeOf(change.kind, resource?.record);
  return withoutUndefined({
    id: change.id,
    action: change.action,
    intended: change.intended,
    kind: change.kind,
    name: change.name,
    gvc: change.gvc,
    place: resource && positionToJson(resource.locate([])),
    reason: change.reason,
    cause: change.cause && causeToJson(change.cause),
    renamedFrom: change.renamedFrom,
    part: change.part,
    unowned: change.unowned,
    fields: change.fields.map((field) => fieldToJson(field, resource && positionOfField(field.path, shape, resource))),
    create: change.create?.masked,
    patch: change.patch?.masked,
    then: change.then?.masked,
    liveVersion: change.liveVersion,
    requires: ids([...change.requires, ...(change.deleteRequires ?? [])]),
    thenRequires: change.thenRequires === undefined ? undefined : ids(change.thenRequires),
    waitsFor: edgesToJson(change),
    cascadesTo: change.cascadesTo,
    via: change.via,
    wait: change.wait,
    waitTimeoutMs: change.waitTimeoutMs,
    risk: change.risk,
    takes: change.takes?.map(({ what, name }) => ({ what, name })),
    losesData: change.losesData,
    victims: change.victims,
    refusals: change.refusals.map(refusalToJson),
    notes: change.notes,
  });
}

function fieldToJson(field: FieldChange, place: Position | undefined): JsonObject {
  const { path, old, new: next, risk, cause } = field;
  return withoutUndefined({
    path,
    old,
    new: next,
    risk,
    cause: cause && causeToJson(cause),
    place: place && positionToJson(place),
  });
}

function causeToJson({ code, others, platform, unsure, since }: Cause): JsonObject {
  return withoutUndefined({
    code,
    others: others?.map(({ name, type, version, at }) => ({ name, type, version, at })),
    platform,
    unsure,
    since,
  });
}

function storageToJson({ before, after, ceiling, currency, atLeast, sets }: StorageUse): JsonObject {
  const amount = ({ gb, cost }: StorageAmount): JsonObject => withoutUndefined({ gb, cost });
  return withoutUndefined({
    before: amount(before),
    after: amount(after),
    ceiling: amount(ceiling),
    currency,
    atLeast,
    sets: sets.map((set) => ({
      id: set.id,
      before: set.before,
      after: set.after,
      ceiling: set.ceiling,
      concerned: set.concerned,
    })),
  });
}

function refusalToJson({ code, message, allow }: Refusal): JsonObject {
  return withoutUndefined({ code, message, allow });
}

function ids(edges: readonly Edge[]): readonly string[] {
  return [...new Set(edges.map((edge) => edge.on))].sort();
}

/** Each edge with its reason and with the step that waits. */
function edgesToJson(change: Change): JsonArray {
  const steps = [
    ['write', change.requires],
    ['delete', change.deleteRequires ?? []],
    ['then', change.thenRequires ?? []],
  ] as const;
  return steps.flatMap(([step, edges]) =>
    edges.map(({ on, step: onStep, because, soft, ready }) =>
      withoutUndefined({ step, on, onStep, because, soft, ready }),
    ),
  );
}
