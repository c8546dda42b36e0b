import { systemClock } from '../../apply/port.ts';
import { compact } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import { seconds } from '../../base/text/duration.ts';
import { firstLines } from '../../base/text/firstOf.ts';
import { ToolError } from '../../base/toolError.ts';
import { statusToJson, summariseStatus } from '../../change/documents/statusDocument.ts';
import {
  absent,
  type DnsRecord,
  type ResourceStatus,
  resourceStates,
  type StackStatus,
  stateOf,
  type VolumeUse,
} from '../../change/status.ts';
import { stateWords } from '../../change/words.ts';
import type { OwnedStack } from '../../gantry/loading/namedStack.ts';
import { openNamed } from '../../gantry/loading/openStacks.ts';
import { statusOf } from '../../gantry/read.ts';
import { watchStatus } from '../../gantry/watchStatus.ts';
import type { Platform } from '../../project/platform/platform.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { cutMiddle, wrapPieces } from '../../terminal/fit.ts';
import { listenForInterrupt } from '../../terminal/interrupt.ts';
import type { AllOption, GlobalOptions } from '../../terminal/options.ts';
import { makePalette, type Palette } from '../../terminal/palette.ts';
import { cutLine, printable } from '../../terminal/printable.ts';
import { show } from '../../terminal/show.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { cutText, padText, textWidth, wrapText } from '../../terminal/textWidth.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { eachStack } from '../steps/eachStack.ts';

export interface StatusOptions extends GlobalOptions, AllOption {
  readonly watch: boolean;
  /** How long to watch, in milliseconds; undefined: without limit. */
  readonly waitTimeout?: number;
}

type StatusContext = CommandContext<StatusOptions>;

/** Shows the present state of a stack, regardless of its code. Writes nothing. */
export async function runStatus(context: StatusContext, paths: readonly string[]): Promise<Ending> {
  const { options } = context;
  if (options.waitTimeout !== undefined && !options.watch) {
    throw new UsageError('--wait-timeout has no effect without --watch', 'Add --watch, or leave out --wait-timeout.');
  }
  await using opened = await openNamed(context, paths, { values: 'unread', all: options.all }); // no value is needed
  const { stacks, platform } = opened;
  return await eachStack(
    stacks,
    context,
    { count: stacks.length, stop: options.watch, isPaged: !options.watch },
    (stack, each) => showStatus(stack, platform, each),
  );
}

async function showStatus(stack: OwnedStack, platform: Platform, context: StatusContext): Promise<Ending> {
  const { options, terminal } = context;
  const { status, interrupted } = options.watch
    ? await watch(platform, stack, context)
    : { status: await statusOf(context, platform, stack), interrupted: false };
  const style = { palette: terminal.palette, columns: terminal.resultColumns() };
  await show(context, {
    text: () => renderStatus(status, style),
    document: () => statusToJson(status),
    goesOn: options.watch,
  });
  if (options.watch && !interrupted && stateOf(status) === 'not-ready') terminal.message(timedOut);
  return interrupted ? notWatched() : endingOf(status);
}

const timedOut = 'Stopped watching after --wait-timeout: something is not ready yet.';

function notWatched(): ToolError {
  return new ToolError({
    code: 'cli.interrupted',
    message: 'interrupted before everything was ready or failed',
    hint: 'This is the last status that was read. Run the same command again to continue watching.',
  });
}

function endingOf(status: StackStatus): Ending {
  const state = stateOf(status);
  if (state !== 'failed') return state === 'ready' ? exitCode.ok : exitCode.changes;
  const failed = status.resources.filter((each) => each.state === 'failed');
  return new ToolError({
    code: 'status.failed',
    message: failed.length === 0 ? 'nothing belongs to this stack' : `failed: ${failed.map(({ id }) => id).join(', ')}`,
    hint:
      failed.length === 0
        ? 'Check --stack, and the org.'
        : 'The reasons are listed with each resource. gantry apply creates what is absent.',
    causes: failed.map(({ id, health, reasons }) => ({
      code: 'status.failed',
      message: reasons.join('; ') || health,
      resource: id,
    })),
  });
}

interface Watched {
  readonly status: StackStatus;
  readonly interrupted: boolean;
}

