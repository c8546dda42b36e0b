import { type JsonObject, numberAt, objectAt, stringAt } from '../../src/base/json/json.ts';
import { customShape, shapeOf } from '../../src/kinds/shapeOf.ts';
import { type FieldChange, fieldChanges } from '../../src/patch/fieldChanges.ts';
import { bySchema } from '../../src/patch/sensitivity.ts';
import { hrefOf } from '../../src/schema/record/hrefOf.ts';
import { knownKind } from '../../src/schema/record/kinds.ts';

/** One event of the audit trail. */
export interface Written {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly who: string;
  readonly from: string;
  /** `OK`, or why it was refused. */
  readonly result: string;
  readonly message: string;
  readonly kind: string;
  readonly name: string;
  /** The record after it, without values of secrets. */
  readonly record: JsonObject;
  readonly link: string | undefined;
  /** The type of a command. */
  readonly command: string | undefined;
}

export function writtenOf(event: JsonObject): Written {
  const [resource, subject, context, result, action] = ['resource', 'subject', 'context', 'result', 'action'].map(
    (part) => objectAt(event, part),
  );
  const record = objectAt(resource ?? {}, 'data');
  return {
    id: stringAt(event, 'id') ?? '',
    at: stringAt(event, 'eventTime') ?? '',
    action: stringAt(action ?? {}, 'type') ?? '',
    who: stringAt(subject ?? {}, 'name') ?? stringAt(subject ?? {}, 'email') ?? '',
    from: stringAt(context ?? {}, 'remoteIp') ?? '',
    result: stringAt(result ?? {}, 'status') ?? '',
    message: stringAt(result ?? {}, 'message') ?? '',
    kind: stringAt(resource ?? {}, 'type') ?? '',
    name: stringAt(resource ?? {}, 'name') ?? '',
    record,
    link: hrefOf(record, 'self'),
    command: stringAt(objectAt(action ?? {}, 'data'), 'type'),
  };
}

export interface Version extends Written {
  readonly version: number;
}

/** The versions among the events of a record, newest first: each by the event that made it. */
export function versionsOf(events: readonly Written[]): readonly Version[] {
  const made = events.flatMap((event) => {
    const version = numberAt(event.record, 'version');
    const wrote = event.result === 'OK' && event.action !== 'exec' && event.action !== 'delete';
    return wrote && version !== undefined ? [{ ...event, version }] : [];
  });
  return [...Map.groupBy(made, ({ version }) => version).values()]
    .flatMap((same) => same.at(-1) ?? [])
    .toSorted((a, b) => b.version - a.version);
}

/** The differences between two versions of a record, field by field, as a plan shows them. */
export function differencesOf(kind: string, before: JsonObject, after: JsonObject): readonly FieldChange[] {
  const known = knownKind(kind);
  // Of a kind that the server's users defined, the page knows nothing.
  const shape = known === undefined ? customShape(undefined) : shapeOf(known, after);
  return fieldChanges(bySchema(shape), contentOf(before), contentOf(after));
}

/** The part that people write; the rest says which version it is. */
function contentOf(record: JsonObject): JsonObject {
  const { id, kind, version, created, lastModified, links, status, health, ...content } = record;
  return content;
}
