import type { LocatedProblem } from '../manifest/model/locatedProblem.ts';
import type { Notice, StepEvent } from '../project/session/event.ts';
import { LineLimit } from './lineLimit.ts';
import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

/** While only reading, a shorter delay is not reported. */
const quietDelayMs = 1_000;
/** The minimum time between two updates. */
const frameMs = 100;
const erase = '\r\u001b[2K';

/** Reports events to the user, on standard error. */
export function noticesOn(terminal: Terminal, now: () => number): (event: StepEvent) => void | Promise<void> {
  const limit = new LineLimit(now);
  let drawnMs = Number.NEGATIVE_INFINITY;
  return (event) => {
    switch (event.type) {
      case 'note':
        return terminal.message(printable(event.text));
      case 'output':
        return terminal.message(`${event.file} | ${event.line}`);
      case 'problems':
        return sayProblems(event.problems, terminal);
      case 'retry': {
        const line = event.delayMs < quietDelayMs ? undefined : limit.pass(retryText(event));
        return line === undefined ? undefined : terminal.message(line);
      }
      // A line that is overwritten, only on a terminal.
      case 'rehearsing':
        if (!terminal.live || now() - drawnMs < frameMs) return;
        drawnMs = now();
        return terminal.draw(`${erase}Rehearsing: ${event.tried} of ${event.of} interruption points`);
      case 'rehearsed':
        if (drawnMs > Number.NEGATIVE_INFINITY) terminal.draw(erase);
        drawnMs = Number.NEGATIVE_INFINITY;
    }
  };
}

/** Loads the code for problems only if there are some. */
async function sayProblems(problems: readonly LocatedProblem[], terminal: Terminal): Promise<void> {
  const { renderProblems } = await import('./problemText.ts');
  const width = terminal.live ? terminal.size().columns : Number.POSITIVE_INFINITY;
  for (const line of renderProblems(problems, { palette: terminal.messagePalette, width })) terminal.message(line);
}

export function retryText({ because, delayMs }: Extract<Notice, { type: 'retry' }>): string {
  return `${because}; again in ${(delayMs / 1000).toFixed(1)} s`;
}
