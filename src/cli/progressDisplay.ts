import type { ApplyEvent } from '../apply/events.ts';
import type { Plan } from '../plan/plan.ts';
import { advance, renderEvent, renderFrame, startProgress } from './render/progress.ts';
import type { Terminal } from './terminal.ts';

export interface ProgressDisplay {
  onEvent(event: ApplyEvent): void;
  /** A lasting line of the caller's own. */
  say(text: string): void;
  close(): void;
}

const frameMs = 100;

/**
 * Shows a run as it goes, on standard error: on a terminal lasting lines above a part that is drawn over (one line for
 * each running change, a bar, the time), elsewhere the lasting lines only.
 */
export function openProgressDisplay(plan: Plan, terminal: Terminal, now: () => number): ProgressDisplay {
  const actions = new Map(plan.changes.map(({ id, action }) => [id, action]));
  const look = { palette: terminal.messagePalette, actionOf: (id: string) => actions.get(id) ?? 'keep' };
  const startedMs = now();
  let progress = startProgress(plan.changes.filter(({ action }) => action !== 'keep').length);
  let drawn = 0;

  /** Up over what was drawn, and clear from there to the end of the screen. */
  const erase = () => (drawn === 0 ? '' : `\u001b[${drawn}A\u001b[0J`);
  function draw(lasting: string): void {
    const frame = renderFrame(progress, now() - startedMs, now(), terminal.size(), terminal.messagePalette);
    terminal.draw(`${erase()}${lasting}${frame.join('\n')}\n`);
    drawn = frame.length;
  }

  const timer = terminal.live ? setInterval(() => draw(''), frameMs) : undefined;
  timer?.unref();
  function say(text: string): void {
    if (timer === undefined) terminal.message(text);
    else draw(`${text}\n`);
  }
  return {
    onEvent(event) {
      progress = advance(progress, event, now());
      const line = renderEvent(event, look);
      if (line !== undefined) say(line);
    },
    say,
    close() {
      if (timer === undefined) return;
      clearInterval(timer);
      terminal.draw(erase());
      drawn = 0;
    },
  };
}
