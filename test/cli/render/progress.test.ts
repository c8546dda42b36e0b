import { describe, expect, test } from 'vitest';
import type { ApplyEvent } from '../../../src/apply/events.ts';
import { seconds } from '../../../src/base/text/duration.ts';
import { ToolError } from '../../../src/base/toolError.ts';
import { Progress, renderEvent, renderFrame } from '../../../src/cli/steps/progressDisplay.ts';
import { makePalette } from '../../../src/terminal/palette.ts';
import { textWidth } from '../../../src/terminal/textWidth.ts';

const palette = makePalette(false);
const screen = { columns: 80, rows: 24 };

function progressAfter(total: number, ...events: readonly (readonly [ApplyEvent, number])[]) {
  const progress = new Progress(total, 0);
  for (const [event, nowMs] of events) progress.advance(event, nowMs);
  return progress;
}

describe('the display of a run', () => {
  test('has one line for each running change, and a bar with the time', () => {
    const progress = progressAfter(
      4,
      [{ type: 'started', id: 'gvc/shop', step: 'create' }, 0],
      [{ type: 'done', id: 'gvc/shop', version: 1, elapsedMs: 500 }, 500],
      [{ type: 'started', id: 'identity/shop/api', step: 'create' }, 500],
      [{ type: 'started', id: 'volumeset/shop/data', step: 'delete' }, 1000],
      [{ type: 'waiting', id: 'volumeset/shop/data', for: 'its release' }, 1500],
    );
    expect(renderFrame(progress, 2500, screen, palette)).toEqual([
      '  identity/shop/api  creating  2.0 s',
      '  volumeset/shop/data  waiting for its release  1.5 s',
      '  ██████░░░░░░░░░░░░░░░░░░ 1/4  2.5 s',
    ]);
  });

  test('counts failures', () => {
    const error = new ToolError({ code: 'api.invalid', message: 'no' });
    const progress = progressAfter(1, [{ type: 'failed', id: 'gvc/shop', error }, 0]);
    expect(renderFrame(progress, 0, screen, palette)).toEqual(['  ████████████████████████ 1/1, 1 failed  0.0 s']);
  });

  test.each([60, 100])('in %i columns names are cut in the middle, counts and times never', (columns) => {
    const id = 'workload/shop/storefront-backend-round-blue';
    const progress = progressAfter(1, [{ type: 'waiting', id, for: '1 of 2 locations' }, 0]);
    const [shown = ''] = renderFrame(progress, 75_000, { columns, rows: 24 }, palette);
    expect(shown).toMatch(
      columns === 100 ? /^ {2}workload\/shop\/storefront-backend-round-blue {2}/ : /^ {2}workloa\S*…\S*-blue {2}/,
    );
    expect(shown).toContain('waiting for 1 of 2 locations  1 min 15 s');
    expect(shown.length).toBeLessThan(columns);
  });

  test('names and reasons to wait fit, also with wide characters', () => {
    const id = `workload/shop/${'東京'.repeat(20)}`;
    const progress = progressAfter(1, [{ type: 'waiting', id, for: '日本語の説明'.repeat(3) }, 0]);
    const [shown = ''] = renderFrame(progress, 2000, { columns: 60, rows: 24 }, palette);
    expect(shown).toMatch(/^ {2}workl\S*…\S* {2}waiting .* {2}2\.0 s$/);
    expect(textWidth(shown)).toBeLessThan(60);
  });

  test('fits on the screen', () => {
    const events = Array.from({ length: 50 }, (_, index) => {
      const event: ApplyEvent = { type: 'started', id: `workload/shop/${'x'.repeat(90)}${index}`, step: 'create' };
      return [event, 0] as const;
    });
    const frame = renderFrame(progressAfter(50, ...events), 0, screen, palette);
    expect(frame.length).toBeLessThan(screen.rows);
    expect(frame.slice(0, -2).every((line) => line.length < screen.columns)).toBe(true);
    expect(frame.at(-2)).toBe('  and 30 more');
  });
});

describe('the lasting line of an event', () => {
  const look = { palette, actionOf: () => 'patch' as const };

  // biome-ignore format: a row is a case
  test.each<readonly [ApplyEvent, string | undefined]>([
    [{ type: 'started', id: 'gvc/a', step: 'patch' }, undefined],
    [{ type: 'done', id: 'gvc/a', version: 3, elapsedMs: 1234 }, '  ~ gvc/a changed (version 3) 1.2 s'],
    [{ type: 'done', id: 'gvc/a', version: 5, elapsedMs: 1234, already: true },
      '  ~ gvc/a is as planned already (version 5) 1.2 s'],
    [{ type: 'done', id: 'gvc/a', version: 5, elapsedMs: 0, unchanged: true },
      '  ~ gvc/a is unchanged (version 5) 0.0 s'],
    [{ type: 'skipped', id: 'gvc/a', because: 'gvc/b failed' }, '  ○ gvc/a skipped: gvc/b failed'],
    [{ type: 'skipped', id: 'gvc/a', because: 'gvc/b failed', reached: 'deleted' },
      '  ○ gvc/a deleted, not created again: gvc/b failed'],
    [{ type: 'failed', id: 'gvc/a', error: new ToolError({ code: 'api.invalid', message: 'no' }), reached: 'written' },
      '  ✗ gvc/a written, not finished: api.invalid: no'],
    [{ type: 'waiting', id: 'gvc/a', for: 'readiness' }, '  … gvc/a waits for readiness'],
    [{ type: 'retrying', id: 'gvc/a', because: 'busy', delayMs: 300 }, '  ↻ gvc/a again in 0.3 s: busy'],
  ])('%j', (event, line) => {
    expect(renderEvent(event, look)).toBe(line);
  });

  test('for a failure has its code and its whole message', () => {
    const error = new ToolError({ code: 'api.invalid', message: 'POST: no\n  spec.x: must be a number' });
    expect(renderEvent({ type: 'failed', id: 'gvc/a', error }, look)).toBe(
      '  ✗ gvc/a failed: api.invalid: POST: no\n      spec.x: must be a number',
    );
  });
});

test.each([
  [0, '0.0 s'],
  [9_940, '9.9 s'],
  [12_400, '12 s'],
  [185_000, '3 min 5 s'],
])('%d ms are shown as %s', (ms, shown) => {
  expect(seconds(ms)).toBe(shown);
});
