import { stripVTControlCharacters } from 'node:util';
import type { ApplyEvent } from '../../apply/report/events.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { Platform } from '../../project/platform/platform.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { retryText } from '../../terminal/answer/notices.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import { LineLimit } from '../../terminal/lineLimit.ts';
import { printable } from '../../terminal/printable.ts';
import { listenForInterrupt } from '../../terminal/process/interrupt.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { cutText, rowsOf } from '../../terminal/wrapText.ts';
import { advance, renderEvent, renderFrame, renderReminder, startProgress } from './progress.ts';

export interface ProgressDisplay {
  onEvent(event: ApplyEvent): void;
  /** A lasting line of the caller's own. */
  say(text: string): void;
  /** The same for waits and repetitions, of which there may be many: not each is told. */
  tell(text: string): void;
  close(): void;
}

const frameMs = 100;
/** A log that stands still for longer than this looks like a process that hangs. */
const reminderMs = 30_000;

/**
 * Shows a run as it goes, on standard error: on a terminal lasting lines above a part that is drawn over (one line for
 * each running change, a bar, the time), elsewhere the lasting lines only. What takes long is told again every half
 * minute.
 */
export function openProgressDisplay(plan: Plan, terminal: Terminal, now: () => number): ProgressDisplay {
  const actions = new Map(plan.changes.map(({ id, action }) => [id, action]));
  const look = { palette: terminal.messagePalette, actionOf: (id: string) => actions.get(id) ?? 'keep' };
  let progress = startProgress(plan.changes.filter((change) => change.action !== 'keep' || change.wait).length, now());
  const waited = new Set<string>();
  let drawn: readonly string[] = [];
  /** The last news that is not worth a lasting line, on a terminal only. */
  let news: string | undefined;

  /** Up over what was drawn, which takes more lines once the window is narrower, and clear from there on. */
  function erase(): string {
    const { columns } = terminal.size();
    const rows = drawn.reduce((sum, line) => sum + rowsOf(line, columns), 0);
    return rows === 0 ? '' : `\u001b[${rows}A\u001b[0J`;
  }
  /** Lasting lines that are still to be written: thousands of changes end in few writes. */
  const lasting: string[] = [];
  let flushing: NodeJS.Immediate | undefined;
  function draw(): void {
    const above = lasting.splice(0).map((line) => `${line}\n`);
    const screen = terminal.size();
    const message =
      news === undefined
        ? []
        : [terminal.messagePalette.faint(cutText(stripVTControlCharacters(news), screen.columns - 1))];
    const room = { ...screen, rows: screen.rows - message.length };
    const frame = [...message, ...renderFrame(progress, now(), room, terminal.messagePalette)];
    terminal.draw(`${erase()}${above.join('')}${frame.join('\n')}\n`);
    drawn = frame;
  }

  const timer = terminal.live ? setInterval(draw, frameMs) : undefined;
  timer?.unref();
  const reminder = setInterval(() => {
    if (timer !== undefined) return; // the times are drawn
    const line = renderReminder(progress, now(), reminderMs, terminal.messagePalette);
    if (line !== undefined) tell(line);
  }, reminderMs);
  reminder.unref();
  /** Writes what is pending; on a terminal with the part that is drawn over. */
  function flush(): void {
    clearImmediate(flushing);
    flushing = undefined;
    if (timer !== undefined) draw();
    else if (lasting.length > 0) terminal.message(lasting.splice(0).join('\n'));
  }
  function say(text: string): void {
    lasting.push(text);
    flush();
  }
  /** On a terminal with the next frame, elsewhere at the end of this turn. */
  function sayLater(line: string): void {
    lasting.push(line);
    if (timer === undefined) flushing ??= setImmediate(flush);
  }
  const limit = new LineLimit(now);
  function tell(text: string): void {
    if (timer === undefined) {
      const line = limit.pass(text);
      if (line !== undefined) say(line);
    } else {
      news = text;
      draw();
    }
  }
  return {
    onEvent(event) {
      progress = advance(progress, event, now());
      if (event.type === 'done') news = undefined; // whatever held things up is over
      const line = renderEvent(event, look);
      if (event.type === 'waiting') waited.add(event.id);
      // What is unchanged and was ready at once is only counted.
      const silent = event.type === 'done' && look.actionOf(event.id) === 'keep' && !waited.has(event.id);
      if (line === undefined || silent) return;
      // On a terminal the line of the change that is drawn over says it.
      if (event.type !== 'waiting' && event.type !== 'retrying') sayLater(line);
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
      drawn = [];
    },
  };
}

/**
 * Shows a run while its events are told, and lets Ctrl-C interrupt it: what is in flight is finished then. Before it
 * begins nothing is shown, and Ctrl-C leaves at once.
 */
export function displayOfRun(
  { terminal, now, tell }: Pick<CommandContext, 'terminal' | 'now' | 'tell'>,
  platform: Pick<Platform, 'tellRetriesTo'>,
): { readonly signal: AbortSignal; readonly tell: CommandContext['tell'] } {
  const controller = new AbortController();
  let running: { onEvent(event: ApplyEvent): void; end(): void } | undefined;
  function begin(plan: Plan) {
    const display = openProgressDisplay(plan, terminal, now);
    platform.tellRetriesTo((retry) => display.tell(retryText(retry)));
    const replacements = followReplacements(plan);
    const interrupt = listenForInterrupt(
      () => {
        controller.abort();
        display.say('Interrupted: finishing the requests in flight. Interrupt again to exit at once.');
      },
      () => {
        const open = replacements.ids();
        if (open.length > 0) display.say(leftOpen(open));
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
      if (event.type === 'begun') running = begin(event.plan);
      if (event.type === 'run') running?.onEvent(event.event);
      if (event.type === 'ended') running?.end();
      return tell(event);
    },
  };
}

function leftOpen(ids: readonly string[]): string {
  return `Exiting during replacements. These may be deleted and not created again: ${ids.map(printable).join(', ')}. Apply again now.`;
}

/** The replacements of a run that have begun to delete and have not ended: whoever leaves now leaves them deleted. */
interface OpenReplacements {
  onEvent(event: ApplyEvent): void;
  ids(): readonly ResourceId[];
}

function followReplacements({ changes }: Plan): OpenReplacements {
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
