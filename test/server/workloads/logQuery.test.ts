import { expect, test, vi } from 'vitest';
import { readLogQuery } from '../../../src/server/workloads/routes.ts';

const nowMs = Date.parse('2026-11-28T12:00:00Z');
const read = (query: string) => readLogQuery(new URLSearchParams(query), nowMs);

test('a query has labels, a window, a limit and a direction', () => {
  expect(read('query={gvc="shop", workload="web"}&start=1700000000000000000&limit=5&direction=forward')).toEqual({
    labels: new Map([
      ['gvc', 'shop'],
      ['workload', 'web'],
    ]),
    ...{ fromMs: 1_700_000_000_000, toMs: nowMs, limit: 5, isNewestFirst: false },
  });
  expect(read('query={}&end=2026-11-28T11:00:00Z')).toMatchObject({
    ...{ fromMs: nowMs - 2 * 3_600_000, toMs: nowMs - 3_600_000, limit: 100, isNewestFirst: true },
  });
});

test('a time without a zone is in UTC, wherever the server runs', () => {
  vi.stubEnv('TZ', 'America/New_York');
  expect(read('query={}&end=2026-11-28T11:00:00').toMs).toBe(nowMs - 3_600_000);
  vi.unstubAllEnvs();
});

test.each([
  { query: 'query=web', says: /query is a selector/ },
  { query: 'query={gvc=~"s.*"}', says: /gvc=~"s\.\*" is not known/ },
  { query: 'query={}&limit=0', says: /limit is 1 to 5000/ },
  { query: 'query={}&start=yesterday', says: /start is a time/ },
  { query: 'query={}&start=day 5', says: /start is a time/ },
  { query: 'query={}&end=2026-02-30', says: /end is a time/ },
])('$query is refused', ({ query, says }) => {
  expect(() => read(query)).toThrow(says);
});
