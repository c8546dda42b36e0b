import type { JsonObject } from '../../base/json/json.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { equalValues } from '../../kinds/equal.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { contextOf } from '../../schema/record/ref.ts';
import { formatPath, parsePath, pointerTo, shapeAt } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import type { PlanContext } from '../model/planContext.ts';
import { type Claims, ruleDeclared } from '../record/claims.ts';
import { declaredPaths } from '../record/declaredPaths.ts';
import type { FieldClaims } from '../record/fieldClaims.ts';
import { type Holds, ownTags } from '../record/ownership.ts';
import { servicePointers } from '../record/shapeFacts.ts';

/** The facts that a write records, except its version. */
export interface Recorded {
  readonly holds: Holds;
  readonly fields: FieldsSet;
  /** The record after the write. */
  readonly after: JsonObject;
  /** The uid of the record that is written to; absent for a new one. */
  readonly uid?: string;
  /** The expected stored content, if the platform does not store it as written. */
  readonly content?: string | undefined;
}

/** The two tags that are written with every real change. `version` is the one that the write produces. */
export function recordTags(
  resource: DesiredResource,
  { holds, fields, after, uid, content }: Recorded,
  shape: ObjectShape,
  version: number,
  planning: PlanContext,
): JsonObject {
  const { record, lifecycle, ref } = resource;
  const { options, org } = planning;
  return ownTags(
    options.owner,
    ref,
    org,
    {
      version,
      retain: lifecycle.retain === true,
      holds,
      servicePaths: fields.paths,
      declaredPaths: declaredPaths(shape, record, lifecycle.ignore ?? [], after),
      uid,
      content,
    },
    options.hash,
  );
}

/** The fields that a stack set and that the platform or others may set too. */
export interface FieldsSet {
  readonly paths: readonly string[];
  /** Whether the audit trail was not queried for later writers of these fields. */
  readonly inDoubt: boolean;
}

/** The record that a write starts from, with the stack's recorded claims. */
interface Before {
  readonly live: LiveResource;
  readonly claims: FieldClaims;
  readonly isShared: (path: string) => boolean;
}

/**
 * Whether a field is in an item that another stack set. A stack that declares the same item also claims its declared
 * fields.
 */
export function sharedBy({ at, parts }: Claims): (path: string) => boolean {
  return (path) => {
    if (parts.size === 0) return false;
    const names = parsePath(path)?.map((segment) => (segment.any ? '*' : segment.name)) ?? [];
    return names.some((_, depth) => {
      const claim = at(names.slice(0, depth + 1));
      return claim.others.length > 0 && ruleDeclared(claim, true, false).hold === 'set';
    });
  };
}

/**
 * The declared fields that a write changes, and those that the stack had set before: values that others set remain
 * theirs although declared. `before` is undefined for a new record.
 */
export function fieldsSet(
  { record, ref }: DesiredResource,
  shape: ObjectShape,
  after: JsonObject,
  before: Before | undefined,
  { org }: PlanContext,
): FieldsSet {
  const declared = servicePointers(shape, record).map((pointer) => formatPath(shape, record, pointer));
  if (before === undefined) return { paths: declared, inDoubt: false };
  const context = contextOf(ref, org);
  let inDoubt = false;
  const paths = declared.filter((path) => {
    const [was, is] = [before.live.record, after].map((of) => {
      const pointer = pointerTo(path, shape, of);
      return pointer && { shape: shapeAt(shape, pointer), value: valueThere(of, pointer) };
    });
    if (was?.value === undefined || is?.shape === undefined) return true;
    if (!equalValues(is.shape, was.value, is.value, context)) return true;
    if (before.isShared(path)) return true;
    const claim = before.claims.at(path, after);
    if (claim === 'unknown') inDoubt = true;
    return claim === 'set' || claim === 'unknown';
  });
  return { paths, inDoubt };
}
