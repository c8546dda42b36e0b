import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { testStore } from '../platform.ts';
import { type Asked, asked } from './asked.ts';

let open: RunningServer;
let guarded: RunningServer;
let port: string;
beforeAll(async () => {
  open = await startServer({ port: 0, noAuth: true, ...testStore() });
  guarded = await startServer({ port: 0, token: 't', ...testStore() });
  port = new URL(open.url).port;
});
afterAll(() => Promise.all([open.close(), guarded.close()]));

/** Sends a request. `{port}` in its headers is replaced by the port of the server. */
function here(server: RunningServer, { headers = {}, ...rest }: Asked) {
  const own = new URL(server.url).port;
  const placed = Object.entries(headers).map(([name, value]) => [name, value.replaceAll('{port}', own)]);
  return asked(server.url, { ...rest, headers: Object.fromEntries(placed) });
}

const host = 'localhost:{port}';
const json = 'application/json';
const gvc = '{"name":"planted"}';
const write = { method: 'POST', path: '/org/local/gvc', body: gvc } as const;
const page = 'http://evil.example';

interface Refused extends Asked {
  readonly it: string;
  readonly code: string;
}

/** The requests that browsers send for each case, taken from Chromium 147. */
// biome-ignore format: one case a line
const refused: readonly Refused[] = [
  { it: 'no Host', path: '/org', code: 'foreign_host' },
  { it: 'an empty Host', path: '/org', headers: { host: '' }, code: 'foreign_host' },
  { it: 'a name bound to loopback', path: '/org', headers: { host: 'evil.example:{port}' }, code: 'foreign_host' },
  { it: 'discovery under a name bound to loopback', path: '/discovery', headers: { host: 'evil.example' }, code: 'foreign_host' },
  { it: 'a name that begins with localhost', path: '/org', headers: { host: 'localhost.evil.example' },
    code: 'foreign_host' },
  { it: 'a name that begins with an address', path: '/org', headers: { host: '127.0.0.1.evil.example' },
    code: 'foreign_host' },
  { it: 'the address of any interface', path: '/org', headers: { host: '0.0.0.0:{port}' }, code: 'foreign_host' },
  { it: 'an address of the network', path: '/org', headers: { host: '192.168.1.5:{port}' }, code: 'foreign_host' },
  { it: 'a Host that is not a host', path: '/org', headers: { host: 'a b' }, code: 'foreign_host' },
  { it: 'a write of a rebound page to its own origin', ...write,
    headers: { host: 'evil.example:{port}', origin: 'http://evil.example:{port}', 'content-type': json },
    code: 'foreign_host' },
  { it: 'a fetch from another origin', path: '/org', headers: { host, origin: page }, code: 'foreign_origin' },
  { it: 'a page without an origin', path: '/org', headers: { host, origin: 'null' }, code: 'foreign_origin' },
  { it: 'a page of another port', path: '/org', headers: { host, origin: 'http://localhost:3000' },
    code: 'foreign_origin' },
  { it: 'a page of another name of loopback', path: '/org', headers: { host, origin: 'http://127.0.0.1:{port}' },
    code: 'foreign_origin' },
  { it: 'a page of another scheme', path: '/org', headers: { host, origin: 'https://localhost:{port}' },
    code: 'foreign_origin' },
  { it: 'an extension', path: '/org', headers: { host, origin: 'chrome-extension://abcdef' }, code: 'foreign_origin' },
  { it: 'a preflight', method: 'OPTIONS', path: '/org/local/gvc',
    headers: { host, origin: page, 'access-control-request-method': 'PUT', 'sec-fetch-site': 'cross-site' },
    code: 'foreign_origin' },
  { it: 'an image or script without CORS', path: '/org/local/gvc',
    headers: { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
    code: 'foreign_origin' },
  { it: 'an image or script from another port', path: '/org', headers: { host, 'sec-fetch-site': 'same-site' },
    code: 'foreign_origin' },
  { it: 'a frame', path: '/-docs',
    headers: { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    code: 'foreign_origin' },
  { it: 'a form', ...write,
    headers: { host, origin: page, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate' },
    code: 'foreign_origin' },
  { it: 'a WebSocket', path: '/org',
    headers: { host, origin: page, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' },
    code: 'foreign_origin' },
];

test.each(refused)('without tokens, $it is refused and changes nothing', async ({ it: _, code, ...request }) => {
  const answer = await here(open, request);
  expect([answer.status, answer.body['code']]).toEqual([403, code]);
  expect(answer.body).toMatchObject({ status: 403, message: expect.any(String), id: expect.any(String) });
  expect(answer.text).not.toContain('evil.example');
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  expect((await here(open, { path: '/org/local/gvc/planted', headers: { host } })).status).toBe(404);
});

test.each(refused)(
  'on a server with a token and local-only endpoints, $it is refused too',
  async ({ it: _, code, ...request }) => {
    const answer = await here(guarded, { ...request, headers: { ...request.headers, authorization: 't' } });
    expect([answer.status, answer.body['code']]).toEqual([403, code]);
  },
);

const formTypes = [
  'text/plain;charset=UTF-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
];

test.each(formTypes)(
  'without tokens, a body sent as %j is refused, and the refusal names the type to send',
  async (type) => {
    const headers = { host, ...(type === '' ? {} : { 'content-type': type }) };
    const answer = await here(open, { ...write, headers });
    expect([answer.status, answer.body['code']]).toEqual([415, 'not_json']);
    expect(answer.body['message']).toContain('content-type: application/json');
    expect((await here(open, { path: '/org/local/gvc/planted', headers: { host } })).status).toBe(404);
  },
);

test('with a token any content type is accepted, because no page can send the token', async () => {
  const headers = { host, authorization: 't', 'content-type': 'application/x-www-form-urlencoded' };
  expect((await here(guarded, { ...write, headers })).status).toBe(201);
});

interface Taken extends Asked {
  readonly it: string;
  readonly status: number;
}

// biome-ignore format: one case a line
const taken: readonly Taken[] = [
  { it: 'curl', path: '/org/local/gvc', headers: { host, 'user-agent': 'curl/8.5.0', accept: '*/*' }, status: 200 },
  { it: 'a program with JSON', ...write, body: '{"name":"one"}', headers: { host, 'content-type': json }, status: 201 },
  { it: 'JSON with a character set', ...write, body: '{"name":"two"}',
    headers: { host, 'content-type': 'Application/JSON; charset=utf-8' }, status: 201 },
  { it: 'a merge patch', method: 'PATCH', path: '/org/local/gvc/one', body: '{"tags":{"a":"b"}}',
    headers: { host, 'content-type': 'application/merge-patch+json' }, status: 200 },
  { it: 'a POST without a body', method: 'POST', path: '/org/local/gvc/-query',
    headers: { host, 'content-length': '0' }, status: 200 },
  { it: 'a DELETE', method: 'DELETE', path: '/org/local/gvc/two', headers: { host }, status: 202 },
  { it: '127.0.0.1', path: '/org', headers: { host: '127.0.0.1:{port}' }, status: 200 },
  { it: 'another address of loopback', path: '/org', headers: { host: '127.8.9.1:{port}' }, status: 200 },
  { it: 'IPv6', path: '/org', headers: { host: '[::1]:{port}' }, status: 200 },
  { it: 'capitals', path: '/org', headers: { host: 'LocalHost:{port}' }, status: 200 },
  { it: 'a forwarded port', path: '/org', headers: { host: 'localhost:9999' }, status: 200 },
  { it: 'no port', path: '/org', headers: { host: 'localhost' }, status: 200 },
  { it: 'the page of the API, opened by hand', path: '/-docs',
    headers: { host, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, status: 200 },
  { it: 'a read of that page', path: '/org',
    headers: { host, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }, status: 200 },
  { it: 'a write of that page', method: 'PATCH', path: '/org/local/gvc/one', body: '{"tags":{"a":"c"}}',
    headers: { host, origin: 'http://localhost:{port}', 'sec-fetch-site': 'same-origin', 'content-type': json },
    status: 200 },
];

test.each(taken)('without tokens, $it is answered with $status', async ({ it: _, status, ...request }) => {
  const answer = await here(open, request);
  expect([answer.status, answer.body['message']]).toEqual([status, undefined]);
});

test('links in answers begin with the host of the request', async () => {
  for (const name of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'localhost:9999']) {
    const { body } = await asked(open.url, { path: '/discovery', headers: { host: name } });
    expect(body).toMatchObject({ endpoints: { audit: `http://${name}` } });
  }
});

const elsewhere = { port: 0, host: '0.0.0.0', token: 't' } as const;

test.each([{ host: '0.0.0.0' }, { host: '127.0.0.1', dev: false }])(
  'a server that can be behind a proxy accepts any host, and repeats none in answers: %j',
  async (options) => {
    const server = await startServer({ ...elsewhere, ...testStore(), ...options });
    const url = `http://127.0.0.1:${new URL(server.url).port}`;
    const headers = { host: 'evil.example', authorization: 't', origin: 'https://evil.example' };
    const answers = await Promise.all(
      ['/discovery', '/openapi.json', '/-docs', '/org'].map((path) => asked(url, { path, headers })),
    );
    await server.close();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const { text } of answers) expect(text).not.toContain('evil.example');
    expect(answers[0]?.body).toMatchObject({ endpoints: { audit: '' } });
  },
);

test('with a public address, links in answers begin with it, and only its host is accepted', async () => {
  const publicUrl = 'https://platform.example/';
  const server = await startServer({ port: 0, token: 't', publicUrl, ...testStore() });
  const headers = { host: 'platform.example', origin: 'https://platform.example' };
  const own = await asked(server.url, { path: '/discovery', headers });
  const rebound = await asked(server.url, { path: '/discovery', headers: { host: 'evil.example' } });
  await server.close();
  expect(own.body).toMatchObject({ endpoints: { audit: 'https://platform.example' } });
  expect(rebound.status).toBe(403);
});

test.each(['platform.example', 'ftp://platform.example', 'https://a:b@platform.example', 'https://x/?a=b'])(
  '%j is not a public address',
  async (publicUrl) => {
    await expect(startServer({ port: 0, token: 't', publicUrl })).rejects.toMatchObject({ code: 'server.public-url' });
  },
);

test('/openapi.json names the type of each page and text, and describes the counters of faults', async () => {
  const { paths } = JSON.parse(await (await fetch(`${open.url}/openapi.json`)).text());
  const okOf = (path: string) => paths[path].get.responses['200'].content;
  for (const path of ['/-console', '/-docs', '/-metrics', '/-docs/{file}', '/-console/{file}']) {
    const reply = await fetch(`${open.url}${path.replace('{file}', 'page.js')}`);
    const type = (reply.headers.get('content-type') ?? '').split(';')[0];
    if (reply.status === 200) expect([path, Object.keys(okOf(path))]).toEqual([path, expect.arrayContaining([type])]);
  }
  const faults = JSON.parse(await (await fetch(`${open.url}/-faults`)).text());
  expect(Object.keys(okOf('/-faults')['application/json'].schema.properties)).toEqual(
    expect.arrayContaining(Object.keys(faults)),
  );
});
