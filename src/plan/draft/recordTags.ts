import type { DesiredResource } from '../../manifest/model/manifest.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { formatPath } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import type { PlanContext } from '../model/planContext.ts';
import { declaredPaths } from '../record/declaredPaths.ts';
import { type Holds, ownTags } from '../record/ownership.ts';
import { servicePointers } from '../record/shapeFacts.ts';

/** The two tags that go with every real change. `version` is the one that the write produces, `after` the record then. */
export function recordTags(
  resource: DesiredResource,
  holds: Holds,
  shape: ObjectShape,
  version: number,
  after: JsonObject,
  planning: PlanContext,
): JsonObject {
  const { record, lifecycle, ref } = resource;
  const { options, org } = planning;
  const servicePaths = servicePointers(shape, record).map((pointer) => formatPath(shape, record, pointer));
  return ownTags(
    options.owner,
    ref,
    org,
    {
      version,
      retain: lifecycle.retain === true,
      holds,
      servicePaths,
      declaredPaths: declaredPaths(shape, record, lifecycle.ignore ?? [], after),
    },
    options.hash,
  );
}
