import { beforeEach, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt } from '../../../src/base/json/json.ts';
import type { RequestLogEntry } from '../../../src/server/http/listen.ts';
import { asked } from '../doors/asked.ts';
import { platformForAll } from '../platform.ts';

let log: RequestLogEntry[] = [];
const platform = platformForAll({ metrics: true, requestLog: (entry) => log.push(entry) });
beforeEach(() => {
  log = [];
});

function send(id: string, method: string, path: string, body?: JsonObject) {
  const headers = { host: 'localhost', authorization: 'secret-token', 'x-request-id': id };
  return asked(platform.url, { method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

async function inTrail(id: string): Promise<number> {
  const { body } = await platform.send('GET', '/audit/org/local?limit=500');
  return listAt(body, 'items').filter((event) => isObject(event) && event['requestId'] === id).length;
}

test("a client's request id is in the answer, the log and the audit trail", async () => {
  const id = '4f1c2e/build-17:apply@ci+1=x';
  const made = await send(id, 'POST', '/org/local/gvc', { name: 'shop' });
  expect([made.status, made.headers['x-request-id']]).toEqual([201, id]);
  expect(log).toMatchObject([{ id, method: 'POST', path: '/org/local/gvc', operation: 'gvc.create', status: 201 }]);
  expect(await inTrail(id)).toBe(1);
});

test("a client's request id is in the body of a refusal and its audit event", async () => {
  const refused = await send('refused-1', 'POST', '/org/local/gvc', { name: 'A B' });
  expect([refused.status, refused.body['id'], refused.headers['x-request-id']]).toEqual([
    400,
    'refused-1',
    'refused-1',
  ]);
  expect(await inTrail('refused-1')).toBe(1);
});

test.each(['', ' ', 'a b', 'x'.repeat(129), '"><script>', 'a\tb', 'a;b', 'a\u00e9'])(
  'a request id that is not a plain word is replaced: %j',
  async (id) => {
    const answer = await send(id, 'GET', '/org/local/gvc');
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(log).toMatchObject([{ id: answer.headers['x-request-id'] }]);
  },
);

test('requests with the same id are each counted for their own operation', async () => {
  await Promise.all([
    send('same', 'GET', '/org/local/secret'),
    send('same', 'GET', '/org/local/policy'),
    send('same', 'GET', '/org/local/nothing-like-this'),
  ]);
  const text = await (await fetch(`${platform.url}/-metrics`)).text();
  expect(text).toContain('gantry_http_requests_total{operation="secret.list",method="GET",status="200"} 1');
  expect(text).toContain('gantry_http_requests_total{operation="policy.list",method="GET",status="200"} 1');
});
