import { fieldIn, isArray, type JsonObject, type JsonValue, sameJson } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { present } from '../base/json/present.ts';
import { valueThere } from '../base/json/valuesAt.ts';
import type { WriteEvent, WrittenBy } from '../manifest/live/writer.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { maskValue, type SensitiveValue } from '../patch/fieldChanges.ts';
import { type Sensitivity, sensitivityOfItem, sensitivityOfMember, shouldMask } from '../patch/shouldMask.ts';
import { describeRead } from '../plan/model/cause.ts';
import type { FieldChange } from '../plan/model/change.ts';
import { positionOfField, protectedPath } from '../plan/record/shapeFacts.ts';
import { matchPath, shapeAt } from '../schema/shape/paths.ts';
import type { ObjectShape, Shape } from '../schema/shape/shape.ts';
import { lastChange } from './attributeCauses.ts';
import { type ExplainedField, sentences } from './explanation.ts';
import type { Verdict } from './verdicts.ts';

/** The sources that explain the fields of one resource. */
export interface FieldSources {
  /** For the declared record, with the variant that it chooses. */
  readonly shape: ObjectShape;
  readonly sensitivity: Sensitivity;
  readonly desired: DesiredResource | undefined;
  readonly live: JsonObject | undefined;
  /** Undefined: not read; `null`: not readable. */
  readonly writes: readonly WriteEvent[] | null | undefined;
  /** Whether an earlier write of this stack set the field at this path. */
  readonly wasSet: (path: string) => boolean;
  readonly takenOver?: TakenOver;
}

/** Set for a creation that replaces another record and keeps the values that others wrote to it. */
export interface TakenOver {
  readonly created: JsonObject;
  /** A description of the other record. */
  readonly from: string;
}

/** A changed field: both values, the position of the declared one, and the writer of the live one. */
export function explainDifference(change: FieldChange, sources: FieldSources): ExplainedField {
  const { path, old, new: next, risk } = change;
  const declaredAt = declaredPointer(path, sources);
  const at = sources.desired && positionOfField(path, sources.shape, sources.desired);
  const from = takenOverFrom(path, declaredAt, sources);
  const declared = from === undefined ? next : declaredIn(sources, declaredAt);
  return {
    path,
    why: 'differs',
    because: from === undefined ? whyDiffers(change, declaredAt, sources) : `carried over from ${from}`,
    ...present({ declared, at: at === undefined || (from !== undefined && declared === undefined) ? undefined : at }),
    ...present({ before: from === undefined || next === undefined ? undefined : next, live: old }),
    ...writerOf(path, sources),
    ...present({ risk }),
  };
}

/** An unchanged field. */
export function explainVerdict(
  { path, why, heldAt, declaredAt, means }: Verdict,
  sources: FieldSources,
): ExplainedField {
  const { sensitivity, live, desired } = sources;
  const liveValue = heldAt === undefined || live === undefined ? undefined : shownAt(sensitivity, live, heldAt);
  const declared = declaredIn(sources, declaredAt);
  const at = declaredAt === undefined ? undefined : desired?.locate(declaredAt);
  return {
    path,
    why,
    because: sentences[why],
    ...present({ declared, at, live: liveValue, means }),
    ...(liveValue === undefined ? {} : writerOf(path, sources)),
  };
}

/** The record from which a new one takes the value; undefined if the value is the declared one. */
function takenOverFrom(
  path: string,
  declaredAt: Pointer | undefined,
  { shape, desired, takenOver }: FieldSources,
): string | undefined {
  if (takenOver === undefined || desired === undefined || path === protectedPath) return undefined;
  const { created, from } = takenOver;
  const [pointer] = matchPath(path, shape, created);
  const value = pointer === undefined ? undefined : valueThere(created, pointer);
  const declared = declaredAt === undefined ? undefined : valueThere(desired.record, declaredAt);
  return value === undefined || sameJson(value, declared) ? undefined : from;
}

