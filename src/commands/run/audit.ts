import { type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { isCode } from '../../client/http/apiError.ts';
import { hrefOf } from '../../schema/record/hrefOf.ts';
import { linkOf, type Ref } from '../../schema/record/ref.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { Api } from '../call/api.ts';
import type { Call } from '../call/command.ts';
import { kindOf } from '../call/input.ts';
import { itemOf } from '../call/item.ts';
import { named } from '../call/paths.ts';
import { listOf, showList } from '../call/present.ts';
import { readRecord } from '../call/readRecord.ts';
import { argumentRefs, optionNames, optionRefs } from '../call/refs.ts';
import { timeOf } from '../call/times.ts';

const usualWindow = '7d';

/** `audit [REF]`: events, newest first, of one record or of all of a kind (platform/audit.trail). */
export async function runAudit(call: Call): Promise<Ending> {
  const kind = kindOf(call);
  const window = windowOf(call, Date.now());
  const api = await call.open();
  const [ref] = argumentRefs(call, api);
  // Queries the whole context, not the writes of its record.
  const ofContext = kind === 'auditctx' && ref !== undefined;
  const read = ref === undefined ? undefined : readRecord(api, ref);
  if (ofContext && read !== undefined) await named(api, ref, read);
  const id = await read?.then((record) => stringAt(record, 'id'), unlessGone);
  // For a deleted record only the name is known, which other records may have, too.
  const isGone = ref !== undefined && id === undefined;
  const context = ofContext ? ref.name : optionNames(call, api, 'context')[0];
  const query = new URLSearchParams({
    ...present({ contextName: context }),
    ...(ref === undefined || isGone ? { resourceType: kind } : {}),
    ...window,
    ...(await subjectOf(call, api)),
  });
  const of = ref === undefined || ofContext ? '' : placeOf(ref, id);
  const service = await api.service('audit', '');
  const path = `${service}/audit/org/${encodeURIComponent(api.org)}${of}?${query}`;
  const isOfRef = (event: JsonObject) =>
    ref === undefined || hrefOf(objectAt(objectAt(event, 'resource'), 'data'), 'self') === linkOf(ref, api.org);
  const { items, isCut } = await api.listAudit(path, call.context.options.max, isGone ? isOfRef : undefined);
  if (isGone && read !== undefined && items.length === 0) await named(api, ref, read);
  await showList(call, 'auditevent', { ...listOf('auditEvent', items), isCut });
  return exitCode.ok;
}

/** The trail of a record by its id; of a deleted one by its name (platform/audit.trail). */
function placeOf({ name }: Ref, id: string | undefined): string {
  const [by, value] = id === undefined ? ['name', name] : ['id', id];
  return `/resource/${by}/${encodeURIComponent(value)}`;
}

export function unlessGone(error: unknown): undefined {
  if (!isCode(error, 'api.not-found')) throw error;
}

/**
 * An e-mail address as it is, a link, or the name of a service account (platform/clients.grammar). An unknown name
 * would find nothing, like a subject without events. Errors: `api.not-found`.
 */
async function subjectOf(call: Call, api: Api): Promise<Readonly<Record<string, string>>> {
  const subject = call.given.text('subject');
  if (subject === undefined) return {};
  const [ref] = optionRefs(call, api, 'subject');
  if (ref === undefined) return { subjectName: subject };
  if (!subject.includes('/')) await itemOf(api, ref).read();
  return { subjectName: linkOf(ref, api.org) };
}

function windowOf({ given }: Call, nowMs: number): Readonly<Record<string, string>> {
  const [since, from, to] = [given.text('since'), given.text('from'), given.text('to')];
  if (since !== undefined && (from !== undefined || to !== undefined)) {
    throw new UsageError('--since excludes --from and --to', 'Leave out one of them.');
  }
  if (from === undefined && to === undefined) return { fromEvent: timeAt('--since', since ?? usualWindow, nowMs) };
  const fromEvent = from === undefined ? undefined : timeAt('--from', from, nowMs);
  const toEvent = to === undefined ? undefined : timeAt('--to', to, nowMs);
  if (fromEvent !== undefined && toEvent !== undefined && Date.parse(fromEvent) > Date.parse(toEvent)) {
    throw new UsageError(`--from ${from} is after --to ${to}`, 'Swap them: 7d is earlier than 1h.');
  }
  return present({ fromEvent, toEvent });
}

function timeAt(flag: string, text: string, nowMs: number): string {
  const time = timeOf(text, nowMs);
  if (time !== undefined) return time;
  throw new UsageError(`${flag} ${text} is not a valid time`, 'Give ISO 8601, or how long ago: 7d, 1h, 30m.');
}
