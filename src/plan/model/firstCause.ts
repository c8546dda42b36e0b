import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import { pointerOfField } from '../record/fieldPosition.ts';
import type { AppliedRecord } from '../record/ownership.ts';
import type { Cause } from './cause.ts';
import type { FieldChange } from './fieldChange.ts';

/** What is known of a change, besides its fields. */
interface Circumstances {
  readonly resource: DesiredResource;
  readonly live: LiveResource;
  /** What our last write recorded; undefined where nothing is known of it. */
  readonly applied: Pick<AppliedRecord, 'version'> | undefined;
  /** Did an earlier write of this stack set this field, which the platform would choose? */
  readonly wasSet: (path: string) => boolean;
}

/**
 * The cause as far as the two versions show it: whoever has not written since cannot have changed anything. The audit
 * trail may add more (`attributeCauses`). Undefined if no field differs.
 */
export function firstCause(
  fields: readonly FieldChange[],
  { resource, live, applied, wasSet }: Circumstances,
): Cause | undefined {
  if (fields.length === 0) return undefined;
  if (applied?.version !== live.version) {
    return { code: true, others: [], unsure: true, ...(applied === undefined ? {} : { since: applied.version }) };
  }
  const shape = shapeOf(resource.ref.kind, resource.record);
  const isOurs = ({ path }: FieldChange): boolean =>
    path.startsWith('tags.') ||
    path.startsWith('lifecycle.') ||
    pointerOfField(path, shape, resource) !== undefined ||
    wasSet(path);
  return fields.some(isOurs) ? { code: true } : { code: true, platform: true, unsure: true };
}
