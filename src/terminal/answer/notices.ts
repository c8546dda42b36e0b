import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { Notice } from '../../project/session/notice.ts';
import { LineLimit } from '../lineLimit.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';

/** While only reading, shorter pauses than this are not worth a line. */
const quietDelayMs = 1_000;

/** Says notices to people, on standard error. */
export function noticesOn(terminal: Terminal, now: () => number): (notice: Notice) => void | Promise<void> {
  const limit = new LineLimit(now);
  return (notice) => {
    switch (notice.type) {
      case 'note':
        return terminal.message(printable(notice.text));
      case 'output':
        return terminal.message(`${notice.file} | ${notice.line}`);
      case 'problems':
        return sayProblems(notice.problems, terminal);
      case 'retry': {
        const line = notice.delayMs < quietDelayMs ? undefined : limit.pass(retryText(notice));
        return line === undefined ? undefined : terminal.message(line);
      }
    }
  };
}

/** How they look is loaded where there are some. */
async function sayProblems(problems: readonly LocatedProblem[], terminal: Terminal): Promise<void> {
  const { renderProblems } = await import('./problemText.ts');
  const width = terminal.live ? terminal.size().columns : Number.POSITIVE_INFINITY;
  for (const line of renderProblems(problems, { palette: terminal.messagePalette, width })) terminal.message(line);
}

export function retryText({ because, delayMs }: Extract<Notice, { type: 'retry' }>): string {
  return `${because}; again in ${(delayMs / 1000).toFixed(1)} s`;
}