async function watch(platform: Platform, stack: OwnedStack, context: StatusContext): Promise<Watched> {
  const { terminal, now, options } = context;
  const display = openWatchDisplay(terminal, now);
  const interrupt = listenForInterrupt(() => platform.client.stopRetrying());
  try {
    const status = await watchStatus({
      read: () => statusOf(context, platform, stack),
      show: display.show,
      clock: systemClock,
      signal: interrupt.signal,
      timeoutMs: options.waitTimeout,
    });
    return { status, interrupted: interrupt.signal.aborted };
  } finally {
    display.close();
    interrupt.release();
  }
}

interface WatchDisplay {
  show(status: StackStatus): void;
  close(): void;
}

/**
 * Shows a status that is polled, on standard error: on a terminal the resources that are not ready, redrawn each time;
 * elsewhere a line for each of them, and for each change.
 */
export function openWatchDisplay(terminal: Terminal, now: () => number): WatchDisplay {
  return terminal.live ? openRedrawnDisplay(terminal, now) : openLineDisplay(terminal, now);
}

/** Text cut to the screen's width has no colours. */
const plain = makePalette(false);

function openRedrawnDisplay(terminal: Terminal, now: () => number): WatchDisplay {
  const startedMs = now();
  let drawnLines = 0;
  const erase = () => (drawnLines === 0 ? '' : `\u001b[${drawnLines}A\u001b[0J`);
  return {
    show(status) {
      const { columns, rows } = terminal.size();
      const notReady = status.resources.filter(({ state }) => state !== 'ready');
      const shown = notReady.slice(0, Math.max(1, rows - 4));
      const hidden = notReady.length - shown.length;
      const lines = compact([
        ...shown.map((resource) => `  ${cutText(lineOf(resource, Math.floor(columns / 2)), columns - 3)}`),
        hidden === 0 ? undefined : `  and ${hidden} more`,
        cutText(`${seconds(now() - startedMs)}: ${renderCount(status, plain)}`, columns - 1),
      ]);
      terminal.draw(`${erase()}${lines.join('\n')}\n`);
      drawnLines = lines.length;
    },
    close() {
      terminal.draw(erase());
      drawnLines = 0;
    },
  };
}

function openLineDisplay(terminal: Terminal, now: () => number): WatchDisplay {
  const startedMs = now();
  const printed = new Map<string, string>();
  return {
    show({ resources }) {
      for (const resource of resources) {
        const line = lineOf(resource);
        const before = printed.get(resource.id);
        printed.set(resource.id, line);
        if (line === before || (before === undefined && resource.state === 'ready')) continue;
        terminal.message(`  ${line} ${terminal.messagePalette.faint(`after ${seconds(now() - startedMs)}`)}`);
      }
    },
    close() {},
  };
}

function lineOf(
  { id, state, health, reasons: [first] }: ResourceStatus,
  longestName = Number.POSITIVE_INFINITY,
): string {
  const why = first === undefined ? '' : `: ${printable(first)}`;
  return `${stateWords[state].sign} ${cutMiddle(printable(id), longestName)} ${printable(health)}${why}`;
}

interface StatusStyle {
  readonly palette: Palette;
  readonly columns: number;
}

/** Further addresses or records of a resource are only counted: `-o json` has all. */
const maxListed = 3;
const minNameWidth = 24;
const longestName = 40;
/** With fewer columns left beside the name, facts are shown below it. */
const roomForFacts = 24;
const indent = '      ';

const absentNote = 'Absent: declared, but not on the platform. gantry apply creates it.';

/** The status as text. Resources that need attention come last, next to the counts. */
export function renderStatus(status: StackStatus, style: StatusStyle): string {
  const { stack, org, resources, declarationsKnown, unlisted } = status;
  const { palette } = style;
  const widest = Math.min(longestName, Math.max(minNameWidth, Math.floor(style.columns * 0.4)));
  const names = resources.map(({ id }) => textWidth(printable(id))).filter((width) => width <= widest);
  const width = Math.max(0, ...names);
  const sorted = resourceStates.flatMap((state) => resources.filter((each) => each.state === state));
  const notes = compact([
    resources.some(({ health }) => health === absent) ? absentNote : undefined,
    declarationsKnown ? undefined : 'No manifests were read: what is declared and absent is not known.',
    unlisted === undefined ? undefined : `Not all may be shown: ${printable(unlisted)}.`,
  ]);
  const blocks: readonly (readonly string[])[] = compact([
    [`${palette.strong('Stack')} ${printable(stack)} ${palette.faint(`in org ${printable(org)}`)}`],
    sorted.length === 0 ? undefined : sorted.flatMap((resource) => renderResource(resource, width, style)),
    ...notes.map((note) => wrapText(note, style.columns).map(palette.faint)),
    wrapText(renderCount(status, palette), style.columns),
  ]);
  return blocks.map((lines) => lines.map(cutLine).join('\n')).join('\n\n');
}

