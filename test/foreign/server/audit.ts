import { type Json, type JsonObject, object } from './json.ts';
import type { On } from './present.ts';

/** A write, as the trail contains it. */
export interface Write {
  readonly at: number;
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly writer: string;
  readonly action: 'create' | 'edit' | 'delete';
  /** The record after the write, without secrets. */
  readonly data: Json;
}

/** The trail for `GET /audit/org/ORG/resource/id/ID` or `/name/NAME`; undefined if it is refused. */
export function trail(path: string, writes: readonly Write[], now: number, on: On): JsonObject | undefined {
  const [, by, of = ''] = /\/resource\/(id|name)\/([^/]+)$/.exec(path) ?? [];
  if (on('audit-403')) return undefined;
  const asked = writes
    .filter(({ id, name }) => (by === undefined ? true : (by === 'id' ? id : name) === decodeURIComponent(of)))
    .filter(({ at }) => !on('audit-late') || at < now - 5_000)
    .toSorted((one, other) => other.at - one.at);
  const items = on('audit-empty') ? [] : on('audit-cut') ? asked.slice(0, 1) : asked;
  return { kind: 'queryresult', itemKind: 'auditevent', items: items.map((write) => event(write, on)), links: [] };
}

function event({ at, id, name, kind, writer, action, data }: Write, on: On): JsonObject {
  const subject = on('audit-without-names') ? undefined : { name: writer, data: { type: 'serviceaccount' } };
  return object({
    eventTime: new Date(at).toISOString(),
    resource: { id, name, type: kind, data },
    action: { type: action },
    subject,
    result: { status: 'OK' },
  });
}
