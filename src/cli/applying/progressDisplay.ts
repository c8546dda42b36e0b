import { stripVTControlCharacters } from 'node:util';
import type { ApplyEvent } from '../../apply/report/events.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { LineLimit } from '../../terminal/lineLimit.ts';
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
  const startedMs = now();
  let progress = startProgress(plan.changes.filter((change) => change.action !== 'keep' || change.wait).length);
  const waited = new Set<string>();
  let drawn: readonly string[] = [];
  /** What was told last and is not worth a lasting line, on a terminal only. */
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
    const frame = [...message, ...renderFrame(progress, now() - startedMs, now(), room, terminal.messagePalette)];
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
