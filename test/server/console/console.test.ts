import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isObject, listAt, numberAt, objectAt } from '../../../src/base/json/json.ts';
import { startServer } from '../../../src/server/start.ts';
import { type Browser, type BrowserPage, startBrowser } from '../../browser/browser.ts';
import { chromiumForTests } from '../../browser/chromiumForTests.ts';
import { doing } from '../../browser/person.ts';
import { seriousProblems } from '../../report/html/pageProbe.ts';
import { platformForAll, platformForEach, testStore } from '../platform.ts';
import { fillConsole, markup } from './filled.ts';

const program = await chromiumForTests('the console');
const shop = '/org/local/gvc/shop';

const pages: BrowserPage[] = [];
let browser: Browser | undefined;
beforeAll(async () => {
  if (program !== undefined) browser = await startBrowser(program);
});
afterEach(async () => {
  for (const page of pages.splice(0)) await page.close();
});
afterAll(async () => {
  await browser?.close();
});

async function visit(url: string, hash = ''): Promise<BrowserPage> {
  if (browser === undefined) throw new Error('there is no browser');
  const page = await browser.open(`${url}/-console${hash}`);
  pages.push(page);
  return page;
}

describe('the page of the console', () => {
  const platform = platformForAll();

  test('has a strict content security policy, and contains nothing of the org', async () => {
    const answer = await fetch(`${platform.url}/-console`);
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(text).not.toMatch(/local|admin|<style|<script>/);
  });

  test('has files that browsers cache if they are requested with their version', async () => {
    const text = await (await fetch(`${platform.url}/-console`)).text();
    const files = [...text.matchAll(/(?:href|src)="(\/-console\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files).toHaveLength(2);
    for (const path of files) {
      const kept = async (address: string) => (await fetch(platform.url + address)).headers.get('cache-control');
      expect(await kept(path)).toBe('public, max-age=31536000, immutable');
      expect(await kept(path.split('?')[0] ?? '')).toBe('no-cache');
    }
  });

  test.each(['package.json', '..%2fpackage.json', 'index.html', 'constructor'])(
    'serves no other file: %s',
    async (name) => {
      const headers = { authorization: 'secret-token' };
      expect((await fetch(`${platform.url}/-console/${name}`, { headers })).status).toBe(404);
    },
  );
});

describe('the usage of a volume set', () => {
  const platform = platformForAll({ clock: 'virtual' }, fillConsole);

  test('shows past use and sizes of its volumes, and ends with the current ones', async () => {
    const { status, body } = await platform.send('GET', `${shop}/volumeset/data/-usage`);
    const live = (await platform.send('GET', `${shop}/volumeset/data`)).body;
    const [volume] = listAt(body, 'volumes').filter(isObject);
    const [usage, sizes] = ['usage', 'sizes'].map((name) => listAt(volume ?? {}, name).filter(isObject));
    expect(status).toBe(200);
    // Use grows by 1 GB an hour from 4 to 28 GB. If less than a fifth is free, the volume grows to 1.5 times the need.
    const gb = sizes?.map((size) => numberAt(size, 'sizeGb') ?? 0) ?? [];
    expect(gb).toEqual(
      [10, 15, 22.5, 33.75, 50.6].map((size) => expect.toSatisfy((is: number) => is >= size && is < 1.03 * size)),
    );
    expect(numberAt(usage?.at(-1) ?? {}, 'usedGb')).toBeCloseTo(28, 1);
    expect(usage?.length).toBeLessThanOrEqual(201);
    const times = (list = usage) => list?.map(({ at }) => Date.parse(String(at)));
    expect(times()).toEqual(times()?.toSorted((a, b) => a - b));
    const [location] = listAt(objectAt(live, 'status'), 'locations').filter(isObject);
    const [now] = listAt(location ?? {}, 'volumes').filter(isObject);
    expect(numberAt(sizes?.at(-1) ?? {}, 'sizeGb')).toBe(numberAt(now ?? {}, 'currentSize'));
  });
});

describe.skipIf(program === undefined)('a user with a browser', () => {
  const platform = platformForAll({ clock: 'virtual' }, fillConsole);
  const token = 'secret-token';
  const isForeign = (url: string): boolean => url !== 'data:,' && !url.startsWith(`${platform.url}/`);

  async function signedIn(hash = ''): Promise<BrowserPage> {
    const page = await visit(platform.url, hash);
    await doing(page, `await signIn('${token}');`);
    return page;
  }

  test('sees nothing without a token, or with a wrong one', async () => {
    const page = await visit(platform.url);
    expect(
      await doing(page, `await tryToken('wrong'); await says('not valid here'); return main().innerText`),
    ).not.toMatch(/shop|admin/);
    expect(await doing(page, `return JSON.stringify(sessionStorage) + JSON.stringify(localStorage)`)).toBe('{}{}');
  });

  test('signs in for this tab, and out again', async () => {
    const page = await signedIn();
    const kept = `return [JSON.stringify(sessionStorage), JSON.stringify(localStorage) + document.cookie + location.href]`;
    expect(await doing(page, `await says('3 workloads'); ${kept}`)).toEqual([
      `{"gantry.token":"${token}"}`,
      expect.not.stringContaining(token),
    ]);
    expect(await doing(page, `(await one('.who button')).click(); await one('input[name=token]'); ${kept}`)).toEqual([
      '{}',
      expect.anything(),
    ]);
    expect(page.requested.filter((url) => url.includes(token) || isForeign(url))).toEqual([]);
  });

  test('finds a workload, starting at the org, with the keyboard only', async () => {
    const page = await signedIn();
    const path = await doing(
      page,
      `const follow = async (text) => { const link = await one('main a', text); link.focus(); link.click(); };
       await follow('shop');
       await says('2 of 2 replicas');
       await follow('web');
       await says('aws-us-west-2');
       return [document.title, location.hash, texts('.card h2')];`,
    );
    expect(path).toEqual(['web – Console', `#${shop}/workload/web`, ['aws-eu-central-1 ready', 'aws-us-west-2 ready']]);
  });

  test('compares any two versions of a record, and sees their authors', async () => {
    const page = await signedIn(`#${shop}/workload/web?versions`);
    const seen = await doing(
      page,
      `await says('tags.owner');
       const last = [texts('.compared select'), texts('.fields > li')];
       const older = await one('select[name=older]');
       older.value = '1';
       older.dispatchEvent(new Event('change', { bubbles: true }));
       await says('2 fields differ');
       return { last: last[1], all: texts('.fields > li'), who: texts('.rows > li').map((row) => row.replace(/\\d{4}-.*UTC /, '')) };`,
    );
    expect(seen).toEqual({
      last: [expect.stringMatching(/^tags\.owner .*ann$/)],
      all: [
        expect.stringMatching(/^spec\.containers\.main\.image .*web:1.*web:2$/),
        expect.stringMatching(/^tags\.owner .*ann$/),
      ],
      who: [
        'Version 3 edit by admin@example.com Compare with version 2',
        'Version 2 edit by admin@example.com Compare with version 1',
        'Version 1 create by admin@example.com',
      ],
    });
  });

  test.each([
    { it: 'the events of a record', hash: `#${shop}/workload/web?events`, says: 'rollout ready' },
    { it: 'the runs of a job', hash: `#${shop}/workload/nightly?runs`, says: 'took 1s' },
    { it: 'the growth of a volume', hash: `#${shop}/volumeset/data`, says: 'expandVolume' },
    { it: 'the audit trail', hash: '#/org/local?trail', says: 'workload/shop/nightly' },
    { it: 'a list of a kind', hash: '#/org/local/secret', says: 'key' },
    { it: 'the content of a GVC', hash: `#${shop}`, says: '% full' },
    { it: 'that a record does not exist', hash: `#${shop}/workload/none`, says: 'does not exist' },
  ])('sees $it, in light and dark and on a phone', async ({ hash, says }) => {
    const page = await signedIn(hash);
    await doing(page, `await says(${JSON.stringify(says)})`);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulate({ theme });
      expect(await seriousProblems(page)).toEqual([]);
    }
    await page.resize({ width: 375, height: 800 });
    expect(
      await doing(page, `await says(${JSON.stringify(says)}); return document.documentElement.scrollWidth`),
    ).toBeLessThanOrEqual(375);
    // 401 comes before the token is entered, 404 for the missing record.
    expect(page.errors.filter((error) => !/ 401 | 404 /.test(error))).toEqual([]);
  });

  test('does not see the value of a secret, and sees markup in texts as text', async () => {
    const page = await signedIn('#/org/local/secret/key');
    expect(await doing(page, `await says('opaque'); return main().innerText`)).not.toContain('a-hidden-value');
    const seen = await doing(
      page,
      `location.hash = '#${shop}/workload/web?record';
       await says('onerror');
       return [main().querySelector('.record-head p').innerText, document.querySelectorAll('img').length];`,
    );
    expect(seen).toEqual([markup, 0]);
  });

  test.each(['#/org/local/gvc/%E0%A4', '#//evil.example', '#javascript:alert(1)', '#/org/local/../../x', '#/about'])(
    'is not led to another server by the link %s',
    async (hash) => {
      const page = await signedIn(hash);
      await doing(page, `await until('something', () => main().innerText.length > 0)`);
      expect(page.requested.filter(isForeign)).toEqual([]);
    },
  );
});

describe.skipIf(program === undefined)('the console of a changing platform', () => {
  const platform = platformForEach({ noAuth: true });
  const json = { 'content-type': 'application/json' };

  test('shows new records without a reload, and asks for no token if the server has none', async () => {
    const page = await visit(platform.url);
    await doing(page, `await says('There are none.')`);
    const body = JSON.stringify({ name: 'later', spec: {} });
    await fetch(`${platform.url}/org/local/gvc`, { method: 'POST', headers: json, body });
    expect(await doing(page, `await says('later'); return document.querySelector('.who').innerText.trim()`)).toBe(
      'admin@example.com',
    );
    expect(page.errors).toEqual([]);
  });
});

test.skipIf(program === undefined)(
  'the console keeps its content while the server is unreachable, and says so',
  async () => {
    const server = await startServer({ port: 0, noAuth: true, ...testStore() });
    const page = await visit(server.url);
    await doing(page, `await says('There are none.')`);
    await server.close();
    const seen = `await says('cannot be reached'); return main().innerText.includes('There are none.')`;
    expect(await doing(page, seen)).toBe(true);
  },
);
