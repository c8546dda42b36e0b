import { stringAt } from '../../../schema/json/json.ts';
import type { Ending } from '../../answer/ending.ts';
import { UsageError } from '../../line/usageError.ts';
import { exitCode } from '../../process/exitCode.ts';
import type { Call } from '../call/command.ts';
import { kindOf } from '../call/input.ts';
import { timeOf } from '../grammar/times.ts';
import { listOf, showList } from '../output/present.ts';
import type { Api } from '../wire/api.ts';
import { itemOf, named } from '../wire/paths.ts';

const usualWindow = '7d';

/** `audit [REF]`: who did what, newest first; of one record, or of all of a kind (platform/audit.trail). */
export async function runAudit(call: Call): Promise<Ending> {
  const kind = kindOf(call);
  const window = windowOf(call, Date.now());
  const api = await call.open();
  const [ref] = call.args;
  // The context is asked about as a whole, not by the writes of its record.
  const ofContext = kind === 'auditctx' && ref !== undefined;
  const record = ref === undefined ? undefined : await named(api, kind, ref, api.get(itemOf(api, kind, ref)));
  const id = record === undefined || ofContext ? undefined : stringAt(record, 'id');
  const context = ofContext ? stringAt(record ?? {}, 'name') : call.given.text('context');
  const query = new URLSearchParams({
    ...(context === undefined ? {} : { contextName: context }),
    ...(ref === undefined ? { resourceType: kind } : {}),
    ...window,
    ...subjectOf(call, api),
  });
  const of = id === undefined ? '' : `/resource/id/${encodeURIComponent(id)}`;
  const service = await api.service('audit');
  const path = `${service}/audit/org/${encodeURIComponent(api.org)}${of}?${query}`;
  const { items, isCut } = await api.listAudit(path, call.context.options.max);
  await showList(call, 'auditevent', { ...listOf('auditEvent', items), isCut });
  return exitCode.ok;
}

/** With `@` or a leading `/` as it is; else the name of a service account (platform/clients.grammar). */
function subjectOf({ given }: Call, { org }: Api): Readonly<Record<string, string>> {
  const subject = given.text('subject');
  if (subject === undefined) return {};
  const isWhole = subject.includes('@') || subject.startsWith('/');
  return { subjectName: isWhole ? subject : `/org/${org}/serviceaccount/${subject}` };
}

function windowOf({ given }: Call, nowMs: number): Readonly<Record<string, string>> {
  const [since, from, to] = [given.text('since'), given.text('from'), given.text('to')];
  if (since !== undefined && (from !== undefined || to !== undefined)) {
    throw new UsageError('--since excludes --from and --to', 'Leave out one of them.');
  }
  if (from === undefined && to === undefined) return { fromEvent: timeAt('--since', since ?? usualWindow, nowMs) };
  return {
    ...(from === undefined ? {} : { fromEvent: timeAt('--from', from, nowMs) }),
    ...(to === undefined ? {} : { toEvent: timeAt('--to', to, nowMs) }),
  };
}

function timeAt(flag: string, text: string, nowMs: number): string {
  const time = timeOf(text, nowMs);
  if (time !== undefined) return time;
  throw new UsageError(`${flag} ${text} is not a valid time`, 'Give ISO 8601, or how long ago: 7d, 1h, 30m.');
}
