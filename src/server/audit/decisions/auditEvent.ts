import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
  objectAt,
  own,
  stringAt,
} from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { instantOf } from '../../../base/text/instant.ts';
import { shapeOf } from '../../../kinds/shapeOf.ts';
import type { Kind } from '../../../schema/record/kinds.ts';
import type { Problem } from '../../../schema/record/problem.ts';
import { lastSegment } from '../../../schema/record/ref.ts';
import { holdsSensitive } from '../../../schema/shape/anywhere.ts';
import { childShape } from '../../../schema/shape/paths.ts';
import type { Shape } from '../../../schema/shape/shape.ts';

/** The attempted action (platform/audit.trail). */
export const auditActions = ['create', 'edit', 'delete', 'exec'] as const;
export type AuditAction = (typeof auditActions)[number];

export function isAuditAction(text: string): text is AuditAction {
  return (auditActions as readonly string[]).includes(text);
}

/** The actor: `link` is the principal link, `/org/o/user/x@y`. */
export interface AuditSubject {
  readonly link: string;
  /** The kind of the principal: user, serviceaccount, identity. */
  readonly kind: string;
  readonly name: string;
  readonly email?: string;
}

export interface AuditFacts {
  readonly id: string;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly org: string;
  /** The name of the audit context. */
  readonly context: string;
  /** The address that sent the request; absent for actions of the platform itself. */
  readonly remoteIp?: string;
  /** The alias of the record's GVC. */
  readonly gvcAlias?: string;
  readonly resource: AuditedResource;
  readonly action: AuditAction;
  /** Details outside the record, without secrets: the type and id of a command, the name of a new key. */
  readonly about?: JsonObject;
  readonly subject: AuditSubject;
  readonly result: AuditResult;
}

export interface AuditedResource {
  /** Empty for a record that does not exist, because its creation was refused. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** The record after the action, redacted. */
  readonly data: JsonObject;
}

export interface AuditResult {
  readonly status: string;
  readonly message: string;
}

/** The source of the platform's own events; those of clients have their principal link. */
const ownEventSource = 'platform';

/** An event of the audit trail as shown (platform/audit.trail). */
export function auditEvent(facts: AuditFacts): JsonObject {
  const { id, org, resource, subject, action, about = {}, result } = facts;
  const time = new Date(facts.atMs).toISOString();
  const { email, name, kind, link } = subject;
  return {
    kind: 'auditevent',
    id,
    requestId: facts.requestId,
    eventTime: time,
    postedTime: time,
    receivedTime: time,
    resource: {
      id: resource.id,
      name: resource.name,
      type: resource.type,
      data: resource.data,
    },
    action: { type: action, data: about },
    subject: { ...present({ email }), name, claims: {}, data: { type: kind, principalLink: link } },
    context: {
      org,
      name: facts.context,
      ...present({ remoteIp: facts.remoteIp }),
      eventSource: ownEventSource,
      ...present({ gvcAlias: facts.gvcAlias }),
      ...commandLocation(about),
      data: {},
    },
    result: { status: result.status, message: result.message },
    links: [{ rel: 'self', href: auditEventPath(org, id) }],
  };
}

export function auditEventPath(org: string, id: string): string {
  return `/audit/org/${org}/id/${id}`;
}

/**
 * The specification has only `OK`. The other results, one for each status of a write, are defined here
 * (platform/audit.trail).
 */
const resultByStatus: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID'],
  [401, 'UNAUTHENTICATED'],
  [403, 'DENIED'],
  [404, 'NOT_FOUND'],
  [405, 'NOT_ALLOWED'],
  [409, 'CONFLICT'],
  [413, 'TOO_LARGE'],
  [429, 'LIMITED'],
]);

/** The result of a write: `OK`, or the word for the status of its refusal, with its message. */
export function auditResult(status: number, message = ''): AuditResult {
  if (status < 400) return { status: 'OK', message };
  return { status: resultByStatus.get(status) ?? 'ERROR', message };
}

/** The part of an event that its client does not determine. */
export interface Writer {
  readonly id: string;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly org: string;
  readonly context: string;
  readonly remoteIp?: string;
  readonly caller: AuditSubject;
}

type WrittenEvent =
  | { readonly ok: true; readonly event: JsonObject; readonly atMs: number }
  | { readonly ok: false; readonly problems: readonly Problem[] };

type Check = (value: JsonValue) => string | undefined;

const longestText = 512;

