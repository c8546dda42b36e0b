import { type JsonObject, objectAt, stringAt } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import type { Problem } from '../../../schema/record/problem.ts';
import { isAuditAction, pointInTime } from './auditEvent.ts';

/** A query of the audit trail (platform/audit.trail). Times are in milliseconds since 1970, and inclusive. */
export interface AuditQuery {
  readonly context: string;
  readonly resourceType?: string;
  readonly fromMs?: number;
  readonly toMs?: number;
  /** A principal link, an e-mail address or a name. */
  readonly subject?: string;
  readonly actionType?: string;
  readonly location?: string;
  readonly gvcAlias?: string;
  readonly podId?: string;
}

export type AuditQueryRead =
  | { readonly ok: true; readonly query: AuditQuery }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The platform's audit context (platform/audit.trail). */
export const platformContext = 'scheme';

/** Longer values match nothing, and would be repeated in the address of each page. */
const longestValue = 512;

/** Parameters that are compared with texts of the event. */
const texts = ['resourceType', 'subjectName', 'location', 'gvcAlias', 'podId', 'actionType', 'contextName'] as const;

/** Reads the parameters of a request. Unknown ones are ignored; each invalid value is a problem. */
export function readAuditQuery(parameters: URLSearchParams, org: string, nowMs: number): AuditQueryRead {
  const problems: Problem[] = [];
  function refuse(name: string, message: string): undefined {
    problems.push({ rule: 'audit.query', path: name, pointer: [name], message, severity: 'error' });
    return undefined;
  }
  const values = new Map<string, string>();
  for (const name of texts) {
    const text = parameters.get(name);
    if (text === null) continue;
    if (text === '') refuse(name, 'must not be empty');
    else if (text.length > longestValue) refuse(name, `must have at most ${longestValue} characters`);
    else if (text.includes('\0')) refuse(name, 'must not contain NUL');
    else values.set(name, text);
  }
  function time(name: 'fromEvent' | 'toEvent'): number | undefined {
    const text = parameters.get(name);
    if (text === null) return undefined;
    const at = pointInTime(text, nowMs);
    return at ?? refuse(name, 'must be a time in ISO 8601, or how long ago: 7d, 1h, 30m');
  }
  const fromMs = time('fromEvent');
  const toMs = time('toEvent');
  const actionType = values.get('actionType');
  if (actionType !== undefined && !isAuditAction(actionType)) {
    refuse('actionType', 'must be create, edit, delete or exec');
  }
  if (problems.length > 0) return { ok: false, problems };

  const subject = values.get('subjectName');
  return {
    ok: true,
    query: {
      context: values.get('contextName') ?? platformContext,
      ...present({
        resourceType: values.get('resourceType'),
        ...{ fromMs, toMs, actionType },
        subject: subject === undefined ? undefined : fullSubject(subject, org),
        location: values.get('location'),
        gvcAlias: values.get('gvcAlias'),
        podId: values.get('podId'),
      }),
    },
  };
}

/** Expands a short link, which refers to this org (platform/concepts.links); other text is unchanged. */
function fullSubject(text: string, org: string): string {
  return text.startsWith('//') ? `/org/${org}/${text.slice(2)}` : text;
}

/** Whether an event matches the query, without the context and times that the store has checked. */
export function matchesAuditQuery(event: JsonObject, query: AuditQuery): boolean {
  const { subject, actionType, resourceType } = query;
  const context = objectAt(event, 'context');
  return (
    (resourceType === undefined || stringAt(objectAt(event, 'resource'), 'type') === resourceType) &&
    (actionType === undefined || stringAt(objectAt(event, 'action'), 'type') === actionType) &&
    (subject === undefined || isSubject(objectAt(event, 'subject'), subject)) &&
    (['location', 'gvcAlias', 'podId'] as const).every((name) => {
      const wanted = query[name];
      return wanted === undefined || stringAt(context, name) === wanted;
    })
  );
}

/** Whether it is the wanted subject. E-mail addresses are compared ignoring case (platform/group.members). */
function isSubject(subject: JsonObject, wanted: string): boolean {
  if (stringAt(objectAt(subject, 'data'), 'principalLink') === wanted) return true;
  const lower = wanted.toLowerCase();
  return ['email', 'name'].some((name) => stringAt(subject, name)?.toLowerCase() === lower);
}
