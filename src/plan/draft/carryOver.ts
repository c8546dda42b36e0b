import { isArray, isObject, type JsonObject, type JsonValue, own, sameJson } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { firstOf } from '../../base/text/firstOf.ts';
import { equalValues } from '../../kinds/normalForm/equal.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { recreated } from '../../patch/reconcile/recreated.ts';
import { contextOf, type RecordContext } from '../../schema/record/ref.ts';
import { formatPath } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { type FieldClaims, laterNotes } from '../claims/fieldClaims.ts';
import type { Note } from '../claims/note.ts';
import type { PlanContext } from '../model/planContext.ts';
import { appliedOf } from '../record/ownership.ts';
import { withValue } from '../record/shapeFacts.ts';

/** Values that a new record carries over from the live record that it replaces. */
export interface CarriedOver {
  readonly record: JsonObject;
  /** The same, with what nobody declares here and the schema does not know. */
  readonly whole: JsonObject;
  readonly claims: FieldClaims;
  readonly notes: readonly Note[];
}

/**
 * The declared record, with the live values under `lifecycle.ignore`, with what others wrote into fields that the schema
 * does not know, and with undeclared operational values unless they are to be reverted.
 */
export function carryOver(
  resource: DesiredResource,
  live: LiveResource,
  shape: ObjectShape,
  planning: PlanContext,
): CarriedOver {
  const context = contextOf(live.ref, planning.org);
  const claims = planning.fieldClaims(live, appliedOf(planning.ownership(live)));
  const { record, whole } = recreated(shape, live.record, resource.record, {
    context,
    ignore: resource.lifecycle.ignore ?? [],
    wasSet: claims.wasSet,
  });
  const switched = planning.options.revertOperational
    ? []
    : switchedByOperators({ shape, pointer: [] }, live.record, record, context);
  const withSwitched = (carried: JsonObject): JsonObject =>
    switched.reduce((result, { pointer, value }) => withValue(result, pointer, value), carried);
  return {
    record: withSwitched(record),
    whole: withSwitched(whole),
    claims,
    notes: [
      ...foreignNotes(shape, record, whole),
      ...laterNotes(claims),
      ...switched.map(
        ({ pointer, value }) =>
          `${formatPath(shape, live.record, pointer)} stays ${JSON.stringify(value)}: not ` +
          'declared, so operators decide (--revert-operational resets it)',
      ),
    ],
  };
}

function foreignNotes(shape: ObjectShape, record: JsonObject, whole: JsonObject): readonly string[] {
  const paths = addedIn(record, whole, []).map((pointer) => formatPath(shape, whole, pointer));
  return paths.length === 0 ? [] : [`carried over, although it is not declared here: ${firstOf(paths, 10)}`];
}

/** The places of what one value has more than another. */
function addedIn(before: JsonValue, after: JsonValue, place: Pointer): readonly Pointer[] {
  if (before === after) return [];
  if (isObject(before) && isObject(after)) {
    return Object.keys(after).flatMap((name) => {
      const [old, next] = [own(before, name), own(after, name)];
      const at = [...place, name];
      return next === undefined ? [] : old === undefined ? [at] : addedIn(old, next, at);
    });
  }
  if (isArray(before) && isArray(after)) {
    return after.flatMap((item, index) => {
      const old = before.find((each) => hasAllOf(item, each));
      return old === undefined ? [[...place, index]] : addedIn(old, item, [...place, index]);
    });
  }
  return [];
}

function hasAllOf(after: JsonValue | undefined, before: JsonValue): boolean {
  if (isObject(before) && isObject(after)) {
    return Object.entries(before).every(([name, value]) => hasAllOf(own(after, name), value));
  }
  if (isArray(before) && isArray(after)) {
    return before.every((item) => after.some((each) => hasAllOf(each, item)));
  }
  return after !== undefined && sameJson(after, before);
}

interface Switched {
  readonly pointer: Pointer;
  readonly value: JsonValue;
}

/** Outside of lists: what an item of the old record was switched to need not fit the new one. */
function switchedByOperators(
  { shape, pointer }: { readonly shape: ObjectShape; readonly pointer: readonly string[] },
  live: JsonObject,
  declared: JsonObject,
  context: RecordContext,
): readonly Switched[] {
  return [...shape.fields].flatMap(([name, field]): readonly Switched[] => {
    const [before, wanted] = [own(live, name), own(declared, name)];
    const here = [...pointer, name];
    if (field.type === 'object' && isObject(before) && field.facts.responseOnly !== true) {
      return switchedByOperators({ shape: field, pointer: here }, before, isObject(wanted) ? wanted : {}, context);
    }
    const isSwitched = field.facts.fill === 'operational' && before !== undefined && wanted === undefined;
    return isSwitched && !equalValues(field, before, undefined, context) ? [{ pointer: here, value: before }] : [];
  });
}
