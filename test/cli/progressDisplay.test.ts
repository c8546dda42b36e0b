import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openProgressDisplay, Progress, renderReminder } from '../../src/cli/steps/progressDisplay.ts';
import { LineLimit } from '../../src/terminal/lineLimit.ts';
import { makePalette } from '../../src/terminal/palette.ts';
import type { Terminal } from '../../src/terminal/terminal.ts';
import { change, plan } from '../apply/harness/plans.ts';
import { silentTerminal } from './silentTerminal.ts';

const palette = makePalette(false);

function logTerminal() {
  const lines: string[] = [];
  let writes = 0;
  function tell(text: string): void {
    writes += 1;
    lines.push(...text.split('\n'));
  }
  return { lines, writes: () => writes, terminal: silentTerminal({ result: tell, message: tell }) };
}

test('repeated lines are shown at growing intervals, with the number of skipped ones', () => {
  let nowMs = 0;
  const limit = new LineLimit(() => nowMs);
  expect(limit.pass('first')).toBe('first');
  nowMs = 999;
  expect([limit.pass('second'), limit.pass('third')]).toEqual([undefined, undefined]);
  nowMs = 1_000;
  expect(limit.pass('fourth')).toBe('fourth (and 2 more like it)');
  nowMs = 2_999;
  expect(limit.pass('fifth')).toBeUndefined();
  nowMs = 3_000;
  expect(limit.pass('sixth')).toBe('sixth (and 1 more like it)');
  nowMs = 13_000;
  expect(limit.pass('another matter')).toBe('another matter');
  nowMs = 14_000;
  expect(limit.pass('and at once one more')).toBe('and at once one more');
});

test('two minutes of the same line are a few lines, not one each second', () => {
  let nowMs = 0;
  const limit = new LineLimit(() => nowMs);
  const told: number[] = [];
  for (; nowMs <= 120_000; nowMs += 500) if (limit.pass('503; again in 0.5 s') !== undefined) told.push(nowMs / 1000);
  expect(told).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
});

test('waits and retries are lasting lines that are limited in number; ends are always shown', () => {
  let nowMs = 0;
  const { lines, terminal } = logTerminal();
  const display = openProgressDisplay(plan(), terminal, () => nowMs);
  for (const name of ['a', 'b', 'c']) display.onEvent({ type: 'waiting', id: `workload/x/${name}`, for: 'readiness' });
  display.tell('GET /org/acme: 503; again in 0.2 s');
  display.onEvent({ type: 'done', id: 'workload/x/a', version: 1, elapsedMs: 100 });
  nowMs = 1_500;
  display.onEvent({ type: 'retrying', id: 'workload/x/b', because: 'busy', delayMs: 200 });
  display.close();
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain('workload/x/a waits for readiness');
  expect(lines[1]).toContain('workload/x/a');
  expect(lines[2]).toContain('workload/x/b again in 0.2 s: busy (and 3 more like it)');
});

test('events that end together are one write; text of the caller follows immediately', async () => {
  const { lines, writes, terminal } = logTerminal();
  const ids = ['a', 'b', 'c', 'd'].map((name) => `workload/x/${name}`);
  const [, , , last = ''] = ids;
  const changes = ids.map((id) => change(id, { action: 'create' }));
  const display = openProgressDisplay(plan(...changes), terminal, () => 0);
  for (const id of ids.slice(0, 3)) {
    display.onEvent({ type: 'done', id, version: 1, elapsedMs: 100 });
  }
  expect(writes()).toBe(0);
  await setImmediate();
  expect([writes(), lines.length]).toEqual([1, 3]);
  display.onEvent({ type: 'done', id: last, version: 1, elapsedMs: 100 });
  display.say('Interrupted');
  expect(lines.slice(3)).toEqual([expect.stringContaining(last), 'Interrupted']);
  display.close();
  await setImmediate();
  expect(lines).toHaveLength(5);
});