function isText(value: JsonValue): string | undefined {
  if (typeof value !== 'string') return 'must be text';
  if (value.includes('\0')) return 'must not contain NUL'; // some databases cannot store it
  return value.length > longestText ? `must have at most ${longestText} characters` : undefined;
}

function isNeededText(value: JsonValue): string | undefined {
  return value === '' ? 'must not be empty' : isText(value);
}

function isAction(value: JsonValue): string | undefined {
  return typeof value === 'string' && isAuditAction(value) ? undefined : `must be one of ${auditActions.join(', ')}`;
}

/** Requires an absolute time; relative ones are not accepted. */
function isTime(value: JsonValue): string | undefined {
  const atMs = typeof value === 'string' && /^\d{4}-/.test(value) ? pointInTime(value, 0) : undefined;
  return atMs !== undefined && atMs >= 0 ? undefined : 'must be a time in ISO 8601, not before 1970';
}

const anything: Check = () => undefined;

/** The members that a client may write, by object (platform/audit.trail). */
const members: ReadonlyMap<string, ReadonlyMap<string, Check>> = new Map([
  [
    'resource',
    new Map([
      ['id', isNeededText],
      ['type', isNeededText],
      ['name', isText],
      ['data', anything],
    ]),
  ],
  [
    'action',
    new Map([
      ['type', isAction],
      ['data', anything],
    ]),
  ],
  [
    'subject',
    new Map([
      ['email', isText],
      ['name', isText],
      ['claims', anything],
      ['data', anything],
    ]),
  ],
  [
    'context',
    new Map([
      ['location', isText],
      ['gvcAlias', isText],
      ['podId', isText],
      ['data', anything],
    ]),
  ],
  [
    'result',
    new Map([
      ['status', isNeededText],
      ['message', isText],
    ]),
  ],
]);

/** Platform-owned members, which are ignored because clients that copy an event send them (platform/wire.writes). */
const ownMembers: ReadonlySet<string> = new Set(['kind', 'id', 'postedTime', 'receivedTime', 'links']);
const ownContextMembers: ReadonlySet<string> = new Set(['org', 'name', 'remoteIp', 'eventSource']);

/**
 * The event that a client's request writes, or all its problems. `resource.id` and `resource.type` are required
 * (platform/audit.trail). `context.eventSource` is always the real writer, regardless of the subject in the request.
 */
export function writtenEvent(body: JsonObject, writer: Writer): WrittenEvent {
  const problems: Problem[] = [];
  function refuse(pointer: readonly string[], message: string): void {
    problems.push({ rule: 'audit.event', path: pointer.join('.'), pointer, message, severity: 'error' });
  }
  const parts = new Map<string, JsonObject>();
  for (const name of Object.keys(body)) {
    const value = own(body, name) ?? null;
    if (ownMembers.has(name)) continue;
    const known = members.get(name);
    if (known !== undefined) parts.set(name, readPart(name, value, known, refuse));
    else if (name === 'eventTime') report(isTime(value), [name], refuse);
    else if (name === 'requestId') report(isText(value), [name], refuse);
    else refuse([name], `${JSON.stringify(name)} is not allowed`);
  }
  const resource = parts.get('resource') ?? {};
  for (const name of ['id', 'type']) {
    if (!Object.hasOwn(resource, name)) refuse(['resource', name], 'is required');
  }
  if (problems.length > 0) return { ok: false, problems };

  const eventTime = own(body, 'eventTime');
  const atMs = typeof eventTime === 'string' ? (pointInTime(eventTime, writer.nowMs) ?? writer.nowMs) : writer.nowMs;
  return { ok: true, atMs, event: eventOf(parts, own(body, 'requestId'), atMs, writer) };
}

function eventOf(
  parts: ReadonlyMap<string, JsonObject>,
  requestId: JsonValue | undefined,
  atMs: number,
  writer: Writer,
): JsonObject {
  const { id, org, caller, remoteIp } = writer;
  const now = new Date(writer.nowMs).toISOString();
  const email = present({ email: caller.email });
  const byCaller = { ...email, name: caller.name, claims: {}, data: { type: caller.kind, principalLink: caller.link } };
  return {
    kind: 'auditevent',
    id,
    requestId: typeof requestId === 'string' ? requestId : writer.requestId,
    eventTime: new Date(atMs).toISOString(),
    postedTime: now,
    receivedTime: now,
    resource: { name: '', data: {}, ...parts.get('resource') },
    action: { type: 'exec', data: {}, ...parts.get('action') },
    subject: parts.has('subject') ? { claims: {}, data: {}, ...parts.get('subject') } : byCaller,
    context: {
      data: {},
      ...parts.get('context'),
      org,
      name: writer.context,
      ...present({ remoteIp }),
      eventSource: caller.link,
    },
    result: { status: 'OK', message: '', ...parts.get('result') },
    links: [{ rel: 'self', href: auditEventPath(org, id) }],
  };
}

