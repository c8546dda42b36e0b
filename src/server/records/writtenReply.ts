import type { JsonObject } from '../../base/json/json.ts';
import type { Validators } from '../../kinds/validation/validators.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { linkOf } from '../../schema/record/ref.ts';
import { type Intent, type Outcome, writeIn } from '../audit/auditedWrite.ts';
import type { Platform } from '../core/platform.ts';
import type { Call, Session } from '../core/session.ts';
import type { ApiReply } from '../http/message.ts';
import { type Row, refOfRow } from '../store/model/row.ts';
import { bootstrapConfig } from './decisions/bootstrapConfig.ts';
import { warningHeader, warningHeaderName } from './decisions/warningHeader.ts';
import { Presenter } from './shown/presenter.ts';

/** A write of a record, with the validators of its kind. */
export interface Writing extends Session {
  readonly validators: Validators;
  /** The warnings of lenient mode, for a header of the reply. */
  readonly warnings: Problem[];
}

export async function writeRecordIn(
  call: Call,
  intent: Intent & { readonly kind: Kind },
  work: (writing: Writing) => Outcome,
): Promise<ApiReply> {
  const validators = await call.platform.validatorsOf(intent.kind);
  return writeIn(call, intent, (session) => work({ ...session, validators, warnings: [] }));
}

/**
 * The reply to a write: the record, with `Location` if it is new (platform/wire.operations), and the warnings of
 * lenient mode.
 */
export function writtenReply(
  { platform, tx, warnings = [] }: Session & Partial<Pick<Writing, 'warnings'>>,
  row: Row,
  status: 200 | 201,
): Outcome {
  const presenter = new Presenter(platform, tx);
  const said = warningHeader(warnings);
  const warned = said === undefined ? {} : { [warningHeaderName]: said };
  if (status === 200) return { reply: { status, body: presenter.text(row), headers: warned }, row, action: 'edit' };
  const headers = { ...warned, location: linkOf(refOfRow(row), platform.org) };
  const body = row.kind === 'agent' ? presenter.textWith(row, bootstrap(platform, row)) : presenter.text(row);
  return { reply: { status, body, headers }, row, action: 'create' };
}

/** The registration data of an agent: shown only in the answer to its creation (platform/agent). */
function bootstrap(platform: Platform, row: Row): JsonObject {
  const link = linkOf(refOfRow(row), platform.org);
  return { status: { bootstrapConfig: bootstrapConfig({ id: row.uid, link }, platform.randomText(40)) } };
}
