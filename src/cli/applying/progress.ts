import type { ApplyEvent, Unfinished } from '../../apply/report/events.ts';
import { seconds } from '../../base/text/duration.ts';
import { actionWords, endWords } from '../../change/words.ts';
import type { Action } from '../../plan/model/change.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { cutMiddle } from '../../terminal/fit.ts';
import type { Palette } from '../../terminal/palette.ts';
import { printable, printableLines } from '../../terminal/printable.ts';
import { textWidth } from '../../terminal/textWidth.ts';
import { cutText } from '../../terminal/wrapText.ts';

interface Running {
  readonly doing: string;
  readonly sinceMs: number;
}

/** The state of a run so far; times are those of the caller's clock. */
export interface Progress {
  readonly startedMs: number;
  readonly total: number;
  readonly ended: number;
  readonly failed: number;
  readonly running: ReadonlyMap<ResourceId, Running>;
}

export function startProgress(total: number, startedMs: number): Progress {
  return { startedMs, total, ended: 0, failed: 0, running: new Map() };
}

/** The progress after one more event. */
export function advance(progress: Progress, event: ApplyEvent, nowMs: number): Progress {
  const running = new Map(progress.running);
  const sinceMs = running.get(event.id)?.sinceMs ?? nowMs;
  switch (event.type) {
    case 'started':
      return { ...progress, running: running.set(event.id, { doing: verbOf(event.step), sinceMs }) };
    case 'waiting':
      return { ...progress, running: running.set(event.id, { doing: `waiting for ${event.for}`, sinceMs }) };
    case 'retrying':
      return {
        ...progress,
        running: running.set(event.id, { doing: `being tried again (${event.because})`, sinceMs }),
      };
    case 'done':
    case 'skipped':
    case 'failed': {
      running.delete(event.id);
      const failed = progress.failed + (event.type === 'failed' ? 1 : 0);
      return { ...progress, running, ended: progress.ended + 1, failed };
    }
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

export interface Screen {
  readonly columns: number;
  readonly rows: number;
}

/** The part that is drawn over and over: one line for each running change, then a bar. */
export function renderFrame(progress: Progress, nowMs: number, screen: Screen, palette: Palette): readonly string[] {
  const room = Math.max(1, screen.rows - 3);
  const running = [...progress.running];
  const shown = running.length <= room ? running : running.slice(0, room - 1);
  const hidden = running.length - shown.length;
  const lines = shown.map(([id, { doing, sinceMs }]) =>
    runningLine(printable(id), printable(doing), seconds(nowMs - sinceMs), screen.columns - 1),
  );
  return [
    ...lines.map((line) => palette.faint(line)),
    ...(hidden === 0 ? [] : [palette.faint(`  and ${hidden} more`)]),
    renderBar(progress, nowMs, palette),
  ];
}

const barWidth = 24;

function renderBar({ startedMs, total, ended, failed }: Progress, nowMs: number, palette: Palette): string {
  const full = total === 0 ? barWidth : Math.min(barWidth, Math.floor((ended / total) * barWidth));
  const bar = palette.add('█'.repeat(full)) + palette.faint('░'.repeat(barWidth - full));
  const failures = failed === 0 ? '' : palette.refuse(`, ${failed} failed`);
  return `  ${bar} ${ended}/${total}${failures}  ${seconds(nowMs - startedMs)}`;
}

export interface EventLook {
  readonly palette: Palette;
  readonly actionOf: (id: ResourceId) => Action;
}

/** The lasting line of an event; undefined for those that only move the display. Several lines for a failure. */
export function renderEvent(event: ApplyEvent, { palette, actionOf }: EventLook): string | undefined {
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

/** How an unfinished change ended: what became of its record says more than that it failed. */
function reachedText({ reached }: Unfinished, ended: string): string {
  if (reached === 'deleted') return 'deleted, not created again';
  return reached === 'written' ? 'written, not finished' : ended;
}

/** The change that has been running for longest, if that is longer than `leastMs`; undefined where there is none. */
export function renderReminder(
  { running }: Progress,
  nowMs: number,
  leastMs: number,
  palette: Palette,
): string | undefined {
  const slow = [...running].filter(([, { sinceMs }]) => nowMs - sinceMs >= leastMs);
  const [longest] = slow.sort(([, a], [, b]) => a.sinceMs - b.sinceMs);
  if (longest === undefined) return undefined;
  const [id, { doing, sinceMs }] = longest;
  const others = slow.length === 1 ? '' : `, and ${slow.length - 1} more`;
  return palette.faint(`  … ${printable(id)} is still ${printable(doing)} after ${seconds(nowMs - sinceMs)}${others}`);
}

/** Names give way first, in their middle; then what is done, at a blank; times and counts never. */
function runningLine(id: string, doing: string, time: string, columns: number): string {
  const rest = columns - '      '.length - time.length;
  const named = cutMiddle(id, Math.max(shortestName, rest - textWidth(doing)));
  return `  ${named}  ${cutText(doing, Math.max(1, rest - textWidth(named)))}  ${time}`;
}

const shortestName = 12;