/** `4 resources: 3 ready, 1 failed. Requests: 17.` */
function renderCount({ resources, requests }: StackStatus, palette: Palette): string {
  const sent = `Requests: ${requests}.`;
  if (resources.length === 0) return `${palette.strong('Nothing belongs to this stack.')} ${sent}`;
  const counts = summariseStatus(resources);
  const parts = resourceStates
    .filter((state) => counts[state] > 0)
    .map((state) => palette[stateWords[state].tone](`${counts[state]} ${stateWords[state].counted}`));
  const all = counted(resources.length, 'resource');
  return `${palette.strong(`${all}:`)} ${parts.join(', ')}. ${sent}`;
}

/**
 * One line for a resource if its facts fit; further notes are below it, and so are the facts if the name is long or the
 * screen narrow.
 */
function renderResource(resource: ResourceStatus, width: number, { palette, columns }: StatusStyle): readonly string[] {
  const { sign, tone } = stateWords[resource.state];
  const name = printable(resource.id);
  const marginBeside = ' '.repeat(4 + width + 2);
  const isBeside = textWidth(name) <= width && columns - marginBeside.length >= roomForFacts;
  const margin = isBeside ? marginBeside : indent;
  const facts = factsOf(resource).map(printable);
  const pieces = facts.map((fact, index) => (index < facts.length - 1 ? `${fact},` : fact));
  const [first = '', ...more] = wrapPieces(pieces, columns - margin.length);
  const head = `  ${palette[tone](sign)} `;
  return [
    ...(isBeside
      ? [`${head}${palette.strong(padText(name, width))}  ${first}`]
      : [`${head}${palette.strong(name)}`, `${margin}${first}`]),
    ...more.map((line) => `${margin}${line}`),
    ...linesOf(resource).flatMap((line) => wrapText(line, columns, indent)),
  ];
}

function factsOf(resource: ResourceStatus): readonly string[] {
  const { health, locations, replicas, version, processedVersion, volumes, declared, certificates } = resource;
  const isOutdated = processedVersion !== undefined && version !== undefined && processedVersion < version;
  const readyCertificates = certificates?.filter(({ status }) => status === 'ready').length ?? 0;
  return compact([
    health,
    locations === undefined ? undefined : `${locations.ready} of ${locations.total} locations`,
    replicas === undefined || replicas.total === 0 ? undefined : `${replicas.ready} of ${replicas.total} replicas`,
    volumes === undefined ? undefined : useText(volumes),
    readyCertificates === 0 ? undefined : counted(readyCertificates, 'certificate'),
    version === undefined ? undefined : `version ${version}${isOutdated ? ` (processed: ${processedVersion})` : ''}`,
    declared === false ? 'not declared' : undefined,
  ]);
}

function linesOf({ health, endpoints = [], reasons, dnsRecords = [] }: ResourceStatus): readonly string[] {
  if (health === absent) return []; // reported once for all
  return [
    ...firstLines(endpoints.map(printable), maxListed),
    ...reasons.map(printable),
    ...firstLines(dnsRecords.map(dnsText), maxListed),
  ];
}

function dnsText({ type, host, value }: DnsRecord): string {
  return printable(`make the DNS record ${type} ${host} ${value}`);
}

function useText({ count, capacityGb, usedGb }: VolumeUse): string {
  if (count === 0) return 'no volumes';
  return `${gigabytes(usedGb)} of ${gigabytes(capacityGb)} GB used in ${counted(count, 'volume')}`;
}

/** `0.5`, `12`: one decimal below ten. */
function gigabytes(gb: number): string {
  return String(gb < 10 ? Math.round(gb * 10) / 10 : Math.round(gb));
}
