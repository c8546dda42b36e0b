import { expect, test } from 'vitest';
import { answerToWire } from '../../src/server/http/dispatch/withDialect.ts';
import { dialect } from '../dialect/invented.ts';

const path = '/org/local/gvc';

function listOf(count: number, value: string, more: object = {}): string {
  const items = Array.from({ length: count }, (_, at) => ({
    kind: 'gvc',
    id: `id-${at}`,
    version: 1,
    links: [{ rel: 'self', href: `/org/local/gvc/shop-${at}` }],
    name: `shop-${at}`,
    description: 'ü'.repeat(400),
    tags: { 'scheme/protected': 'true', other: at },
    spec: { env: [{ name: 'PASSWORD', value }] },
  }));
  const links = [{ rel: 'self', href: path }];
  return JSON.stringify({ kind: 'list', itemKind: 'gvc', items, links, ...more });
}

const secret = 'scheme://secret/db.password';
const query = { kind: 'gvc', spec: { match: 'all', terms: [{ op: '=', tag: 'scheme/protected', value: 'true' }] } };

test.each([
  { it: 'a long list', text: listOf(500, secret) },
  { it: 'a long list whose last slice is not full', text: listOf(501, secret) },
  { it: 'the answer to a query', text: listOf(300, secret, { kind: 'queryresult', query }) },
  { it: 'a short list', text: listOf(3, secret) },
  { it: 'an empty list', text: listOf(0, secret) },
  {
    it: 'a long record',
    text: JSON.stringify({ kind: 'gvc', name: 'shop', description: 'scheme://secret/'.repeat(20_000) }),
  },
])('$it is translated in slices as in one piece', async ({ text }) => {
  const whole = dialect.answerText(path, 200, text, 'toWire');
  expect(await answerToWire(dialect, path, 200, text)).toBe(whole);
});

test('a long list is translated to the words of the installation', async () => {
  const text = await answerToWire(dialect, path, 200, listOf(300, secret));
  expect(JSON.parse(text).items[299]).toMatchObject({
    name: 'shop-299',
    tags: { 'quay/protected': 'true', other: 299 },
    spec: { env: [{ name: 'PASSWORD', value: 'quay://secret/db.password' }] },
  });
});

test('other requests are answered while a long list is translated', async () => {
  let turns = 0;
  let isDone = false;
  function turn(): void {
    turns += 1;
    if (!isDone) setImmediate(turn);
  }
  setImmediate(turn);
  await answerToWire(dialect, path, 200, listOf(1_000, secret));
  isDone = true;
  // One turn after every twenty records.
  expect(turns).toBeGreaterThanOrEqual(50);
});
