import { expect, it, test } from 'vitest';
import { logOf } from '../../../src/provider/host/log.ts';
import { loggedRequests } from '../../../src/provider/platform/connection.ts';

/** The logged messages, if one is written at each level. */
function shown(environment: Readonly<Record<string, string>>): readonly string[] {
  const lines: string[] = [];
  const log = logOf(environment, (line) => lines.push(line));
  for (const level of ['error', 'warn', 'info', 'debug', 'trace'] as const) log?.(level, level);
  return lines.map((line) => JSON.parse(line)['@message']);
}

test.each([
  [{}, []],
  [{ TF_LOG: '' }, []],
  [{ TF_LOG: 'off' }, []],
  [{ TF_LOG: 'ERROR' }, ['error']],
  [{ TF_LOG: 'info' }, ['error', 'warn', 'info']],
  [{ TF_LOG: 'TRACE' }, ['error', 'warn', 'info', 'debug', 'trace']],
  [{ TF_LOG: 'json' }, ['error', 'warn', 'info', 'debug', 'trace']],
  [{ TF_LOG: 'trace', TF_LOG_PROVIDER: 'warn' }, ['error', 'warn']],
  [{ TF_LOG_PROVIDER: 'off', TF_LOG: 'trace' }, []],
])('%o', (environment, expected) => {
  expect(shown(environment)).toEqual(expected);
});

it('writes lines that go-plugin reads: each a JSON object, its time with six digits of a second', () => {
  const lines: string[] = [];
  const log = logOf(
    { TF_LOG: 'info' },
    (line) => lines.push(line),
    () => new Date('2026-01-02T03:04:05.006Z'),
  );
  log?.('info', 'a\nb', { resource: 'gvc/shop', version: 3, failed: [], id: undefined });
  expect(lines).toEqual([
    '{"@level":"info","@message":"a\\nb","@module":"gantry","@timestamp":"2026-01-02T03:04:05.006000Z","resource":"gvc/shop","version":3}\n',
  ]);
});

it('logs each attempt of a request: method, path, outcome, duration, and the id that it sends', () => {
  const lines: unknown[] = [];
  let time = 0;
  const watch = loggedRequests(
    (level, message, facts) => lines.push([level, message, facts]),
    () => time,
  );
  const request = { method: 'PATCH', path: '/org/acme/gvc/shop' } as const;
  const first = watch.begin(request, 1, 'https://example.com');
  time = 12.4;
  first.failed('timeout');
  const second = watch.begin(request, 2, 'https://example.com');
  second.answered(200);
  const ids = [first, second].map(({ headers }) => headers['x-request-id']);
  expect(new Set(ids).size).toBe(2);
  const told = { ...request, request_id: ids[0] };
  expect(lines).toEqual([
    ['debug', 'PATCH /org/acme/gvc/shop', { ...told, failed: 'timeout', duration_ms: 12 }],
    ['debug', 'PATCH /org/acme/gvc/shop', { ...told, request_id: ids[1], status: 200, duration_ms: 0, attempt: 2 }],
  ]);
});
