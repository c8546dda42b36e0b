import { expect, test } from 'vitest';
import { isObject, stringAt } from '../../../src/base/json/json.ts';
import { testPlatform } from '../platform.ts';

test('metrics on a public address need a token, which may be of a service account without permissions', async () => {
  const platform = await testPlatform({ metrics: true, host: '0.0.0.0' });
  const url = platform.url.replace('0.0.0.0', '127.0.0.1');
  const authorization = 'secret-token';
  async function post(path: string, body: object): Promise<unknown> {
    const sent = { method: 'POST', headers: { authorization }, body: JSON.stringify(body) };
    return (await fetch(`${url}/org/local/${path}`, sent)).json();
  }
  await post('serviceaccount', { name: 'scraper' });
  const made = await post('serviceaccount/scraper/-addKey', { description: 'x' });
  const key = isObject(made) ? stringAt(made, 'key') : undefined;
  const refused = await fetch(`${url}/-metrics`);
  const wrong = await fetch(`${url}/-metrics`, { headers: { authorization: 'other' } });
  const own = await fetch(`${url}/-metrics`, { headers: { authorization } });
  const scraped = await fetch(`${url}/-metrics`, { headers: { authorization: `Bearer ${key}` } });
  const open = await Promise.all(
    ['/-health', '/discovery', '/about', '/openapi.json'].map((path) => fetch(url + path)),
  );
  await platform.close();
  expect([refused.status, wrong.status, own.status, scraped.status]).toEqual([401, 401, 200, 200]);
  expect(await refused.json()).toMatchObject({ code: 'unauthorized' });
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
