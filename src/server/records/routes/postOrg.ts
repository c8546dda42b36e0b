import { isArray, isObject, type JsonObject, type JsonValue, own, stringAt } from '../../../base/json/json.ts';
import { linkOf } from '../../../schema/record/ref.ts';
import { recordRefusal } from '../../audit/auditedWrite.ts';
import { recordAudit } from '../../audit/auditTrail.ts';
import { type Caller, isBootstrapUser } from '../../core/caller.ts';
import { existingRow } from '../../core/findRow.ts';
import type { Call, Session } from '../../core/session.ts';
import { ApiFailure, invalid } from '../../http/apiFailure.ts';
import { bootstrapUser } from '../../http/limits.ts';
import type { ApiReply } from '../../http/message.ts';
import { parseObject } from '../../http/readBody.ts';
import { emailsIn, invitation } from '../../tasks/decisions/task.ts';
import { createTask } from '../../tasks/taskState.ts';
import { withoutNulls, writtenRecord } from '../decisions/writtenRecord.ts';
import { shownReply } from '../shown/shownReply.ts';

/** The identity of a caller in another org: the bootstrap user exists in each, every other caller only in one. */
export function callerIn(org: string, caller: Caller): Caller | undefined {
  if (caller.unrestricted || caller.link.startsWith(`/org/${org}/`)) return caller;
  return isBootstrapUser(caller) ? { ...caller, link: `/org/${org}/user/${bootstrapUser}` } : undefined;
}

/** Body: `{name, description}`. Answers 409 if an org of that name exists. */
export async function postOrg(call: Call): Promise<ApiReply> {
  return create(call, parseObject(call.request.bodyText), []);
}

/**
 * Body: `{org: {name, description}, invitees}`, as clients send it to the billing service (platform/wire.discovery).
 */
export async function postOrgInAccount(call: Call): Promise<ApiReply> {
  const body = parseObject(call.request.bodyText);
  const org = own(body, 'org');
  if (!isObject(org)) throw new ApiFailure(400, 'org: must be an object');
  return create(call, org, invitees(own(body, 'invitees')));
}

/** E-mail addresses; may be empty. */
function invitees(given: JsonValue | undefined): readonly string[] {
  if (given === undefined || given === null || (isArray(given) && given.length === 0)) return [];
  const emails = emailsIn({ emails: given });
  if (typeof emails === 'string') throw new ApiFailure(400, emails.replace(/^emails/, 'invitees'));
  return emails;
}

/** A new org has no records yet, so every secret that it refers to is missing. */
const empty = { get: () => undefined, list: () => [] };

async function create(call: Call, body: JsonObject, invited: readonly string[]): Promise<ApiReply> {
  const name = stringAt(body, 'name') ?? '';
  try {
    return await found(call, name, body, invited);
  } catch (error) {
    const intent = { action: 'create', kind: 'org', ref: { kind: 'org', name } } as const;
    if (error instanceof ApiFailure) await recordRefusal(call, intent, error);
    throw error;
  }
}

async function found(call: Call, name: string, body: JsonObject, invited: readonly string[]): Promise<ApiReply> {
  const { platform, request, caller } = call;
  const { service } = platform;
  const validators = await platform.validatorsOf('org');
  const sent = withoutNulls('org', { spec: {}, ...body });
  const written = writtenRecord(sent, undefined, { kind: 'org', context: { org: name }, validators, related: empty });
  if (!written.ok) throw invalid(written.problems);

  const isNew = await service.createOrg({ ...written.record, name }, (tx, row) => {
    const session = { platform: { ...platform, org: name }, tx, caller: callerIn(name, caller) ?? caller };
    recordAudit(session, request, { action: 'create', kind: 'org', row });
    for (const email of invited) invite(session, request, email);
  });
  const made = await service.of(name);
  if (!isNew || made === undefined) throw new ApiFailure('already_exists', `the org ${name} already exists`);
  const shown = await made.store.read((tx) =>
    shownReply({ platform: made, tx }, existingRow(tx, { kind: 'org', name })),
  );
  return { ...shown, status: 201, headers: { location: `/org/${name}` } };
}

/** People invited with the creation of an org join its superusers, as its creator does. */
function invite(session: Session, request: Call['request'], email: string): void {
  const { org } = session.platform;
  const groupLink = linkOf({ kind: 'group', name: 'superusers' }, org);
  for (const { action, row } of createTask(
    session,
    invitation(email, { org, creatorLink: session.caller.link, groupLink }),
  )) {
    recordAudit(session, request, { action, kind: row.kind, row });
  }
}
