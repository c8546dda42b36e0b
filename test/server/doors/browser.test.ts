import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RequestLogEntry } from '../../../src/server/http/listen.ts';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { type Browser, startBrowser } from '../../browser/browser.ts';
import { chromiumForTests } from '../../browser/chromiumForTests.ts';
import { listenOnLoopback } from '../../harness/loopback.ts';
import { testStore } from '../platform.ts';

const program = await chromiumForTests('attacks from pages');

let browser: Browser;
let open: RunningServer;
let guarded: RunningServer;
let port: string;
let log: RequestLogEntry[] = [];
const pages = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>evil</title>');
});
let evil: string;

beforeAll(async () => {
  if (program === undefined) return;
  const requestLog = (entry: RequestLogEntry) => log.push(entry);
  open = await startServer({ port: 0, noAuth: true, requestLog, ...testStore() });
  guarded = await startServer({ port: 0, token: 't', dev: true, metrics: true, requestLog, ...testStore() });
  port = new URL(open.url).port;
  const headers = { 'content-type': 'application/json' };
  await fetch(`${open.url}/org/local/gvc`, { method: 'POST', headers, body: '{"name":"private"}' });
  evil = `evil.example:${await listenOnLoopback(pages)}`;
  browser = await startBrowser(program);
});
beforeEach(() => {
  log = [];
});
afterAll(async () => {
  await Promise.all([browser?.close(), open?.close(), guarded?.close()]);
  pages.close();
});

/** A function in the page that returns the outcome of a fetch. */
const tried = `const tried = (...asked) => fetch(...asked).then(async (r) => [r.type, r.status, await r.text()], () => ['failed']);`;

async function namesOn(server: RunningServer, headers = {}): Promise<string> {
  return (await fetch(`${server.url}/org/local/gvc`, { headers })).text();
}

/** One request for each attempt. Those that need a preflight end with it. */
const requestsOfAttack = 11;

/** All requests that a page of another origin can send without a preflight, and some that need one. */
function attack(url: string): string {
  return `(async () => {
    ${tried}
    const url = ${JSON.stringify(url)};
    const body = JSON.stringify({ name: 'planted' });
    const results = [
      await tried(url + '/org/local/gvc'),
      await tried(url + '/discovery'),
      await tried(url + '/org/local/gvc', { mode: 'no-cors' }),
      await tried(url + '/org/local/gvc', { mode: 'no-cors', method: 'POST', body }),
      await tried(url + '/org/local/gvc', { mode: 'no-cors', method: 'POST', body: new Blob([body]) }),
      await tried(url + '/org/local/gvc', { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
      await tried(url + '/org/local/gvc/private', { method: 'DELETE' }),
      [String(navigator.sendBeacon(url + '/org/local/gvc', body))],
      await new Promise((done) => {
        const script = document.createElement('script');
        script.onload = () => done(['loaded']);
        script.onerror = () => done(['failed']);
        script.src = url + '/org/local/gvc';
        document.head.append(script);
      }),
      await new Promise((done) => {
        const socket = new WebSocket(url.replace('http', 'ws') + '/org');
        socket.onopen = () => done(['opened']);
        socket.onerror = () => done(['failed']);
      }),
      await new Promise((done) => {
        const frame = document.createElement('iframe');
        frame.name = 'sink';
        document.documentElement.append(frame);
        const form = document.createElement('form');
        Object.assign(form, { action: url + '/org/local/gvc', method: 'post', enctype: 'text/plain', target: 'sink' });
        const input = document.createElement('input');
        Object.assign(input, { name: '{"name":"planted","x":"', value: '"}' });
        form.append(input);
        document.documentElement.append(form);
        frame.onload = () => done(['sent']);
        form.submit();
      }),
    ];
    return results;
  })()`;
}

test.skipIf(program === undefined)('a page of another origin reads nothing and writes nothing', async () => {
  for (const url of [open.url, `http://localhost:${port}`]) {
    const page = await browser.open(`http://${evil}/`);
    const results = await page.evaluate(attack(url));
    expect(results).toEqual([
      ...[['failed'], ['failed']],
      ...[
        ['opaque', 0, ''],
        ['opaque', 0, ''],
        ['opaque', 0, ''],
      ],
      ...[['failed'], ['failed'], ['true'], ['failed'], ['failed'], ['sent']],
    ]);
  }
  // Waits for all of them, so that none is in the log of the next test.
  await expect.poll(() => log.length).toBe(2 * requestsOfAttack);
  expect(log.filter(({ status }) => status !== 403)).toEqual([]);
  expect(await namesOn(open)).toContain('private');
  expect(await namesOn(open)).not.toContain('planted');
});

test.skipIf(program === undefined)(
  'a page of the same machine on another port reads nothing and writes nothing',
  async () => {
    const page = await browser.open(`http://localhost:${evil.split(':')[1]}/`);
    await page.evaluate(attack(`http://localhost:${port}`));
    await expect.poll(() => log.length).toBe(requestsOfAttack);
    expect(log.filter(({ status }) => status !== 403)).toEqual([]);
    expect(await namesOn(open)).not.toContain('planted');
  },
);

test.skipIf(program === undefined)(
  'a page whose host name was rebound to loopback reads nothing and writes nothing',
  async () => {
    const page = await browser.open(`http://rebound.example:${port}/page`, '<title>evil</title>');
    const results = await page.evaluate(`(async () => {
    ${tried}
    const json = { 'content-type': 'application/json' };
    return [
      location.origin,
      await tried('/org/local/gvc'),
      await tried('/discovery'),
      await tried('/org/local/gvc', { method: 'POST', headers: json, body: '{"name":"planted"}' }),
      await tried('/-snapshot'),
    ];
  })()`);
    const refused = ['basic', 403, expect.stringContaining('foreign_host')];
    expect(results).toEqual([`http://rebound.example:${port}`, refused, refused, refused, refused]);
    expect(log.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(await namesOn(open)).not.toContain('planted');
  },
);

test.skipIf(program === undefined)(
  'a rebound page on a server with a token cannot even read routes that need no token',
  async () => {
    const own = new URL(guarded.url).port;
    const page = await browser.open(`http://rebound.example:${own}/page`, '<title>evil</title>');
    const results = await page.evaluate(`(async () => {
    ${tried}
    return [await tried('/discovery'), await tried('/-metrics'), await tried('/openapi.json'), await tried('/-clock')];
  })()`);
    const refused = ['basic', 403, expect.stringContaining('foreign_host')];
    expect(results).toEqual([refused, refused, refused, refused]);
  },
);

test.skipIf(program === undefined).each(['localhost', '127.0.0.1'])('the page of the API works on %s', async (name) => {
  const page = await browser.open(`http://${name}:${port}/-docs`);
  const results = await page.evaluate(`(async () => {
    ${tried}
    const json = { 'content-type': 'application/json' };
    return [
      document.querySelector('script[src="/-docs/page.js"]') !== null,
      await tried('/org/local/gvc/private'),
      await tried('/org/local/gvc/private', { method: 'PATCH', headers: json, body: '{"tags":{"a":"b"}}' }),
    ];
  })()`);
  const found = ['basic', 200, expect.stringContaining('private')];
  expect(results).toEqual([true, found, found]);
});
