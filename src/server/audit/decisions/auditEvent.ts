import type { JsonObject } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { commandLocation } from './aboutCommand.ts';

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
  /** The origin of the request; absent for actions of the platform itself. */
  readonly remoteIp?: string;
  /** The alias of the GVC of the record. */
  readonly gvcAlias?: string;
  readonly resource: AuditedResource;
  readonly action: AuditAction;
  /** Details beyond the record: the type and id of a command, the name of a new key. No secret. */
  readonly about?: JsonObject;
  readonly subject: AuditSubject;
  readonly result: AuditResult;
}

export interface AuditedResource {
  /** Empty for a record that does not exist: a refused creation. */
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

/** The source of events of the platform itself; events of clients have their principal link. */
const ownEventSource = 'platform';

/** One event of the audit trail as it is shown (platform/audit.trail). */
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
 * The specification has only `OK`; the other results are defined here, one for each status of a write
 * (platform/audit.trail).
 */
const words: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID'],
  [401, 'UNAUTHENTICATED'],
  [403, 'DENIED'],
  [404, 'NOT_FOUND'],
  [405, 'NOT_ALLOWED'],
  [409, 'CONFLICT'],
  [413, 'TOO_LARGE'],
  [429, 'LIMITED'],
]);

/** The result of a write: `OK`, or a word for the status of its refusal with its message. */
export function auditResult(status: number, message = ''): AuditResult {
  if (status < 400) return { status: 'OK', message };
  return { status: words.get(status) ?? 'ERROR', message };
}
