import { ApiFailure } from '../http/apiFailure.ts';
import type { ApiReply } from '../http/message.ts';
import type { AuditAction } from '../rules/audit/auditEvent.ts';
import { callRef } from './callRef.ts';
import type { Route } from './route.ts';
import { type Call, type Intent, recordRefusal } from './session.ts';

/**
 * Answers a request; where it is a write that is refused before its transaction began, such as one whose body is no JSON,
 * the audit event is written here (protocol 7.1: one for each refused write).
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
function intentOf({ id, kind, method, permission }: Route, call: Call): Intent | undefined {
  const { query } = call.request;
  if (kind === undefined || method === 'GET' || permission === 'view') return undefined;
  if (method === 'PUT' && query.get('dryRun') === 'true') return undefined;
  const action = actionOf(method, id);
  return call.params['name'] === undefined ? { action, kind } : { action, kind, ref: callRef(call, kind) };
}

function actionOf(method: Route['method'], id: string): AuditAction {
  if (method === 'DELETE') return 'delete';
  if (method === 'PATCH' || method === 'PUT') return 'edit';
  return id.endsWith('.create') || id.endsWith('.createInAccount') ? 'create' : 'exec';
}