test('ten thousand changes can wait at the same time', () => {
  const { terminal } = logTerminal();
  const ids = Array.from({ length: 10_000 }, (_, index) => `workload/x/web-${index}`);
  const display = openProgressDisplay(plan(...ids.map((id) => change(id, { action: 'create' }))), terminal, () => 0);
  for (const id of ids) display.onEvent({ type: 'started', id, step: 'create' });
  for (const id of ids) display.onEvent({ type: 'waiting', id, for: 'readiness' });
  for (const id of ids) display.onEvent({ type: 'done', id, version: 1, elapsedMs: 1 });
  display.close();
}, 10_000);

test('a change that takes longer than half a minute is reported again', () => {
  const progress = new Progress(2, 0);
  progress.advance({ type: 'waiting', id: 'workload/x/a', for: 'readiness' }, 0);
  progress.advance({ type: 'started', id: 'gvc/x', step: 'delete' }, 10_000);
  expect(renderReminder(progress, 29_999, 30_000, palette)).toBeUndefined();
  expect(renderReminder(progress, 30_000, 30_000, palette)).toBe(
    '  … workload/x/a is still waiting for readiness after 30 s',
  );
  expect(renderReminder(progress, 45_000, 30_000, palette)).toContain('after 45 s, and 1 more');
});

test('a step that is retried is reported again after half a minute, with the reason', () => {
  const again = { type: 'retrying', id: 'gvc/x', because: 'busy', delayMs: 200 } as const;
  const progress = new Progress(1, 0);
  progress.advance(again, 0);
  expect(renderReminder(progress, 60_000, 30_000, palette)).toBe(
    '  … gvc/x is still being tried again (busy) after 1 min 0 s',
  );
});

/** A terminal that records its screen and understands the two sequences that the display sends. */
function screenTerminal(columns: { now: number }) {
  let rows: string[] = [];
  const terminal: Terminal = {
    ...logTerminal().terminal,
    live: true,
    size: () => ({ columns: columns.now, rows: 24 }),
    draw(text) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the cursor is what is to be found
      const [, up = '0', rest = ''] = /^(?:\u001b\[(\d+)A\u001b\[0J)?([\s\S]*)$/.exec(text) ?? [];
      rows = rows.slice(0, rows.length - Number(up));
      const lines = rest.split('\n').slice(0, -1);
      for (const line of lines)
        for (let at = 0; at === 0 || at < line.length; at += columns.now) rows.push(line.slice(at, at + columns.now));
    },
  };
  return { terminal, rows: () => rows };
}

test('on a terminal waits and retries are overwritten, and none of them stays', () => {
  const { terminal, rows } = screenTerminal({ now: 80 });
  const display = openProgressDisplay(plan(change('workload/x/a', { action: 'create' })), terminal, () => 0);
  display.onEvent({ type: 'started', id: 'workload/x/a', step: 'create' });
  display.onEvent({ type: 'waiting', id: 'workload/x/a', for: 'readiness' });
  display.tell('GET /org/acme: 503; again in 0.2 s');
  expect(rows().join('\n')).toContain('503; again in 0.2 s');
  expect(rows().join('\n')).toContain('waiting for readiness');
  display.onEvent({ type: 'done', id: 'workload/x/a', version: 1, elapsedMs: 100 });
  display.close();
  expect(rows()).toEqual(['  + workload/x/a created (version 1) 0.1 s']);
});

test('a window that becomes narrower leaves no stray lines', () => {
  const columns = { now: 80 };
  const { terminal, rows } = screenTerminal(columns);
  const display = openProgressDisplay(plan(change('workload/x/a', { action: 'create' })), terminal, () => 0);
  display.tell('a repetition that is told in a rather long line of text, to fill it');
  // The terminal wraps the existing lines.
  columns.now = 30;
  const wrapped = rows().flatMap((line) => line.match(/.{1,30}/g) ?? ['']);
  rows().splice(0, rows().length, ...wrapped);
  display.close();
  expect(rows()).toEqual([]);
});
