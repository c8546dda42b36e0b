import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RequestLogEntry } from '../../src/server/http/listen.ts';
import { type TestPlatform, testPlatform } from './platform.ts';

let platform: TestPlatform;
let answered: PromiseWithResolvers<RequestLogEntry>;
beforeEach(async () => {
  answered = Promise.withResolvers();
  platform = await testPlatform({ requestLog: (entry) => answered.resolve(entry) });
});
afterEach(() => platform.close());

interface NotAllowed {
  readonly method: string;
  readonly path: string;
  readonly allow: string;
}

const notAllowed: readonly NotAllowed[] = [
  { method: 'DELETE', path: '/org', allow: 'GET, POST' },
  { method: 'DELETE', path: '/org/local', allow: 'GET, PUT, PATCH' },
  { method: 'DELETE', path: 'auditctx/scheme', allow: 'GET, PUT, PATCH' },
  { method: 'PATCH', path: 'gvc', allow: 'GET, POST, PUT' },
  { method: 'POST', path: 'workload', allow: 'GET' },
  { method: 'POST', path: 'task', allow: 'GET' },
  { method: 'POST', path: 'gvc/shop', allow: 'GET, PUT, PATCH, DELETE' },
  { method: 'OPTIONS', path: 'gvc/shop', allow: 'GET, PUT, PATCH, DELETE' },
  { method: 'PUT', path: 'user/ann', allow: 'GET, PATCH, DELETE' },
  { method: 'DELETE', path: 'gvc', allow: 'GET, POST, PUT' },
  { method: 'POST', path: 'image', allow: 'GET' },
  { method: 'POST', path: 'quota', allow: 'GET' },
  { method: 'DELETE', path: 'gvc/shop/-eventlog', allow: 'GET' },
  { method: 'GET', path: 'gvc/-query', allow: 'POST' },
  { method: 'POST', path: 'secret/key/-reveal', allow: 'GET' },
  { method: 'GET', path: 'serviceaccount/robot/-addKey', allow: 'POST' },
  { method: 'POST', path: 'gvc/shop/workload/web/deployment', allow: 'GET' },
];

test.each(notAllowed)(
  '$method $path is 405 with Allow: $allow (platform/errors.statuses)',
  async ({ method, path, allow }) => {
    const { status, headers, body } = await platform.send(method, path);
    expect([status, headers.get('allow')]).toEqual([405, allow]);
    expect(body).toMatchObject({ status: 405, message: expect.any(String), id: expect.any(String) });
  },
);

test('HEAD answers as GET does, without the body', async () => {
  const headers = { authorization: 'secret-token' };
  const [found, absent] = [
    await fetch(`${platform.url}/org/local/group/viewers`, { method: 'HEAD', headers }),
    await fetch(`${platform.url}/org/local/group/none`, { method: 'HEAD', headers }),
  ];
  expect([found.status, absent.status, await found.text()]).toEqual([200, 404, '']);
  expect(Number(found.headers.get('content-length'))).toBeGreaterThan(100);
});

const head = 'host: localhost\r\nauthorization: secret-token\r\n';
const exchanges: readonly { readonly it: string; readonly sent: string; readonly status: number }[] = [
  { it: 'a text that is not HTTP', sent: 'HELLO\r\n\r\n', status: 400 },
  { it: 'an unknown method', sent: `BREW /org HTTP/1.1\r\n${head}\r\n`, status: 400 },
  { it: 'no Host', sent: 'GET /org HTTP/1.1\r\nauthorization: secret-token\r\n\r\n', status: 403 },
  { it: 'a CONNECT', sent: `CONNECT example.com:80 HTTP/1.1\r\n${head}\r\n`, status: 405 },
  { it: 'an expectation', sent: `GET /org HTTP/1.1\r\n${head}expect: the-unexpected\r\n\r\n`, status: 417 },
  { it: 'an invalid length', sent: `POST /org HTTP/1.1\r\n${head}content-length: many\r\n\r\n`, status: 400 },
  {
    it: 'two lengths',
    sent: `POST /org HTTP/1.1\r\n${head}content-length: 1\r\ncontent-length: 2\r\n\r\n`,
    status: 400,
  },
  { it: 'an absolute address', sent: `GET http://x/org/local HTTP/1.1\r\n${head}\r\n`, status: 200 },
  { it: 'a header that is too large', sent: `GET /org HTTP/1.1\r\nx: ${'x'.repeat(200_000)}\r\n\r\n`, status: 431 },
];

test.each(exchanges)('$it is answered with $status and JSON', async ({ sent, status }) => {
  const socket = connect(Number(new URL(platform.url).port), '127.0.0.1');
  socket.write(sent);
  const [answer] = await once(socket.setEncoding('utf8'), 'data');
  socket.destroy();
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*content-type: application/json[^]*\\r\\n\\r\\n\\{`));
  expect(answer).toMatch(/\r\ndate: \w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT\r\n/i);
});

test('a body that is cut off is not logged as an error of the platform, and writes nothing', async () => {
  const socket = connect(Number(new URL(platform.url).port), '127.0.0.1');
  socket.end(`POST /org/local/gvc HTTP/1.1\r\n${head}content-length: 100\r\n\r\n{"name": "half"}`);
  expect(await answered.promise).toMatchObject({ method: 'POST', path: '/org/local/gvc', status: 400 });
  expect((await platform.send('GET', 'gvc/half')).status).toBe(404);
});

test('close does not wait for clients that keep a connection open or stop within a request', async () => {
  const other = await testPlatform();
  await other.send('GET', 'gvc'); // fetch keeps its connection open
  const port = Number(new URL(other.url).port);
  const [idle, half] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  const closed = [idle, half].map(
    (socket) => new Promise((resolve) => socket.on('error', resolve).on('close', resolve)),
  );
  await Promise.all([once(idle, 'connect'), once(half, 'connect')]);
  half.write(`POST /org/local/gvc HTTP/1.1\r\n${head}content-length: 100\r\n\r\n{"na`);
  await other.close();
  await Promise.all(closed);
});
