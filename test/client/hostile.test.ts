import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import type { ReplyBounds } from '../../src/client/http/bounds.ts';
import { list, record } from './fakeServer.ts';
import { type Answering, chunk, chunkedHead, flood, serveRaw, token, whole } from './hostileServer.ts';

/** Small enough that each row ends soon. */
const bounds: ReplyBounds = {
  bodyBytes: 64 * 1024,
  bytesAtOnce: 1024 * 1024,
  refusalBytes: 16 * 1024,
  headerBytes: 8 * 1024,
  exchangeMs: 5_000,
  interims: 10,
  depth: 32,
  listBytes: 128 * 1024,
  records: 50,
  pages: 20,
  idlePages: 5,
};

interface Row {
  readonly it: string;
  readonly answer: Answering;
  /** Absent: a read of one record. */
  readonly ask?: 'list' | 'query' | 'create';
  readonly bounds?: Partial<ReplyBounds>;
  readonly timeoutMs?: number;
  readonly code: string;
  readonly message: string;
  /** The limit of requests; absent: 1. */
  readonly requests?: number;
}

const gvc = { kind: 'gvc', name: 'shop' } as const;

function send(client: Client, ask: Row['ask']): Promise<unknown> {
  switch (ask) {
    case 'list':
      return client.list('gvc');
    case 'query':
      return client.query('gvc', { match: 'all', terms: [] });
    case 'create':
      return client.create(gvc, { name: 'shop' });
    case undefined:
      return client.read(gvc);
  }
}

const says =
  (body: unknown, status = '200 OK', headers: readonly string[] = []): Answering =>
  (socket) =>
    socket.write(
      whole(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body), status, headers),
    );

/** The nth request gets the nth page. */
const paged =
  (page: (count: number) => unknown): Answering =>
  (socket, _, count) =>
    socket.write(whole(JSON.stringify(page(count))));

/** A start, and then the same chunk without end: as fast as it is read, or slowly. */
const pours =
  (head: string, text: string): Answering =>
  (socket) => {
    socket.write(head);
    flood(socket, text);
  };
const drips =
  (head: string, text: string): Answering =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(text)), 10);
    socket.on('close', () => clearInterval(timer));
  };
const kib16 = 'x'.repeat(16_000);
/** Blocks of length zero: an endless stream of this format that decodes to nothing. */
const nothing = chunk(Buffer.alloc(5_000, Buffer.from([0, 0, 0, 0xff, 0xff])).toString('latin1'));

const deep = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const next = (count: number): string => `/org/acme/gvc?next=${count}`;
const read = 'GET /org/acme/gvc/shop: ';
const listed = '/org/acme/gvc?limit=1000';

