import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { platformForAll } from '../platform.ts';

const folder = temporaryFolder('snapshot');

/** Different databases. With `GANTRY_TEST_STORE=postgres` the first is PostgreSQL. */
const places = [
  { where: 'the usual store', options: {} },
  { where: 'a file', options: { data: join(folder, 'platform.db') } },
];

/** Far more records than fit into the buffers between server and client. */
const count = 60;
const long = 'x'.repeat(200_000);
const names = Array.from({ length: count }, (_, at) => `secret-${String(at).padStart(2, '0')}`);

describe.each(places)('a snapshot of $where', ({ options }) => {
  const platform = platformForAll(options, async () => {
    for (const name of names) await put(name, `first ${long}`);
  });

  function put(name: string, payload: string): Promise<unknown> {
    return platform.send('PUT', 'secret', { name, type: 'opaque', data: { encoding: 'plain', payload } });
  }

  /** Returns the answer once its head is read. Only as much of the body is read ahead as fits into the buffers. */
  async function begun(path = '/-snapshot?secrets=true'): Promise<IncomingMessage> {
    const request = get(platform.url + path, { headers: { authorization: 'secret-token' }, agent: false });
    const [answer] = await once(request, 'response');
    return answer;
  }

  async function secretsIn(answer: IncomingMessage): Promise<readonly JsonObject[]> {
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    const document: JsonValue = JSON.parse(Buffer.concat(chunks).toString());
    const held = isObject(document) ? objectAt(objectAt(document, 'orgs'), 'local') : {};
    return listAt(held, 'records').flatMap((row) => (isObject(row) && row['kind'] === 'secret' ? [row] : []));
  }

  test('that is read slowly shows the state at its start', async () => {
    const answer = await begun();
    await put('secret-57', 'second');
    await put('secret-58', 'second');
    await platform.send('DELETE', 'secret/secret-59');
    await put('secret-99', 'second');
    // A new record can get the number of the deleted one.
    await put('secret-59', 'second');
    const secrets = await secretsIn(answer);
    expect(secrets.map((row) => stringAt(row, 'name'))).toEqual(names);
    expect(new Set(secrets.map(payloadOf))).toEqual(new Set(['first']));

    const later = await secretsIn(await begun());
    expect(later.map((row) => [stringAt(row, 'name'), payloadOf(row)]).slice(-5)).toEqual([
      ['secret-56', 'first'],
      ['secret-57', 'second'],
      ['secret-58', 'second'],
      ['secret-99', 'second'],
      ['secret-59', 'second'],
    ]);
  });

  test('does not delay other requests', async () => {
    const answer = await begun();
    for (let sent = 0; sent < 20; sent += 1) expect((await platform.send('GET', 'secret/secret-01')).status).toBe(200);
    expect((await secretsIn(answer)).length).toBeGreaterThanOrEqual(count);
  });

  test('that a client aborts keeps no older state', async () => {
    for (let left = 0; left < 3; left += 1) (await begun()).destroy();
    await put('secret-01', 'third');
    expect((await secretsIn(await begun())).map(payloadOf)).toContain('third');
  });

  test('has no body for HEAD, which keeps no older state either', async () => {
    for (let sent = 0; sent < 3; sent += 1) {
      const head = await fetch(`${platform.url}/-snapshot`, {
        method: 'HEAD',
        headers: { authorization: 'secret-token' },
      });
      expect([head.status, await head.text()]).toEqual([200, '']);
    }
    expect((await secretsIn(await begun('/-snapshot'))).map(payloadOf)).not.toContain('third');
  });
});

function payloadOf(row: JsonObject): string | undefined {
  return stringAt(objectAt(objectAt(row, 'hidden'), 'data'), 'payload')?.split(' ')[0];
}
