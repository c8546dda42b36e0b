import { stripVTControlCharacters } from 'node:util';
import type { ApplyEvent, Unfinished } from '../../apply/events.ts';
import { compact } from '../../base/json/present.ts';
import { seconds } from '../../base/text/duration.ts';
import { actionWords, endWords } from '../../change/words.ts';
import type { Action } from '../../plan/model/change.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { Platform } from '../../project/platform/platform.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { CommandContext } from '../../terminal/context.ts';
import { cutMiddle } from '../../terminal/fit.ts';
import { listenForInterrupt } from '../../terminal/interrupt.ts';
import { LineLimit } from '../../terminal/lineLimit.ts';
import { retryText } from '../../terminal/notices.ts';
import type { Palette } from '../../terminal/palette.ts';
import { printable, printableLines } from '../../terminal/printable.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { cutText, rowsOf, textWidth } from '../../terminal/textWidth.ts';

export interface ProgressDisplay {
  onEvent(event: ApplyEvent): void;
  /** Prints a lasting line of the caller. */
  say(text: string): void;
  /** The same for waits and retries, which may be many: some are omitted. */
  tell(text: string): void;
  close(): void;
}

const frameMs = 100;
/** A log without new lines for longer than this looks like a hanging process. */
const reminderMs = 30_000;

/**
 * Shows the progress of a run on standard error: on a terminal lasting lines above a redrawn part (one line for each
 * running change, a bar, the time), elsewhere only the lasting lines. Long changes are reported every half minute.
 */
export function openProgressDisplay(plan: Plan, terminal: Terminal, now: () => number): ProgressDisplay {
  const actions = new Map(plan.changes.map(({ id, action }) => [id, action]));
  const style = { palette: terminal.messagePalette, actionOf: (id: string) => actions.get(id) ?? 'keep' };
  const progress = new Progress(plan.changes.filter((change) => change.action !== 'keep' || change.wait).length, now());
  const waitedIds = new Set<string>();
  let drawnLines: readonly string[] = [];
  /** The latest message that is not worth a lasting line; only on a terminal. */
  let latestMessage: string | undefined;

  /** Moves up over the drawn part, which takes more lines in a narrower window, and clears from there on. */
  function erase(): string {
    const { columns } = terminal.size();
    const rows = drawnLines.reduce((sum, line) => sum + rowsOf(line, columns), 0);
    return rows === 0 ? '' : `\u001b[${rows}A\u001b[0J`;
  }
  /** Pending lasting lines: thousands of changes need few writes. */
  const pendingLines: string[] = [];
  let flushing: NodeJS.Immediate | undefined;
  function draw(): void {
    const above = pendingLines.splice(0).map((line) => `${line}\n`);
    const screen = terminal.size();
    const message =
      latestMessage === undefined
        ? []
        : [terminal.messagePalette.faint(cutText(stripVTControlCharacters(latestMessage), screen.columns - 1))];
    const room = { ...screen, rows: screen.rows - message.length };
    const frame = [...message, ...renderFrame(progress, now(), room, terminal.messagePalette)];
    terminal.draw(`${erase()}${above.join('')}${frame.join('\n')}\n`);
    drawnLines = frame;
  }

  const timer = terminal.live ? setInterval(draw, frameMs) : undefined;
  timer?.unref();
  const reminder = setInterval(() => {
    if (timer !== undefined) return; // the times are drawn
    const line = renderReminder(progress, now(), reminderMs, terminal.messagePalette);
    if (line !== undefined) tell(line);
  }, reminderMs);
  reminder.unref();
  /** Writes pending lines; on a terminal also redraws. */
  function flush(): void {
    clearImmediate(flushing);
    flushing = undefined;
    if (timer !== undefined) draw();
    else if (pendingLines.length > 0) terminal.message(pendingLines.splice(0).join('\n'));
  }
  function say(text: string): void {
    pendingLines.push(text);
    flush();
  }
  /** On a terminal in the next frame, elsewhere at the end of this turn. */
  function queueLine(line: string): void {
    pendingLines.push(line);
    if (timer === undefined) flushing ??= setImmediate(flush);
  }
  const limit = new LineLimit(now);
  function tell(text: string): void {
    if (timer === undefined) {
      const line = limit.pass(text);
      if (line !== undefined) say(line);
    } else {
      latestMessage = text;
      draw();
    }
  }
  return {
    onEvent(event) {
      progress.advance(event, now());
      if (event.type === 'done') latestMessage = undefined; // the delay is over
      const line = renderEvent(event, style);
      if (event.type === 'waiting') waitedIds.add(event.id);
      // Unchanged resources that were ready immediately are only counted.
      const silent = event.type === 'done' && style.actionOf(event.id) === 'keep' && !waitedIds.has(event.id);
      if (line === undefined || silent) return;
      // On a terminal the redrawn line of the change shows it.
      if (event.type !== 'waiting' && event.type !== 'retrying') queueLine(line);
      else if (timer === undefined) tell(line);
    },
    say,
    tell,
    close() {
      clearInterval(reminder);
      flush();
      if (timer === undefined) return;
      clearInterval(timer);
      terminal.draw(erase());
      drawnLines = [];
    },
  };
}

