import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import type { Validators } from '../../kinds/validators.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { linkOf } from '../../schema/record/ref.ts';
import { type Intent, type Outcome, writeIn } from '../audit/auditedWrite.ts';
import type { Platform } from '../core/platform.ts';
import type { Call, Session } from '../core/session.ts';
import type { ApiReply } from '../http/message.ts';
import { type Row, refOfRow } from '../store/model/row.ts';
import { bootstrapConfig } from './decisions/shownRecord.ts';
import { Presenter } from './shown/presenter.ts';

/** A write of a record, with the validators of its kind. */
export interface WriteSession extends Session {
  readonly validators: Validators;
  /** The warnings of lenient mode, for a header of the reply. */
  readonly warnings: Problem[];
}

export async function writeRecordIn(
  call: Call,
  intent: Intent & { readonly kind: Kind },
  work: (writing: WriteSession) => Outcome,
): Promise<ApiReply> {
  const validators = await call.platform.validatorsOf(intent.kind);
  return writeIn(call, intent, (session) => work({ ...session, validators, warnings: [] }));
}

/** The reply to a write: the record, with `Location` if it is new (platform/wire.operations), and lenient warnings. */
export function writtenReply(
  { platform, tx, warnings = [] }: Session & Partial<Pick<WriteSession, 'warnings'>>,
  row: Row,
  status: 200 | 201,
): Outcome {
  const presenter = new Presenter(platform, tx);
  const warningValue = warningHeader(warnings);
  const warningHeaders = present({ [warningHeaderName]: warningValue });
  if (status === 200)
    return { reply: { status, body: presenter.text(row), headers: warningHeaders }, row, action: 'edit' };
  const headers = { ...warningHeaders, location: linkOf(refOfRow(row), platform.org) };
  const body = row.kind === 'agent' ? presenter.textWith(row, bootstrap(platform, row)) : presenter.text(row);
  return { reply: { status, body, headers }, row, action: 'create' };
}

/** The registration data of an agent, shown only in the response to its creation (platform/agent). */
function bootstrap(platform: Platform, row: Row): JsonObject {
  const link = linkOf(refOfRow(row), platform.org);
  return { status: { bootstrapConfig: bootstrapConfig({ id: row.uid, link }, platform.randomText(40)) } };
}

/** The header with the warnings about an accepted write (platform/errors.warnings). */
const warningHeaderName = 'x-scheme-warning';

/** Clients and proxies accept about 8 KiB of headers, so further warnings are only counted. */
const mostBytes = 6_000;
const longestText = 300;

/**
 * The warnings of rules as a header value: an ASCII list in the form of RFC 8941. An item is the id of the rule with
 * two parameters, `W19;path="spec.defaultOptions.autoscaling.target";message="…"`; items are joined by `, `. In texts
 * `\"` and `\\` represent `"` and `\`; `%` and all characters except printable ASCII are percent-encoded UTF-8. If not
 * all fit, the last item is `more;count=N`. Undefined if there are no warnings.
 */
export function warningHeader(warnings: readonly Problem[]): string | undefined {
  if (warnings.length === 0) return undefined;
  const entries: string[] = [];
  let bytes = 0;
  for (const { rule, path, message } of warnings) {
    const entry = `${rule};path=${quoted(path)};message=${quoted(message)}`;
    bytes += entry.length + 2;
    if (bytes > mostBytes) {
      entries.push(`more;count=${warnings.length - entries.length}`);
      break;
    }
    entries.push(entry);
  }
  return entries.join(', ');
}

function quoted(text: string): string {
  const clipped = text.length <= longestText ? text : `${text.slice(0, longestText)}...`;
  // Clipping may leave half a surrogate pair, which has no UTF-8 form.
  const encoded = clipped.toWellFormed().replaceAll(/[^\x20-\x7e]|%/gu, encodeURIComponent);
  return `"${encoded.replaceAll(/["\\]/g, '\\$&')}"`;
}
