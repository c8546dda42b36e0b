import { isObject, type JsonObject, objectAt, own } from '../../base/json/json.ts';
import { lastSegment, type RecordContext } from '../../schema/record/ref.ts';
import { textsAt } from '../../schema/rules/reading.ts';
import type { Subject } from '../../schema/rules/rule.ts';

/** The data for the rules of a GVC (platform/gvc), read lazily, when a rule needs it. */
export class GvcView {
  readonly record: JsonObject;
  readonly context: RecordContext;

  constructor({ record, context }: Subject) {
    this.record = record;
    this.context = context;
  }

  get spec(): JsonObject {
    return objectAt(this.record, 'spec');
  }

  get placement(): JsonObject {
    return objectAt(this.spec, 'staticPlacement');
  }

  get loadBalancer(): JsonObject {
    return objectAt(this.spec, 'loadBalancer');
  }

  get keda(): JsonObject {
    return objectAt(this.spec, 'keda');
  }
}

export function gvcView(subject: Subject): GvcView {
  return new GvcView(subject);
}

/** The location names of a GVC; undefined if a query adds others that the record does not show. */
export function gvcLocations(record: JsonObject): ReadonlySet<string> | undefined {
  const placement = objectAt(objectAt(record, 'spec'), 'staticPlacement');
  return Object.hasOwn(placement, 'locationQuery') ? undefined : new Set(linkedLocations(record));
}

/** The location names that a GVC lists itself. */
export function linkedLocations(record: JsonObject): readonly string[] {
  const placement = objectAt(objectAt(record, 'spec'), 'staticPlacement');
  return textsAt(placement, 'locationLinks').map(({ value }) => lastSegment(value));
}

/** The query that adds further locations to a GVC. */
export function locationQueryOf(record: JsonObject): JsonObject | undefined {
  const query = own(objectAt(objectAt(record, 'spec'), 'staticPlacement'), 'locationQuery');
  return isObject(query) ? query : undefined;
}

/** Whether the GVC has its own load balancer, which several features of domains need (platform/domain). */
export function hasDedicatedBalancer(record: JsonObject): boolean {
  return objectAt(objectAt(record, 'spec'), 'loadBalancer')['dedicated'] === true;
}