/**
 * Shows a run from its events, and lets Ctrl-C interrupt it: requests in flight are finished. Before the run, nothing
 * is shown, and Ctrl-C exits immediately.
 */
export function displayRun(
  { terminal, now, tell }: Pick<CommandContext, 'terminal' | 'now' | 'tell'>,
  platform: Pick<Platform, 'tellRetriesTo'>,
): { readonly signal: AbortSignal; readonly tell: CommandContext['tell'] } {
  const controller = new AbortController();
  let activeDisplay: { onEvent(event: ApplyEvent): void; end(): void } | undefined;
  function begin(plan: Plan) {
    const display = openProgressDisplay(plan, terminal, now);
    platform.tellRetriesTo((retry) => display.tell(retryText(retry)));
    const replacements = trackReplacements(plan);
    const interrupt = listenForInterrupt(
      () => {
        controller.abort();
        display.say('Interrupted: finishing the requests in flight. Interrupt again to exit at once.');
      },
      () => {
        const open = replacements.ids();
        if (open.length > 0) display.say(openReplacementsText(open));
      },
    );
    return {
      onEvent(event: ApplyEvent) {
        replacements.onEvent(event);
        display.onEvent(event);
      },
      end() {
        platform.tellRetriesTo(undefined);
        display.close();
        interrupt.release();
      },
    };
  }
  return {
    signal: controller.signal,
    tell(event) {
      if (event.type === 'begun') activeDisplay = begin(event.plan);
      if (event.type === 'run') activeDisplay?.onEvent(event.event);
      if (event.type === 'ended') activeDisplay?.end();
      return tell(event);
    },
  };
}

function openReplacementsText(ids: readonly string[]): string {
  return `Exiting during replacements. These may be deleted and not created again: ${ids.map(printable).join(', ')}. Apply again now.`;
}

/** Replacements whose deletion has begun and that have not ended: exiting now leaves them deleted. */
interface OpenReplacements {
  onEvent(event: ApplyEvent): void;
  ids(): readonly ResourceId[];
}

function trackReplacements({ changes }: Plan): OpenReplacements {
  const replaced = new Set(changes.filter(({ action }) => action === 'replace').map(({ id }) => id));
  const open = new Set<ResourceId>();
  return {
    onEvent(event) {
      if (event.type === 'started' && event.step === 'delete' && replaced.has(event.id)) open.add(event.id);
      if (event.type === 'done' || event.type === 'failed' || event.type === 'skipped') open.delete(event.id);
    },
    ids: () => [...open].sort(),
  };
}

interface RunningChange {
  readonly activity: string;
  readonly sinceMs: number;
}

/** The progress of a run; times are from the caller's clock. Thousands of changes may wait together. */
export class Progress {
  readonly startedMs: number;
  readonly total: number;
  readonly running = new Map<ResourceId, RunningChange>();
  ended = 0;
  failed = 0;

  constructor(total: number, startedMs: number) {
    this.total = total;
    this.startedMs = startedMs;
  }

  advance(event: ApplyEvent, nowMs: number): void {
    const { id } = event;
    const activity = activityOf(event);
    if (activity === undefined) {
      this.running.delete(id);
      this.ended += 1;
      if (event.type === 'failed') this.failed += 1;
    } else {
      this.running.set(id, { activity, sinceMs: this.running.get(id)?.sinceMs ?? nowMs });
    }
  }
}

/** Undefined if the change has ended. */
function activityOf(event: ApplyEvent): string | undefined {
  switch (event.type) {
    case 'started':
      return verbOf(event.step);
    case 'waiting':
      return `waiting for ${event.for}`;
    case 'retrying':
      return `being tried again (${event.because})`;
    case 'done':
    case 'skipped':
    case 'failed':
      return undefined;
  }
}

type Step = Extract<ApplyEvent, { readonly type: 'started' }>['step'];

function verbOf(step: Step): string {
  switch (step) {
    case 'create':
      return 'creating';
    case 'patch':
      return 'changing';
    case 'then':
      return 'second step';
    case 'delete':
      return 'deleting';
  }
}

