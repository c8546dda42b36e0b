import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { isObject, type JsonObject, type JsonValue, own } from '../../schema/json/json.ts';
import type { Pointer } from '../../schema/json/pointer.ts';
import { equalValues } from '../../schema/normalForm/equal.ts';
import { contextOf, type RecordContext } from '../../schema/record/context.ts';
import { formatPath, matchPath } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import type { PlanContext } from '../model/planContext.ts';
import { valueAt, withValue } from '../record/shapeFacts.ts';

/** What a new record carries over from the live record that it replaces. */
export interface CarriedOver {
  readonly record: JsonObject;
  readonly notes: readonly string[];
}

/**
 * The declared record, with the live values under `lifecycle.ignore`, and with undeclared operational values unless
 * they are to be reverted.
 */
export function carryOver(
  resource: DesiredResource,
  live: LiveResource,
  shape: ObjectShape,
  planning: PlanContext,
): CarriedOver {
  const record = withIgnored(resource, live, shape);
  const switched = planning.options.revertOperational
    ? []
    : switchedByOperators(shape, live.record, record, [], contextOf(live.ref, planning.org));
  return {
    record: switched.reduce((carried, { pointer, value }) => withValue(carried, pointer, value), record),
    notes: switched.map(
      ({ pointer, value }) =>
        `${formatPath(shape, live.record, pointer)} stays ${JSON.stringify(value)}: not ` +
        'declared, so operators decide (--revert-operational resets it)',
    ),
  };
}

function withIgnored(resource: DesiredResource, live: LiveResource, shape: ObjectShape): JsonObject {
  let record = resource.record;
  for (const pattern of resource.lifecycle.ignore ?? []) {
    for (const pointer of matchPath(pattern, shape, live.record)) {
      const value = valueAt(live.record, pointer);
      const [here] = matchPath(formatPath(shape, live.record, pointer), shape, record);
      if (value !== undefined) record = withValue(record, here ?? pointer, value);
    }
  }
  return record;
}

interface Switched {
  readonly pointer: Pointer;
  readonly value: JsonValue;
}

/** Outside of lists: what an item of the old record was switched to need not fit the new one. */
function switchedByOperators(
  shape: ObjectShape,
  live: JsonObject,
  declared: JsonObject,
  pointer: readonly string[],
  context: RecordContext,
): readonly Switched[] {
  return [...shape.fields].flatMap(([name, field]): readonly Switched[] => {
    const [before, wanted] = [own(live, name), own(declared, name)];
    const here = [...pointer, name];
    if (field.type === 'object' && isObject(before) && field.facts.responseOnly !== true) {
      return switchedByOperators(field, before, isObject(wanted) ? wanted : {}, here, context);
    }
    const isSwitched = field.facts.fill === 'operational' && before !== undefined && wanted === undefined;
    return isSwitched && !equalValues(field, before, undefined, context) ? [{ pointer: here, value: before }] : [];
  });
}