function declaredIn({ sensitivity, desired }: FieldSources, declaredAt: Pointer | undefined) {
  return declaredAt === undefined || desired === undefined
    ? undefined
    : shownAt(sensitivity, desired.record, declaredAt);
}

function declaredPointer(path: string, { shape, desired }: FieldSources): Pointer | undefined {
  return desired === undefined ? undefined : matchPath(path, shape, desired.record)[0];
}

function whyDiffers({ path, new: next }: FieldChange, declaredAt: Pointer | undefined, sources: FieldSources): string {
  if (path.startsWith('lifecycle.'))
    return 'it is stored with the resource, so that it still applies when the declaration is gone';
  if (sources.desired === undefined) return 'the resource is no longer declared';
  if (path === protectedPath) return 'as lifecycle.protect asks';
  const [read] =
    sources.desired?.reads?.filter(({ places = [] }) => places.some(({ at }) => sameJson(at, declaredAt ?? null))) ??
    [];
  if (read !== undefined)
    return `it takes ${describeRead(read)}${read.value === undefined ? ', which is known after apply' : ''}`;
  if (declaredAt !== undefined)
    return next === undefined ? 'declared as absent: it is removed' : 'the declared value is written';
  if (path.startsWith('tags.')) return 'an earlier write of this stack set the tag, and it is no longer declared';
  const shape = shapeOfPath(path, sources);
  switch (shape?.facts.fill) {
    case 'service':
      if (shape.facts.merged === true) {
        return sources.wasSet(path)
          ? 'an earlier write of this stack set it, and it is no longer declared: it is removed'
          : 'not declared, and a new record does not have it';
      }
      return sources.wasSet(path)
        ? 'an earlier write of this stack set it, and it is no longer declared: ' +
            'it is removed once, then the platform chooses'
        : 'the platform chose it, and it conflicts with this change: the platform chooses again';
    case 'derived':
      return 'not declared: it follows from the rest of the record';
    case 'irremovable':
      return 'not declared: removed, so the platform sets its documented value again';
    case 'operational':
      return 'not declared, and --revert-operational resets what operators changed';
    default:
      return next === undefined
        ? 'not declared: that means absent, or its default'
        : 'not declared: that means its default';
  }
}

function shapeOfPath(path: string, { shape, live }: FieldSources): Shape | undefined {
  const pointer = live === undefined ? undefined : matchPath(path, shape, live)[0];
  return pointer === undefined ? undefined : shapeAt(shape, pointer);
}

function writerOf(path: string, { shape, live, writes }: FieldSources): { readonly writer?: WrittenBy | null } {
  if (writes === undefined || live === undefined) return {};
  const pointer = matchPath(path, shape, live)[0];
  const isSecret = pointer !== undefined && isSecretIn(shape, pointer);
  const write = writes === null || isSecret ? undefined : lastChange(path, shape, live, writes);
  // A field that live never had has no writer.
  if (write === undefined) return present({ writer: pointer === undefined ? undefined : null });
  const { writer, version, at } = write;
  return { writer: { name: writer.name, type: writer.type, version, at } };
}

/** The value at a place, or its mask if it is sensitive. */
function shownAt(of: Sensitivity, record: JsonObject, pointer: Pointer): JsonValue | SensitiveValue | undefined {
  let at: JsonValue | undefined = record;
  let here = of;
  for (const step of pointer) {
    if (isArray(at) && typeof step === 'number') {
      at = at[step];
      here = sensitivityOfItem(here, at ?? null);
    } else {
      at = fieldIn(at, String(step));
      here = sensitivityOfMember(here, String(step));
    }
    if (shouldMask(here)) return { sensitive: true, changed: false };
  }
  return at === undefined ? undefined : maskValue(here, at);
}

/** Whether the platform itself hides the value. */
function isSecretIn(shape: ObjectShape, pointer: Pointer): boolean {
  return pointer.some((_, index) => shapeAt(shape, pointer.slice(0, index + 1))?.facts.sensitive === true);
}
