import type { ResourceStatus, StackStatus } from '../../../change/status/status.ts';
import { cutMiddle } from '../../../terminal/fit.ts';
import { makePalette } from '../../../terminal/palette.ts';
import { printable } from '../../../terminal/printable.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { cutText } from '../../../terminal/wrapText.ts';
import { seconds } from '../../applying/progress.ts';
import { renderCount, stateLooks } from './text.ts';

export interface WatchDisplay {
  show(status: StackStatus): void;
  close(): void;
}

/**
 * Shows a status that is read again and again, on standard error: on a terminal what is not ready, drawn over each
 * time; elsewhere a line for each resource that is not ready, and for each change of one.
 */
export function openWatchDisplay(terminal: Terminal, now: () => number): WatchDisplay {
  return terminal.live ? drawnOver(terminal, now) : inLines(terminal, now);
}

/** What is cut to the width of the screen has no colours. */
const plain = makePalette(false);

function drawnOver(terminal: Terminal, now: () => number): WatchDisplay {
  const startedMs = now();
  let drawn = 0;
  const erase = () => (drawn === 0 ? '' : `\u001b[${drawn}A\u001b[0J`);
  return {
    show(status) {
      const { columns, rows } = terminal.size();
      const open = status.resources.filter(({ state }) => state !== 'ready');
      const shown = open.slice(0, Math.max(1, rows - 4));
      const hidden = open.length - shown.length;
      const lines = [
        ...shown.map((resource) => `  ${cutText(lineOf(resource, Math.floor(columns / 2)), columns - 3)}`),
        ...(hidden === 0 ? [] : [`  and ${hidden} more`]),
        cutText(`${seconds(now() - startedMs)}: ${renderCount(status, plain)}`, columns - 1),
      ];
      terminal.draw(`${erase()}${lines.join('\n')}\n`);
      drawn = lines.length;
    },
    close() {
      terminal.draw(erase());
      drawn = 0;
    },
  };
}

function inLines(terminal: Terminal, now: () => number): WatchDisplay {
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
  return `${stateLooks[state].symbol} ${cutMiddle(printable(id), longestName)} ${printable(health)}${why}`;
}
