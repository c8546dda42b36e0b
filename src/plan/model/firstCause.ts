import type { JsonObject } from '../../base/json/json.ts';
import { isWithin, type Pointer } from '../../base/json/pointer.ts';
import { present } from '../../base/json/present.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { valueOfReference } from '../../manifest/live/liveReference.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource, ReadValue } from '../../manifest/model/manifest.ts';
import { pointerTo } from '../../schema/shape/paths.ts';
import type { AppliedRecord } from '../record/ownership.ts';
import { pointerOfField } from '../record/shapeFacts.ts';
import type { Cause } from './cause.ts';
import type { FieldChange } from './change.ts';

/** The facts about a change besides its fields. */
interface Circumstances {
  readonly resource: DesiredResource;
  readonly live: LiveResource;
  /** The record of our last write; undefined if unknown. */
  readonly applied: Pick<AppliedRecord, 'version'> | undefined;
  /** Whether an earlier write of this stack set this field, which the platform would otherwise choose. */
  readonly wasSet: (path: string) => boolean;
}

/**
 * The cause as far as the two versions show it: if they are equal, no other client has changed anything since our last
 * write. The audit trail may add more (`attributeCauses`). Undefined if no field differs.
 */
export function firstCause(
  fields: readonly FieldChange[],
  { resource, live, applied, wasSet }: Circumstances,
): Cause | undefined {
  if (fields.length === 0) return undefined;
  if (applied?.version !== live.version) {
    const origin = originOf(fields, resource, live.record);
    return { ...origin, others: [], unsure: true, ...present({ since: applied?.version }) };
  }
  const shape = shapeOf(resource.ref.kind, resource.record);
  const ours = fields.filter(
    ({ path }) =>
      path.startsWith('tags.') ||
      path.startsWith('lifecycle.') ||
      pointerOfField(path, shape, resource) !== undefined ||
      wasSet(path),
  );
  return ours.length > 0 ? originOf(ours, resource, live.record) : { code: true, platform: true, unsure: true };
}

/** The origin of a value that this stack writes: its code, or values of other records that its code reads. */
type Origin = Pick<Cause, 'code' | 'reads' | 'unsure'>;

/** The origin of the new values of these fields. `before` is the record as this stack left it. */
export function originOf(
  fields: readonly Pick<FieldChange, 'path'>[],
  resource: DesiredResource,
  before: JsonObject,
): Origin {
  const fieldReads = fields.map(({ path }) => fieldReadsOf(path, resource, before));
  const reads = new Map(
    fieldReads.flatMap((field) => (field?.reads ?? []).map(({ id, path }) => [`${id}:${path}`, { id, path }])),
  );
  if (reads.size === 0) return { code: true };
  const isSure = fieldReads.every((field) => field?.isSure === true);
  return {
    ...present({ code: isSure ? undefined : true }),
    reads: [...reads.values()],
    ...(fieldReads.some((field) => field?.isSure === false) ? { unsure: true } : {}),
  };
}

interface FieldReads {
  readonly reads: readonly ReadValue[];
  /**
   * Whether the text around the value is unchanged. If the text is only the value, this is unknown: it may be new in
   * the code.
   */
  readonly isSure: boolean;
}

/** The values of other records in a field. Undefined if there are none, or the text around them changed in the code. */
function fieldReadsOf(path: string, resource: DesiredResource, before: JsonObject): FieldReads | undefined {
  const shapeOfRecord = (record: JsonObject) => shapeOf(resource.ref.kind, record);
  const place = pointerOfField(path, shapeOfRecord(resource.record), resource);
  if (place === undefined) return undefined;
  const reads = (resource.reads ?? []).filter(({ places = [] }) => places.some(({ at }) => isSame(at, place)));
  const text = reads[0]?.places?.find(({ at }) => isSame(at, place))?.text;
  const old = pointerTo(path, shapeOfRecord(before), before);
  const value = old === undefined ? undefined : valueThere(before, old);
  if (text === undefined || value === undefined) return undefined;
  if (reads.length > 1) return { reads, isSure: false };
  const behind = valueOfReference(text, value);
  return behind === undefined ? undefined : { reads, isSure: behind[0] !== text };
}

function isSame(a: Pointer, b: Pointer): boolean {
  return a.length === b.length && isWithin(a, b);
}
