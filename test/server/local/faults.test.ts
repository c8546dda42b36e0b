import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isObject, listAt, own, stringAt } from '../../../src/base/json/json.ts';
import { platformForEach } from '../platform.ts';

const platform = platformForEach();

async function faults(...list: readonly object[]): Promise<void> {
  expect((await platform.send('POST', '/-faults', { seed: 's', faults: list })).status).toBe(200);
}

async function statuses(count: number): Promise<readonly number[]> {
  const seen: number[] = [];
  for (let index = 0; index < count; index += 1) seen.push((await platform.send('GET', 'gvc')).status);
  return seen;
}

test('a fault can answer the n-th requests with a status', async () => {
  await faults({ method: 'GET', path: '/org/local/gvc', status: 503, at: [2, 4] });
  expect(await statuses(5)).toEqual([200, 503, 200, 503, 200]);
});

test('a fault can answer a given number of requests with a status', async () => {
  await faults({ status: 500, times: 2 });
  expect(await statuses(4)).toEqual([500, 500, 200, 200]);
});

test('a fault with a probability affects the same requests each time for one seed', async () => {
  const fault = { status: 503, probability: 0.5 };
  await faults(fault);
  const first = await statuses(40);
  await faults(fault);
  expect(await statuses(40)).toEqual(first);
  const struck = first.filter((status) => status === 503).length;
  expect(struck).toBeGreaterThan(5);
  expect(struck).toBeLessThan(35);
});

test('a fault with 429 can have Retry-After', async () => {
  await faults({ status: 429, retryAfter: 3 });
  const answer = await platform.send('GET', 'gvc');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3']);
  expect(stringAt(answer.body, 'message')).not.toContain('quota');
});

test('a dropped reply breaks the connection after the write', async () => {
  await faults({ method: 'POST', path: '/org/*/gvc', drop: true, times: 1 });
  await expect(platform.send('POST', 'gvc', { name: 'shop' })).rejects.toThrow();
  expect((await platform.send('GET', 'gvc/shop')).status).toBe(200);
});

test('a reset breaks the connection without a write', async () => {
  await faults({ method: 'POST', path: '/org/*/gvc', reset: true, times: 1 });
  await expect(platform.send('POST', 'gvc', { name: 'shop' })).rejects.toThrow();
  expect((await platform.send('GET', 'gvc/shop')).status).toBe(404);
});

test('a stale read shows an earlier version', async () => {
  await platform.send('POST', 'gvc', { name: 'shop' });
  await faults({ method: 'GET', path: '/org/local/gvc/*', stale: '1h' });
  await platform.send('GET', 'gvc/shop');
  await platform.send('PATCH', 'gvc/shop', { description: 'new' });
  expect(own((await platform.send('GET', 'gvc/shop')).body, 'version')).toBe(1);
  await platform.send('DELETE', '/-faults');
  expect(own((await platform.send('GET', 'gvc/shop')).body, 'version')).toBe(2);
});

test('a stale query shows the earlier result of the same query only', async () => {
  const named = (value: string) => ({ spec: { terms: [{ op: '=', property: 'name', value }] } });
  const versions = async (name: string) => {
    const { body } = await platform.send('POST', 'gvc/-query', named(name));
    return listAt(body, 'items').map((item) => (isObject(item) ? own(item, 'version') : undefined));
  };
  await platform.send('POST', 'gvc', { name: 'shop' });
  await platform.send('POST', 'gvc', { name: 'bar' });
  await faults({ method: 'POST', path: '/org/local/gvc/-query', stale: '1h' });
  expect(await versions('shop')).toEqual([1]);
  await platform.send('PATCH', 'gvc/shop', { description: 'new' });
  await platform.send('PATCH', 'gvc/bar', { description: 'new' });
  expect([await versions('shop'), await versions('bar')]).toEqual([[1], [2]]);
});

test('with ignorePrecondition a PATCH for another version is accepted, and /discovery promises no preconditions', async () => {
  await platform.send('POST', 'gvc', { name: 'shop' });
  const wrong = { id: 'another', version: 7, description: 'new' };
  expect((await platform.send('PATCH', 'gvc/shop', wrong)).status).toBe(409);
  expect((await platform.send('GET', '/discovery')).body).toMatchObject({ preconditions: 'honoured' });
  await faults({ ignorePrecondition: true });
  expect((await platform.send('PATCH', 'gvc/shop', wrong)).body).toMatchObject({ version: 2, description: 'new' });
  expect((await platform.send('GET', '/discovery')).body).not.toHaveProperty('preconditions');
});

test('with ignorePrecondition for one method /discovery still promises preconditions, as the guide warns', async () => {
  await platform.send('POST', 'gvc', { name: 'shop' });
  await faults({ method: 'PATCH', ignorePrecondition: true });
  const wrong = { id: 'another', version: 7, description: 'new' };
  expect((await platform.send('PATCH', 'gvc/shop', wrong)).status).toBe(200);
  expect((await platform.send('GET', '/discovery')).body).toMatchObject({ preconditions: 'honoured' });
  const guide = readFileSync(new URL('../../../docs/platform.md', import.meta.url), 'utf8');
  expect(guide).toContain('`ignorePrecondition` takes no `method` and no `path`');
});

test('a slow deletion still shows the record', async () => {
  await platform.send('POST', 'gvc', { name: 'shop' });
  await faults({ method: 'DELETE', path: '/org/local/**', slowDeletion: '1h' });
  expect((await platform.send('DELETE', 'gvc/shop')).status).toBe(202);
  expect((await platform.send('GET', 'gvc/shop')).status).toBe(200);
  expect((await platform.send('DELETE', 'gvc/shop')).status).toBe(404);
});

test('matching and affected requests of a fault are counted', async () => {
  await faults({ method: 'GET', path: '/org/local/gvc', status: 503, at: [2] });
  await statuses(3);
  expect((await platform.send('GET', '/-faults')).body).toMatchObject({ counts: [{ met: 3, struck: 1 }] });
});

test.each([
  [{}, 'faults'],
  [{ faults: [{}] }, 'faults.0'],
  [{ faults: [{ status: 200 }] }, 'faults.0.status'],
  [{ faults: [{ latency: 'long' }] }, 'faults.0.latency'],
  [{ faults: [{ status: 500, probability: 2 }] }, 'faults.0.probability'],
  [{ faults: [{ status: 500, at: [0] }] }, 'faults.0.at.0'],
  [{ faults: [{ status: 500, path: 'org' }] }, 'faults.0.path'],
  [{ faults: [{ status: 500, colour: 'red' }] }, 'faults.0.colour'],
])('%j is refused at %s, and sets no fault', async (body, place) => {
  const answer = await platform.send('POST', '/-faults', body);
  expect([answer.status, answer.body]).toMatchObject([400, { details: { problems: [{ path: place }] } }]);
  expect(await statuses(2)).toEqual([200, 200]);
});
