import { type JsonValue, sameJson } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import {
  fieldOf,
  fillLive,
  type LiveReference,
  liveReferences,
  liveTexts,
  liveValue,
} from '../manifest/live/liveReference.ts';
import { isShownOnce, wasShown } from '../manifest/live/shownOnce.ts';
import type { Snapshot } from '../manifest/live/snapshot.ts';
import type { DesiredResource, ReadValue } from '../manifest/model/manifest.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { formatPath, parsePath, touches } from '../schema/shape/paths.ts';
import { makePlan } from './makePlan.ts';
import { type Change, plannedAction } from './model/change.ts';
import type { Plan } from './model/plan.ts';
import type { Before, PlanOptions } from './model/planOptions.ts';

/** A plan, and the declarations with the values that it was made with. */
export interface PlanWithReads {
  readonly plan: Plan;
  readonly desired: readonly DesiredResource[];
}

/**
 * `makePlan`, with the values that resources take from live records. A value is unknown if its record is yet to be
 * created, or is changed so that the value may change. Only the plan shows which those are, so it is made again without
 * them, until no more values become unknown.
 */
export function planWithReads(
  given: readonly DesiredResource[],
  snapshot: Snapshot,
  options: PlanOptions,
): PlanWithReads {
  const open = new Set<string>();
  for (;;) {
    const desired = fillReads(given, snapshot, ({ text }) => open.has(text));
    const plan = makePlan(desired, snapshot, options);
    const filled = desired.flatMap(({ reads = [] }) =>
      reads.filter(({ value, wasShown }) => value !== undefined || wasShown === true),
    );
    const changes = new Map(plan.changes.map((change) => [change.id, change]));
    const moved = filled.filter(
      (read) => mayMove(read, changes.get(read.id)) || mayMoveBefore(read, snapshot, options.before),
    );
    if (moved.length === 0) return { plan, desired };
    for (const { text } of moved) open.add(text);
  }
}

/** The declarations with the known values. `isOpen`: whether the plan changes the value. */
export function fillReads(
  given: readonly DesiredResource[],
  { resources }: Pick<Snapshot, 'resources'>,
  isOpen: (reference: LiveReference) => boolean = () => false,
): readonly DesiredResource[] {
  if (given.every(({ reads }) => reads === undefined)) return given;
  const declared = new Map(given.map((resource) => [resource.id, resource]));
  const known = (reference: LiveReference, from: readonly ResourceId[]): JsonValue | undefined => {
    if (isOpen(reference) || isShownOnce(reference)) return undefined;
    const resource = declared.get(reference.id);
    const written = resource === undefined ? undefined : liveValue(resource.record, reference);
    const value = written ?? liveOf(reference);
    if (value === undefined || resource?.reads === undefined || from.includes(reference.id)) return value;
    const filled = fillLive(value, (inner) => known(inner, [...from, reference.id]));
    return liveReferences(filled).length === 0 ? filled : undefined;
  };
  const liveOf = (reference: LiveReference): JsonValue | undefined => {
    const live = resources.get(reference.id);
    return live === undefined ? undefined : liveValue(live.record, reference);
  };
  return given.map((resource) => {
    if (resource.reads === undefined) return resource;
    const reads = resource.reads.map((read): ReadValue => {
      const value = known(read, [resource.id]);
      const places = liveTexts(resource.record, ({ text }) => text === read.text);
      const shown = isShownOnce(read) && !isOpen(read) && wasShown(read, resources.get(read.id)?.record);
      return { ...read, places, ...present({ value }), ...(shown ? { wasShown: true } : {}) };
    });
    const own = new Map(reads.map(({ text, value }) => [text, value])); // other texts may only look like references
    const record = fillLive(
      resource.record,
      ({ text }) => own.get(text),
      (text) => own.has(text) && own.get(text) === undefined,
    );
    const kept = resources.has(resource.id) ? keptValues(resource, reads) : [];
    const { lifecycle } = resource;
    if (kept.length === 0) return { ...resource, record, reads };
    return { ...resource, record, reads, lifecycle: { ...lifecycle, ignore: [...(lifecycle.ignore ?? []), ...kept] } };
  });
}

/** The paths of values that were shown once: an existing record keeps them, as they cannot be compared. */
function keptValues({ ref, record }: DesiredResource, reads: readonly ReadValue[]): readonly string[] {
  const shape = shapeOf(ref.kind, record);
  return reads
    .filter(({ wasShown }) => wasShown === true)
    .flatMap(({ places = [] }) => places.map(({ at }) => formatPath(shape, record, at)));
}

/** Whether the change may alter the value. */
function mayMove(read: ReadValue, change: Change | undefined): boolean {
  if (change === undefined) return false;
  const field = fieldOf(read);
  if ('hint' in field || !field.isAnswer) return plannedAction(change) === 'delete';
  switch (plannedAction(change)) {
    case 'create':
    case 'replace':
    case 'delete':
      return true;
    case 'patch':
    case 'adopt':
      if (isShownOnce(read)) return false;
      return field.follows.some((pattern) => change.fields.some(({ path }) => touchesPattern(path, pattern)));
    case 'keep':
    case 'forget':
      return false;
  }
}

/**
 * The same for a change of another stack, whose declarations are unknown. If it is applied already, the platform may
 * still show the earlier value; a different value is the new one.
 */
function mayMoveBefore(read: ReadValue, { resources }: Snapshot, before: Before = new Map()): boolean {
  const { change, found } = before.get(read.id) ?? {};
  if (change === undefined) return false;
  const isWhole = ['create', 'replace', 'delete'].includes(plannedAction(change));
  if (!isWhole && !mayMove(read, change) && !change.fields.some(({ path }) => touches(path, read.path))) return false;
  const live = resources.get(read.id);
  if (live === undefined || live.uid !== found?.uid) return live === undefined;
  return sameJson(liveValue(live.record, read), liveValue(found.record, read));
}

/** Whether one path equals the other or is inside it. `*` matches one step. */
function touchesPattern(path: string, pattern: string): boolean {
  const [steps, wanted] = [parsePath(path) ?? [], parsePath(pattern) ?? []];
  return wanted.every((step, index) => {
    const own = steps[index];
    return own === undefined || own.any || step.any || own.name === step.name;
  });
}
