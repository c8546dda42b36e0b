import type { Kind } from '../../schema/record/kinds.ts';
import { type Intent, recordRefusal } from '../audit/auditedWrite.ts';
import type { AuditAction } from '../audit/decisions/auditEvent.ts';
import type { Call } from '../core/session.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import type { ApiReply } from '../http/message.ts';
import { callRef } from './callRef.ts';
import type { Near } from './matchRoute.ts';
import type { Route } from './route.ts';

/**
 * Answers a request. The audit event of a write that is refused before its transaction starts, for example because its
 * body is not JSON, is written here (platform/audit.trail: one for each refused write).
 */
export async function auditingRefusals(
  route: Route,
  call: Call,
  answer: () => ApiReply | Promise<ApiReply>,
): Promise<ApiReply> {
  try {
    return await answer();
  } catch (error) {
    const intent = intentOf(route, call);
    if (error instanceof ApiFailure && intent !== undefined) await recordRefusal(call, intent, error);
    throw error;
  }
}

/** Undefined: a read, or a rehearsal. */
function intentOf({ id, kind, method, permission }: Route, { request, params }: Call): Intent | undefined {
  if (kind === undefined || method === 'GET' || permission === 'view') return undefined;
  if (request.query.get('dryRun') === 'true') return undefined;
  return { action: actionOf(method, id), kind, ...refOf(kind, params) };
}

function actionOf(method: Route['method'], id: string): AuditAction {
  if (method === 'DELETE') return 'delete';
  if (method === 'PATCH' || method === 'PUT') return 'edit';
  return id.endsWith('.create') || id.endsWith('.createInAccount') ? 'create' : 'exec';
}

function refOf(kind: Kind, params: Call['params']): Pick<Intent, 'ref'> {
  const ref = callRef({ params }, kind);
  return ref.name === '' ? {} : { ref };
}

const writes: ReadonlyMap<string, AuditAction> = new Map([
  ['POST', 'create'],
  ['PUT', 'edit'],
  ['PATCH', 'edit'],
  ['DELETE', 'delete'],
]);

/** The intent of a write of a record that no route takes, such as the deletion of an audit context (405). */
export function intentOfMethod(method: string, { route, params }: Near): Intent | undefined {
  const { kind, path } = route;
  const action = writes.get(method);
  if (action === undefined || kind === undefined || !path.startsWith('/org') || path.includes('/-')) return undefined;
  return { action, kind, ...refOf(kind, params) };
}
