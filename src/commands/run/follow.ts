import { systemClock } from '../../apply/port.ts';
import { type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { listenForInterrupt } from '../../terminal/interrupt.ts';
import type { Api } from '../call/api.ts';
import type { Call } from '../call/command.ts';
import { nextCall } from '../call/nextCall.ts';
import { listOf, showList } from '../call/present.ts';

/** A command to send to a record (platform/commands). */
export interface Order {
  readonly type: string;
  readonly spec: JsonObject;
}

const intervalMs = 1_000;
const ended: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/**
 * Sends commands to a record; with `--wait` each is followed to its end. A refused command ends the sequence; those
 * before it are shown. Errors: `api.command` if one fails, `api.several` if only some were accepted.
 */
export async function give(call: Call, api: Api, path: string, orders: readonly Order[]): Promise<Ending> {
  const records: JsonObject[] = [];
  let refusal: unknown;
  for (const { type, spec } of orders) {
    try {
      records.push(await api.create(`${path}/-command`, { type, spec }));
    } catch (error) {
      refusal = error;
      break;
    }
  }
  if (records.length === 0 && refusal !== undefined) throw refusal;
  const last = call.given.flag('wait') ? await followed(call, api, path, records) : records;
  await showList(call, 'command', listOf('command', last));
  if (refusal !== undefined) throw onlySome(refusal, records.length, orders.length);
  const failed = last.filter((record) => ['failed', 'cancelled'].includes(stageOf(record)));
  if (failed.length === 0) return exitCode.ok;
  throw new ToolError({
    code: 'api.command',
    message: failed.map(failureText).join('\n'),
    hint: lookAt(call, path),
  });
}

/** The code of the refusal itself may say that nothing was written. */
function onlySome(refusal: unknown, accepted: number, all: number): unknown {
  if (!(refusal instanceof ToolError) || refusal.code === 'cli.interrupted') return refusal;
  const { code, message, hint } = refusal;
  return new ToolError({
    code: 'api.several',
    message: `${accepted} of ${all} commands were accepted, and then: ${code}: ${message}`,
    ...present({ hint }),
    causes: [refusal],
    cause: refusal,
  });
}

function failureText(record: JsonObject): string {
  const said = stringAt(objectAt(record, 'status'), 'message');
  return `${stringAt(record, 'type') ?? 'the command'} ${stageOf(record)}${said === undefined ? '' : `: ${said}`}`;
}

function stageOf(record: JsonObject): string {
  return stringAt(record, 'lifecycleStage') ?? '';
}

/** Polls until all have ended; Ctrl-C ends the wait, not the commands. Errors: `cli.interrupted`, `api.not-ended`. */
async function followed(
  call: Call,
  api: Api,
  path: string,
  started: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const { terminal, now } = call.context;
  const interrupt = listenForInterrupt(() => api.stopRetrying());
  const interrupted = () => notFollowed('cli.interrupted', 'interrupted', lookAt(call, path));
  const endMs = now() + (call.given.count('waitTimeout') ?? Number.POSITIVE_INFINITY);
  let records = started;
  let shown = '';
  try {
    for (;;) {
      const open = records.filter((record) => !ended.has(stageOf(record)));
      shown = showProgress(call, records, shown);
      if (open.length === 0) return records;
      if (interrupt.signal.aborted) throw interrupted();
      if (now() >= endMs) throw notFollowed('api.not-ended', 'the time of --wait-timeout is over', lookAt(call, path));
      await systemClock.sleep(intervalMs, interrupt.signal);
      records = await Promise.all(
        records.map((record) =>
          ended.has(stageOf(record)) ? record : api.get(`${path}/-command/${stringAt(record, 'id') ?? ''}`),
        ),
      ).catch((error: unknown) => {
        throw interrupt.signal.aborted ? interrupted() : error;
      });
    }
  } finally {
    if (terminal.live && shown !== '') terminal.draw('\r\u001b[K');
    interrupt.release();
  }
}

const barWidth = 20;

/** Shows a bar on a terminal, otherwise a line for each new stage. */
function showProgress({ context: { terminal } }: Call, records: readonly JsonObject[], before: string): string {
  const done = records.filter((record) => ended.has(stageOf(record))).length;
  const stages = records.map((record) => stringAt(objectAt(record, 'status'), 'stage') ?? stageOf(record));
  const text = `${done}/${records.length} ${[...new Set(stages)].join(', ')}`;
  if (text === before) return before;
  if (terminal.live) {
    const filled = Math.round((done / Math.max(1, records.length)) * barWidth);
    terminal.draw(`\r\u001b[K[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${text}`);
  } else terminal.message(text);
  return text;
}

function lookAt(call: Call, path: string): string {
  return `Look at it: ${nextCall(call, `rest get ${path}/-command`)}`;
}

function notFollowed(code: string, why: string, hint: string): ToolError {
  return new ToolError({
    code,
    message: `${why} before the command had ended; it goes on`,
    hint,
  });
}
