import { expect, test } from 'vitest';
import { renderStatus } from '../../../src/cli/commands/reconcile/board.ts';
import { statusDocument } from '../../../src/cli/schemas/reconcile.ts';
import type { StackSummary } from '../../../src/reconcile/model.ts';
import { makePalette } from '../../../src/terminal/palette.ts';

function paused(name: string, untilMs?: number): StackSummary {
  const pause = { reason: 'a freeze', by: 'cem', ...(untilMs === undefined ? {} : { untilMs }) };
  return {
    entry: { name, source: { kind: 'folder', path: '/' }, mode: 'auto', intervalMs: 1, jitterMs: 0, after: [] },
    state: { state: 'paused', because: pause.reason, sinceMs: 0, failures: 0, pause },
  };
}

const stacks = [paused('pay', Date.UTC(2027, 0, 2, 8, 30)), paused('shop')];

test('a pause that ends is shown with its end', () => {
  expect(renderStatus(stacks, [], makePalette(false))).toBe(
    [
      'pay   paused   auto     a freeze; until 2027-01-02 08:30 UTC', //
      'shop  paused   auto     a freeze',
    ].join('\n'),
  );
  expect(statusDocument(stacks, [])).toMatchObject({
    stacks: [
      { pausedUntil: '2027-01-02T08:30:00.000Z' },
      expect.not.objectContaining({ pausedUntil: expect.anything() }),
    ],
  });
});