interface Screen {
  readonly columns: number;
  readonly rows: number;
}

/** The redrawn part: one line for each running change, then a bar. */
export function renderFrame(progress: Progress, nowMs: number, screen: Screen, palette: Palette): readonly string[] {
  const room = Math.max(1, screen.rows - 3);
  const running = [...progress.running];
  const shown = running.length <= room ? running : running.slice(0, room - 1);
  const hidden = running.length - shown.length;
  const lines = shown.map(([id, { activity, sinceMs }]) =>
    runningLine(printable(id), printable(activity), seconds(nowMs - sinceMs), screen.columns - 1),
  );
  return compact([
    ...lines.map((line) => palette.faint(line)),
    hidden === 0 ? undefined : palette.faint(`  and ${hidden} more`),
    renderBar(progress, nowMs, palette),
  ]);
}

const barWidth = 24;

function renderBar({ startedMs, total, ended, failed }: Progress, nowMs: number, palette: Palette): string {
  const full = total === 0 ? barWidth : Math.min(barWidth, Math.floor((ended / total) * barWidth));
  const bar = palette.add('█'.repeat(full)) + palette.faint('░'.repeat(barWidth - full));
  const failures = failed === 0 ? '' : palette.refuse(`, ${failed} failed`);
  return `  ${bar} ${ended}/${total}${failures}  ${seconds(nowMs - startedMs)}`;
}

interface EventStyle {
  readonly palette: Palette;
  readonly actionOf: (id: ResourceId) => Action;
}

/** The lasting line of an event; undefined for those that only update the display. Failures have several lines. */
export function renderEvent(event: ApplyEvent, { palette, actionOf }: EventStyle): string | undefined {
  const id = printable(event.id);
  switch (event.type) {
    case 'started':
      return undefined;
    case 'waiting':
      return palette.faint(`  … ${id} waits for ${printable(event.for)}`);
    case 'retrying':
      return palette.faint(`  ↻ ${id} again in ${seconds(event.delayMs)}: ${printable(event.because)}`);
    case 'done': {
      const action = actionOf(event.id);
      if (action === 'keep')
        return `  ${palette[endWords.ready.tone](endWords.ready.sign)} ${id} is ready ${palette.faint(seconds(event.elapsedMs))}`;
      const { sign, done, tone } = actionWords[action];
      const version = event.version === undefined ? '' : ` (version ${event.version})`;
      const what = event.unchanged === true ? 'is unchanged' : event.already === true ? 'is as planned already' : done;
      return `  ${palette[tone](sign)} ${id} ${what}${version} ${palette.faint(seconds(event.elapsedMs))}`;
    }
    case 'failed': {
      const [first = '', ...rest] = printableLines(event.error.message);
      const more = rest.map((line) => `      ${line.trimStart()}`);
      return [
        `  ${palette[endWords.failed.tone](endWords.failed.sign)} ${id} ${reachedText(event, 'failed')}: ${event.error.code}: ${first}`,
        ...more,
      ].join('\n');
    }
    case 'skipped':
      return `  ${palette[endWords.skipped.tone](endWords.skipped.sign)} ${id} ${reachedText(event, 'skipped')}: ${printable(event.because)}`;
  }
}

/** The end of an unfinished change: the state of its record says more than "failed". */
function reachedText({ reached }: Unfinished, ended: string): string {
  if (reached === 'deleted') return 'deleted, not created again';
  return reached === 'written' ? 'written, not finished' : ended;
}

/** The change that has been running longest; undefined if none runs longer than `leastMs`. */
export function renderReminder(
  { running }: Progress,
  nowMs: number,
  leastMs: number,
  palette: Palette,
): string | undefined {
  const slow = [...running].filter(([, { sinceMs }]) => nowMs - sinceMs >= leastMs);
  const [longest] = slow.sort(([, a], [, b]) => a.sinceMs - b.sinceMs);
  if (longest === undefined) return undefined;
  const [id, { activity, sinceMs }] = longest;
  const others = slow.length === 1 ? '' : `, and ${slow.length - 1} more`;
  return palette.faint(
    `  … ${printable(id)} is still ${printable(activity)} after ${seconds(nowMs - sinceMs)}${others}`,
  );
}

/** Names are shortened first, in the middle; then the activity, at a space; times and counts never. */
function runningLine(id: string, doing: string, time: string, columns: number): string {
  const rest = columns - '      '.length - time.length;
  const named = cutMiddle(id, Math.max(shortestName, rest - textWidth(doing)));
  return `  ${named}  ${cutText(doing, Math.max(1, rest - textWidth(named)))}  ${time}`;
}

const shortestName = 12;