function readPart(
  part: string,
  value: JsonValue,
  known: ReadonlyMap<string, Check>,
  refuse: (pointer: readonly string[], message: string) => void,
): JsonObject {
  if (!isObject(value)) {
    refuse([part], 'must be an object');
    return {};
  }
  const checked: Record<string, JsonValue> = {};
  for (const name of Object.keys(value)) {
    const member = own(value, name) ?? null;
    if (part === 'context' && ownContextMembers.has(name)) continue;
    const check = known.get(name);
    if (check === undefined) refuse([part, name], `${JSON.stringify(name)} is not allowed`);
    else {
      report(check(member), [part, name], refuse);
      checked[name] = member;
    }
  }
  return checked;
}

function report(
  message: string | undefined,
  pointer: readonly string[],
  refuse: (pointer: readonly string[], message: string) => void,
): void {
  if (message !== undefined) refuse(pointer, message);
}

/** Parts of a command whose content clients determine, possibly with secrets (platform/commands). */
const unauditedFields: ReadonlySet<string> = new Set(['containerOverrides', 'env', 'args', 'command']);

/** The data of a command for the audit trail (platform/audit.trail): its id, type and subject. */
export function aboutCommand(id: string, type: string, spec: JsonObject): JsonObject {
  return { id, type, spec: mapMembers(spec, (value, name) => (unauditedFields.has(name) ? undefined : value)) };
}

/** The location and replica of a command, if any, as `location` and `podId` of the context of an event. */
export function commandLocation(about: JsonObject): { readonly location?: string; readonly podId?: string } {
  const spec = objectAt(about, 'spec');
  const [location, podId] = [stringAt(spec, 'location'), stringAt(spec, 'replica')];
  return {
    ...present({ location: location === undefined ? undefined : lastSegment(location), podId }),
  };
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * The units of durations (platform/clients.options). A month has 30 days and a year 365, so that the length of a window
 * does not depend on the date.
 */
const unitMs: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', minuteMs],
  ['h', hourMs],
  ['d', dayMs],
  ['w', 7 * dayMs],
  ['mo', 30 * dayMs],
  ['M', 30 * dayMs],
  ['y', 365 * dayMs],
]);

const relative = /^(?:now-)?(\d{1,9})(ms|mo|[smhdwMy])$/;

/**
 * Parses a client's time: a duration before now (`7d`, `1h`, `now-30m`), `now`, or ISO 8601, by default in UTC
 * (platform/clients.operations, platform/clients.options). Returns milliseconds since 1970, or undefined for other
 * text.
 */
export function pointInTime(text: string, nowMs: number): number | undefined {
  if (text === 'now') return nowMs;
  const [, amount, unit = ''] = relative.exec(text) ?? [];
  const length = unitMs.get(unit);
  if (amount !== undefined && length !== undefined) return nowMs - Number(amount) * length;
  return instantOf(text, 'UTC');
}

/** Fields that are shown only once, in parts of a record without a schema (platform/agent.bootstrap). */
const shownOnce: ReadonlySet<string> = new Set(['bootstrapConfig', 'registrationToken']);

/**
 * The record without sensitive fields and tokens, for storage and export (platform/audit.trail: secrets removed;
 * platform/secret, rule S7). Removed values leave no trace.
 */
export function redacted(kind: Kind, record: JsonObject): JsonObject {
  const shape = shapeOf(kind, record);
  // Returns early for most kinds, which have no sensitive fields, because this runs on each write.
  if (!holdsSensitive(shape) && !isObject(own(record, 'status'))) return record;
  const shown = withoutSensitive(shape, record);
  return isObject(shown) ? shown : {};
}

/** Returns undefined if no part of the value may be stored. */
function withoutSensitive(shape: Shape | undefined, value: JsonValue): JsonValue | undefined {
  if (shape?.facts.sensitive === true) return undefined;
  if (isArray(value)) {
    return value
      .map((member, index) => withoutSensitive(childShape(shape, index), member))
      .filter((member) => member !== undefined);
  }
  if (!isObject(value)) return value;
  return mapMembers(value, (member, name) =>
    shape?.type !== 'map' && shownOnce.has(name) ? undefined : withoutSensitive(childShape(shape, name), member),
  );
}
