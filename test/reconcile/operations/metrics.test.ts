import { expect, test } from 'vitest';
import { reconcileMetrics } from '../../../src/reconcile/http/metrics.ts';
import type { EndedRun } from '../../../src/reconcile/model.ts';

const dayMs = 24 * 3_600_000;

/** A board with ended runs, and the number of them that the metrics have counted. */
function fleet() {
  const clock = { nowMs: 10 * dayMs };
  let runs: readonly EndedRun[] = [];
  const board = {
    list: async () => [],
    figures: async () => ({ queued: 0, active: 0, requests: 0, hours: [] }),
    targets: async () => [],
    ended: async (sinceMs: number) =>
      runs.filter(({ endMs }) => endMs >= sinceMs).toSorted((one, other) => one.endMs - other.endMs),
  };
  const metrics = reconcileMetrics(board, () => clock.nowMs);
  return {
    /** Ends runs, one minute later. */
    end(...ids: readonly string[]) {
      clock.nowMs += 60_000;
      const ended = ids.map((id) => ({
        id,
        startMs: clock.nowMs - 1_000,
        endMs: clock.nowMs,
        outcome: 'in line' as const,
      }));
      runs = [...runs, ...ended];
    },
    jump(ms: number) {
      clock.nowMs += ms;
    },
    forget(id: string) {
      runs = runs.filter((run) => run.id !== id);
    },
    async count() {
      const text = await metrics.text();
      return Number(/gantry_reconcile_run_seconds_count\{.*\} (\d+)/.exec(text)?.[1] ?? 0);
    },
  };
}

test('each run counts once, however the clock of the database jumps', async () => {
  const { end, jump, count } = fleet();
  end('one', 'two');
  expect(await count()).toBe(2);
  jump(dayMs);
  end('ahead');
  expect(await count()).toBe(3);
  jump(-dayMs);
  expect(await count()).toBe(3);
  end('after');
  expect(await count()).toBe(4);
  end('later');
  expect([await count(), await count()]).toEqual([5, 5]);
});

test("a clock that is set back to before the worker's start does not stop the metrics", async () => {
  const { end, jump, count } = fleet();
  end('one', 'two');
  expect(await count()).toBe(2);
  jump(-2 * dayMs);
  expect(await count()).toBe(2);
  end('after');
  end('later');
  expect([await count(), await count()]).toEqual([4, 4]);
});

test('no run counts again if the newest one is forgotten', async () => {
  const { end, forget, count } = fleet();
  for (const id of ['one', 'two', 'three', 'four', 'five']) {
    end(id);
    await count();
  }
  forget('five');
  expect([await count(), await count()]).toEqual([5, 5]);
});