// biome-ignore format: a row is a case
const rows: readonly Row[] = [
  // Too much.
  { it: 'a body without end', answer: pours(chunkedHead, chunk(kib16)), code: 'api.too-large',
    message: `${read}the answer is larger than 64 KiB` },
  { it: 'a body of a terabyte that is announced',
    answer: pours('HTTP/1.1 200 OK\r\ncontent-length: 1099511627776\r\n\r\n', kib16), code: 'api.too-large',
    message: `${read}the answer is larger than 64 KiB` },
  { it: 'a body without end after a write', answer: pours(chunkedHead, chunk(kib16)), ask: 'create',
    code: 'api.reply-lost',
    message: 'POST /org/acme/gvc: the answer is larger than 64 KiB; it may have been carried out' },
  { it: 'a header without end', answer: pours('HTTP/1.1 200 OK\r\n', `x-more: ${'x'.repeat(1_000)}\r\n`),
    code: 'api.too-large', message: `${read}the header of the answer is larger than 8 KiB` },
  { it: 'interim answers without end',
    answer: (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'), code: 'api.too-large',
    message: `${read}the number of interim answers (1xx) is larger than 10` },
  // Too slow.
  { it: 'a byte of the body now and then', answer: drips(chunkedHead, chunk(' ')), bounds: { exchangeMs: 150 },
    code: 'api.too-slow', message: `${read}the answer was not complete after 0.15 s` },
  { it: 'a byte of the header now and then', answer: drips('HTTP/1.1 200 OK\r\nx-slow: ', 'x'),
    bounds: { exchangeMs: 150 }, code: 'api.too-slow', message: `${read}the answer was not complete after 0.15 s` },
  { it: 'a body that stops coming', answer: (socket) => socket.write(chunkedHead + chunk('{')), timeoutMs: 40,
    code: 'api.unavailable', message: `${read}the answer was cut off after 1 bytes (timed out)`, requests: 2 },
  // Lists.
  { it: 'a page that leads to itself', answer: paged((count) => list([record('gvc', `g${count}`)], listed)),
    ask: 'list', code: 'api.endless-list',
    message: `the list does not end: ${listed}: a page leads to ${listed}, which was read before` },
  { it: 'two pages that lead to each other',
    answer: paged((count) => list([record('gvc', `g${count}`)], next(count % 2))), ask: 'query',
    code: 'api.endless-list',
    message: `the list does not end: /org/acme/gvc/-query?limit=1000: a page leads to ${next(1)}, which was read before`,
    requests: 3 },
  { it: 'pages without end', answer: paged((count) => list([record('gvc', `g${count}`)], next(count))), ask: 'list',
    code: 'api.endless-list', message: `the list does not end: ${listed}: there are more than 20 pages`, requests: 20 },
  { it: 'the same page without end', answer: paged((count) => list([record('gvc', 'same')], next(count))), ask: 'list',
    code: 'api.endless-list', message: `the list does not end: ${listed}: 5 pages in a row brought no new record`,
    requests: 6 },
  { it: 'empty pages without end', answer: paged((count) => list([], next(count))), ask: 'list',
    code: 'api.endless-list', message: `the list does not end: ${listed}: 5 pages in a row brought no new record`,
    requests: 5 },
  { it: 'too many records',
    answer: paged(() => list(Array.from({ length: 51 }, (_, index) => record('gvc', `g${index}`)))), ask: 'list',
    code: 'api.too-large', message: `GET ${listed}: the list is larger than 50 records` },
  { it: 'too large a list of pages that are not too large',
    answer: paged((count) => list([record('gvc', `g${count}`, { description: 'x'.repeat(50_000) })], next(count))),
    ask: 'list', code: 'api.too-large', message: `GET ${listed}: the list is larger than 128 KiB`, requests: 3 },
  ...[
    'http://elsewhere.example/org/acme/gvc?next=2',
    'http://elsewhere.example:8080/secret?token=x',
    '//elsewhere.example/org/acme/gvc',
    'data:text/plain,x',
  ].map((href) => ({
    it: `a next page elsewhere (${href})`,
    answer: paged(() => list([], href)),
    ask: 'list' as const,
    code: 'api.incomplete-list',
    message: `a list whose next page is on another host: ${
      href.startsWith('http:') ? new URL(href).origin : href.startsWith('data:') ? 'null' : 'it is not an address'
    }`,
  })),
  ...['/org/other/gvc?next=2', '/org/acme/../other/gvc', '/org/acme/gvc\u0000', '/org/acme/\\evil', '/'].map(
    (href) => ({
      it: `a next page with records of others (${JSON.stringify(href)})`,
      answer: paged(() => list([], href)),
      ask: 'list' as const,
      code: 'api.incomplete-list',
      message: 'a list whose next page is not below /org/acme/',
    }),
  ),
  { it: 'items that are no list', answer: says({ kind: 'list', items: { 0: record('gvc', 'a') } }), ask: 'list',
    code: 'api.bad-reply', message: `${listed}: the answer is a list without items` },
  { it: 'an item that is no record', answer: says({ kind: 'list', items: [record('gvc', 'a'), null] }), ask: 'list',
    code: 'api.bad-reply', message: `${listed}: the answer is a list with an item that is not a record` },
  // Not an answer.
  { it: 'JSON that was cut off', answer: says('{"id":"u","kind":"gvc","na'), code: 'api.bad-reply',
    message: `${read}the answer is no JSON, or was cut off` },
  { it: 'the page of a proxy', answer: says('<!DOCTYPE html><html><body>Please log in</body></html>'),
    code: 'api.bad-reply', message: `${read}the answer is an HTML page, perhaps from a proxy, not JSON` },
  {
    it: 'the page of a proxy after a write',
    answer: says('<html></html>'),
    ask: 'create',
    code: 'api.reply-lost',
    message:
      'POST /org/acme/gvc: the answer is an HTML page, perhaps from a proxy, not JSON; it may have been carried out',
  },
  { it: '204 instead of a record', answer: (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
    code: 'api.bad-reply', message: `${read}the answer is empty` },
  { it: 'a list instead of a record', answer: says([]), code: 'api.bad-reply',
    message: 'the platform returned a gvc whose ' },
  { it: 'a redirect to another host',
    answer: says('', '302 Found', ['location: http://elsewhere.example/org/acme?token=x']), code: 'api.redirect',
    message: `${read}the platform answered 302, a redirect to http://elsewhere.example, which is not followed` },
  { it: 'a redirect to itself', answer: says('', '307 Temporary Redirect', ['location: /org/acme/gvc/shop']),
    code: 'api.redirect', message: `${read}the platform answered 307, a redirect, which is not followed` },
  { it: 'a compressed answer that becomes too large',
    answer: says(gzipSync(Buffer.alloc(100_000_000, ' ')), '200 OK', ['content-encoding: gzip']), code: 'api.too-large',
    message: `${read}the answer is larger than 64 KiB` },
  { it: 'a compressed refusal that becomes too large',
    answer: says(gzipSync(Buffer.alloc(1_000_000, ' ')), '400 Bad Request', ['content-encoding: gzip']),
    code: 'api.invalid', message: `${read}the platform answered 400; its text is longer than 16 KiB and was not read` },
  { it: 'a compressed answer that is damaged',
    answer: says(gzipSync('{"id":"uid"}').fill(7, 12), '200 OK', ['content-encoding: gzip']), code: 'api.bad-reply',
    message: `${read}the answer cannot be decompressed` },
  { it: 'a compressed answer that is cut off',
    answer: says(gzipSync(JSON.stringify(record('gvc', 'shop'))).subarray(0, 40), '200 OK', ['content-encoding: gzip']),
    code: 'api.bad-reply', message: `${read}the answer cannot be decompressed` },
  { it: 'an answer that is compressed twice',
    answer: says(gzipSync(gzipSync('{}')), '200 OK', ['content-encoding: gzip, gzip']), code: 'api.bad-reply',
    message: `${read}the answer is compressed in a way that is not supported` },
  { it: 'a compressed answer of nothing that does not end',
    answer: pours(chunkedHead.replace('\r\n\r\n', '\r\ncontent-encoding: deflate\r\n\r\n'), nothing),
    code: 'api.too-large', message: `${read}the answer is larger than 64 KiB` },
  { it: 'a redirect to the same origin that leads to records of others',
    answer: says('', '307 Temporary Redirect', ['location: /org/other/gvc/shop']), code: 'api.redirect',
    message: `${read}the platform answered 307, a redirect, which is not followed` },
  { it: 'redirects that do not end',
    answer: (socket, _, count) => socket.write(whole('', '302 Found', [`location: /v${count}/org/acme/gvc/shop`])),
    code: 'api.redirect', message: `${read}the platform answered 302, a redirect, which is not followed`, requests: 6 },
  {
    it: 'another charset',
    answer: says(Buffer.from('{"description":"caf\u00e9"}', 'latin1'), '200 OK', [
      'content-type: application/json; charset=latin1',
    ]),
    code: 'api.bad-reply',
    message: `${read}the answer is not UTF-8`,
  },
  { it: 'JSON that is nested too deep', answer: says(deep(10_000)), code: 'api.bad-reply',
    message: `${read}the answer is nested deeper than 32 levels` },
  { it: 'a refusal that is nested too deep', answer: says(deep(5_000), '400 Bad Request'), code: 'api.invalid',
    message: `${read}the platform answered 400; the answer is nested deeper than 32 levels` },
  { it: 'another protocol', answer: (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), code: 'api.bad-reply',
    message: `${read}the answer is not HTTP/1.1: Response does not match` },
  { it: 'a connection that breaks in the middle',
    answer: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"id":'), code: 'api.unavailable',
    message: `${read}the answer was cut off after 6 of 500 bytes`, requests: 4 },
  { it: 'a body that is shorter than it says',
    answer: (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"id":"uid","kind":"gvc"}'),
    code: 'api.bad-reply', message: `${read}the answer is no JSON, or was cut off` },
  { it: 'two lengths',
    answer: (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\n{}'),
    code: 'api.unavailable', message: ': UND_ERR_RES_CONTENT_LENGTH_MISMATCH', requests: 4 },
  // Not a record.
  ...(
    [
      ['without id', { id: null }],
      ['without name', { name: null }],
    ] as const
  ).map(([it, wrong]) => ({
    it: `a record ${it}`,
    answer: says({ ...record('gvc', 'shop'), ...wrong }),
    code: 'api.bad-reply',
    message: 'the platform returned a gvc whose name or id is missing or invalid',
  })),
  ...(
    [
      ['with a version that is not a number', { version: 'W/"1"' }],
      ['with a version that is not a whole number', { version: 1.5 }],
      ['with a version that is too large to count on', { version: 2 ** 60 }],
      ['without version', { version: null }],
    ] as const
  ).map(([it, wrong]) => ({
    it: `a record ${it}`,
    answer: says({ ...record('gvc', 'shop'), ...wrong }),
    code: 'api.no-version',
    message: 'gvc/shop has no version that is a number',
  })),
  ...[{ kind: 'secret' }, { kind: null }].map((wrong) => ({
    it: `a record of the kind ${wrong.kind}`,
    answer: says({ ...record('gvc', 'shop'), ...wrong }),
    code: 'api.bad-reply',
    message: 'the platform returned a record of another kind in place of a gvc',
  })),
  ...['\u001b]0;owned\u0007', '../other', '..', '.', ''].map((name) => ({
    it: `a record of the name ${JSON.stringify(name)}`,
    answer: says(record('gvc', name)),
    code: 'api.bad-reply',
    message: 'the platform returned a gvc with an invalid name',
  })),
  // Waiting.
  ...['315360000', '9'.repeat(400)].map((seconds) => ({
    it: `a wish to wait ${seconds.slice(0, 9)}… s`,
    answer: says({ message: 'later' }, '429 Too Many Requests', [`retry-after: ${seconds}`]),
    code: 'api.unavailable',
    message: 'at most 60 s',
  })),
];

test.each(rows)(
  'a hostile answer leads to one error that names the request and the reason: $it',
  async ({ answer, ask, code, message, requests = 1, timeoutMs, ...row }) => {
    const { client, asked } = await serveRaw(answer, {
      bounds: { ...bounds, ...row.bounds },
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    await expect(send(client, ask)).rejects.toMatchObject({
      name: expect.stringMatching(/^(ApiError|IncompleteList)$/),
      code,
      message: expect.stringContaining(message),
      hint: code === 'api.invalid' ? undefined : expect.stringMatching(/\.$/),
    });
    expect(asked).toHaveLength(requests);
  },
);

test('simultaneous answers share a limit, and answers that were read no longer count', async () => {
  const kib = 1024;
  const open: Socket[] = [];
  const { client } = await serveRaw(
    (socket) => {
      open.push(socket);
      socket.write(chunkedHead + chunk(' '.repeat(40 * kib)));
    },
    { bounds: { ...bounds, bytesAtOnce: 100 * kib } },
  );
  const finish = (socket: Socket | undefined): void => {
    socket?.write(`${chunk(JSON.stringify(record('gvc', 'shop')))}0\r\n\r\n`);
  };
  const reads = [client.read(gvc), client.read(gvc), client.read(gvc)];
  await expect(Promise.race(reads)).rejects.toMatchObject({
    code: 'api.too-large',
    message: `${read}the total of all answers being read is larger than 100 KiB`,
  });
  for (const socket of open.filter(({ destroyed }) => !destroyed)) finish(socket);
  const settled = await Promise.allSettled(reads);
  expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected']);

  const later = [client.read(gvc), client.read(gvc)];
  await expect.poll(() => open.length).toBe(5);
  for (const socket of open.slice(3)) finish(socket);
  expect(await Promise.all(later)).toHaveLength(2);
});

test('a next page or redirect to another server gets no request, and never the token', async () => {
  const elsewhere = await serveRaw(says(list([])));
  const page = await serveRaw(says(list([], `${elsewhere.endpoint}/org/acme/gvc`)));
  await expect(page.client.list('gvc')).rejects.toMatchObject({ code: 'api.incomplete-list' });
  const moved = await serveRaw(says('', '308 Permanent Redirect', [`location: ${elsewhere.endpoint}/org/acme/gvc`]));
  await expect(moved.client.list('gvc')).rejects.toMatchObject({ code: 'api.redirect' });
  expect(page.asked.map(({ hasToken }) => hasToken)).toEqual([true]);
  expect(elsewhere.asked).toEqual([]);
});

test("a next page on the endpoint itself is followed, with the endpoint's path too", async () => {
  const server = await serveRaw((socket, { line }) => {
    const page = line.includes('next')
      ? list([])
      : list([record('gvc', 'a')], `${server.endpoint}/org/acme/gvc?next=1`);
    socket.write(whole(JSON.stringify(page)));
  });
  expect(await server.client.list('gvc')).toHaveLength(1);
  expect(server.asked.at(-1)?.line).toBe('GET /org/acme/gvc?next=1 HTTP/1.1');
});

describe('the text of a refusal', () => {
  async function refused(body: unknown, more: Partial<ReplyBounds> = {}): Promise<{ message: string; code: string }> {
    const { client } = await serveRaw(says(body, '400 Bad Request'), { bounds: more });
    return client.get('/org/acme').then(
      () => ({ message: 'nothing', code: 'none' }),
      ({ message, code }) => ({ message, code }),
    );
  }

  test('is shortened if it is long', async () => {
    const { message } = await refused({ message: 'x'.repeat(5_000), details: 'y'.repeat(5_000) });
    expect(message).toHaveLength('GET /org/acme: '.length + 1_000 + '… (5000 characters)'.length);
    const lines = await refused({
      message: 'no',
      details: { problems: Array.from({ length: 500 }, (_, at) => `problem ${at}`) },
    });
    expect(lines.message.split('\n')).toHaveLength(21);
    expect(lines.message).toMatch(/problem 18\n {2}… and more lines$/);
    expect((await refused({ message: 'a\n'.repeat(10_000) })).message.split('\n')).toHaveLength(21);
  });

  test('is not read if it is megabytes long', async () => {
    const { client } = await serveRaw(pours(chunkedHead.replace('200 OK', '500 Oops'), chunk(kib16)), { attempts: 1 });
    await expect(client.get('/org/acme')).rejects.toMatchObject({
      code: 'api.unavailable',
      message: 'GET /org/acme: the platform answered 500; its text is longer than 1 MiB and was not read',
    });
  });

  test('moves no cursor, sets no colour or title, and reverses no text', async () => {
    const { message } = await refused({
      message:
        '\u001b[31mred\u001b[0m \u001b]0;title\u0007\u009b2J\u001b]8;;http://x\u001b\\link\rback\b\u202Eturned\u200b \u0000end',
      details: { problems: [{ path: '\u001b[1mspec', message: 'tab\tand\nline' }] },
    });
    expect(message).toBe('GET /org/acme: red linkbackturned end\n  spec: tab\tand\n  line');
  });

  test.each([
    ['as it is', token],
    ['with a colour code inside', `${token.slice(0, 6)}\u001b[31m${token.slice(6)}`],
    ['with invisible characters', [...token].join('\u200b')],
    ['across the point of shortening', `${'x'.repeat(990)}${token}`],
  ])('contains no secret, %s', async (_, text) => {
    const { message } = await refused({ message: `bad: ${text}`, details: { [text]: text } });
    for (let at = 0; at + 6 <= token.length; at += 1) expect(message).not.toContain(token.slice(at, at + 6));
  });
});

describe('legitimate answers are accepted', () => {
  test('a page of 1,000 records of 40 KiB each', async () => {
    const items = Array.from({ length: 1_000 }, (_, at) =>
      record('gvc', `g${at}`, { description: 'x'.repeat(40_000) }),
    );
    const { client } = await serveRaw(says(list(items)));
    expect(await client.list('gvc')).toHaveLength(1_000);
  });

  test('100,000 records in pages of 50', async () => {
    const { client } = await serveRaw(() => {}, {
      exchange: {
        async send({ path }) {
          const page = Number(/next=(\d+)/.exec(path)?.[1] ?? 0);
          const items = Array.from({ length: 50 }, (_, at) => record('gvc', `g${page}-${at}`));
          const body = list(items, page < 1_999 ? next(page + 1) : undefined);
          return { status: 200, body, bytes: 50_000, retryAfter: undefined, date: undefined };
        },
        async close() {},
      },
    });
    expect(await client.list('gvc')).toHaveLength(100_000);
  });

  test('fields called __proto__ and constructor are data', async () => {
    const text = JSON.stringify(record('gvc', 'shop')).replace(
      '"tags":{}',
      '"tags":{"__proto__":{"polluted":true},"constructor":"x"}',
    );
    const { client } = await serveRaw(says(text));
    const live = await client.read(gvc);
    expect(JSON.stringify(live?.record['tags'])).toBe('{"__proto__":{"polluted":true},"constructor":"x"}');
    expect('polluted' in {}).toBe(false);
  });

  test('a byte order mark, and interim answers before the final one', async () => {
    const { client } = await serveRaw((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n');
      socket.write(whole(`\ufeff${JSON.stringify(record('gvc', 'shop'))}`));
    });
    expect((await client.read(gvc))?.id).toBe('gvc/shop');
  });
});
