import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type PageOptions, type ServedPage, servePage } from '../../../src/reconcile/http/servePage.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { type FixedBoard, fixedBoard, stackOf } from './fixedBoard.ts';

const folder = temporaryFolder('reconcile-page');
const digest = (token: string): string => createHash('sha256').update(token).digest('hex');

function tokensFile(name: string, tokens: readonly object[], mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ tokens }));
  chmodSync(path, mode);
  return path;
}

const people = [
  { name: 'ann', role: 'approve', sha256: digest('ann-token') },
  { name: 'cem', role: 'approve', sha256: digest('cem-token') },
  { name: 'bob', role: 'read', sha256: digest('bob-token') },
];

function onMistake(error: unknown): void {
  throw error;
}

function options(more: Partial<PageOptions> = {}): PageOptions {
  return { address: '127.0.0.1:0', onMistake, ...more };
}

const shop = (): FixedBoard => fixedBoard([stackOf('shop', { state: 'waiting', plan: 'plan-1' }), stackOf('a/b')]);

/** Serves for one test. */
async function served(board: FixedBoard, more: Partial<PageOptions> = {}) {
  const page = await servePage(board, options({ tokensFile: tokensFile('people', people), ...more }));
  const { port } = new URL(page.url);
  async function send(path: string, token?: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, text, headers: answer.headers };
  }
  return { send, port, [Symbol.asyncDispose]: () => page.close() };
}

describe('a page on a public address', () => {
  const everywhere = { address: '0.0.0.0:0' };

  test.each(['/api/me', '/api/stacks', '/api/stacks/shop', '/api/runs/run-1', '/api/figures', '/api/events'])(
    'tells an unknown client nothing: %s',
    async (path) => {
      await using page = await served(shop(), everywhere);
      for (const token of [undefined, 'wrong', digest('ann-token'), '']) {
        const { status, text } = await page.send(path, token);
        expect([status, text]).toEqual([401, expect.not.stringContaining('shop')]);
      }
    },
  );

  test.each(['/', '/page.js', '/api/me', '/api/stacks/shop', '/api/stacks/none', '/api/events'])(
    'answers HEAD as GET, without a body: %s',
    async (path) => {
      await using page = await served(shop(), everywhere);
      const ask = async (method: string, token: string) => {
        const headers = { authorization: `Bearer ${token}` };
        const answer = await fetch(`http://127.0.0.1:${page.port}${path}`, { method, headers });
        const text = method === 'HEAD' ? await answer.text() : await answer.body?.cancel();
        return [answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control'), text ?? ''];
      };
      for (const token of ['ann-token', 'wrong']) expect(await ask('HEAD', token)).toEqual(await ask('GET', token));
    },
  );

  test('contains nothing of the stacks, and has a strict policy', async () => {
    await using page = await served(shop(), everywhere);
    const { status, text, headers } = await page.send('/');
    expect([status, text]).toEqual([200, expect.not.stringContaining('shop')]);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  });

  test('does not start without tokens', async () => {
    await expect(servePage(shop(), options(everywhere))).rejects.toMatchObject({ code: 'reconcile.open' });
  });
});

describe('a caller who acts', () => {
  const approve = '/api/stacks/shop/approve';

  test.each([
    { it: 'nobody, on loopback', token: undefined, status: 401 },
    { it: 'a reader', token: 'bob-token', status: 403 },
    { it: 'an approver', token: 'ann-token', status: 200 },
  ])('as $it gets $status', async ({ token, status }) => {
    const board = shop();
    await using page = await served(board);
    for (const [path, body] of [
      [approve, { plan: 'plan-1' }],
      ['/api/stacks/shop/now', {}],
      ['/api/stacks/shop/pause', { reason: 'a freeze', hours: 2 }],
      ['/api/stacks/shop/resume', {}],
    ] as const) {
      expect((await page.send(path, token, body)).status).toBe(status);
    }
    const all = ['ann approves plan-1', 'ann runs shop', 'ann pauses shop: a freeze', 'ann resumes shop'];
    expect(board.acted).toEqual(status === 200 ? all : []);
  });

  test('approves once, and a second approver at the same moment counts too', async () => {
    const board = shop();
    await using page = await served(board);
    const answers = await Promise.all(
      ['ann-token', 'ann-token', 'cem-token'].map((token) => page.send(approve, token, { plan: 'plan-1' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409]);
    expect(answers.find(({ status }) => status === 409)?.text).toContain('reconcile.approved');
    expect(board.acted.toSorted()).toEqual(['ann approves plan-1', 'cem approves plan-1']);
  });

  test('cannot approve a superseded plan', async () => {
    const board = shop();
    await using page = await served(board);
    board.supersede('shop', 'commit');
    const { status, text } = await page.send(approve, 'ann-token', { plan: 'plan-1' });
    expect([status, JSON.parse(text)]).toEqual([409, expect.objectContaining({ code: 'reconcile.superseded' })]);
    expect(board.acted).toEqual([]);
  });

  test.each([
    { it: 'a page of another site', headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
    { it: 'another origin', headers: { origin: 'http://evil.example' }, status: 403 },
    { it: 'a form', headers: { 'content-type': 'text/plain' }, status: 415 },
  ])('is refused from $it, whatever the token', async ({ headers, status }) => {
    const board = shop();
    await using page = await served(board);
    expect((await page.send(approve, 'ann-token', { plan: 'plan-1' }, headers)).status).toBe(status);
    expect(board.acted).toEqual([]);
  });

  // biome-ignore format: a row is a case
  test.each([
    { it: 'an unknown stack', path: '/api/stacks/none/now', body: {}, status: 404 },
    { it: 'an unknown action', path: '/api/stacks/shop/destroy', body: {}, status: 400 },
    { it: 'no plan', path: approve, body: {}, status: 400 },
    { it: 'an extra field', path: approve, body: { plan: 'plan-1', by: 'eve' }, status: 400 },
    { it: 'a pause without a reason', path: '/api/stacks/shop/pause', body: { hours: 1 }, status: 400 },
    { it: 'a pause of a hundred years', path: '/api/stacks/shop/pause', body: { reason: 'x', hours: 1e6 },
      status: 400 },
    { it: 'a body that is too long', path: approve, body: { plan: 'x'.repeat(20_000) }, status: 400 },
  ])('with $it gets $status', async ({ path, body, status }) => {
    const board = shop();
    await using page = await served(board);
    expect((await page.send(path, 'ann-token', body)).status).toBe(status);
    expect(board.acted).toEqual([]);
  });

  test('loses the rights of a token as soon as it is removed from the file', async () => {
    const file = tokensFile('changing', people);
    await using page = await served(shop(), { tokensFile: file });
    expect((await page.send('/api/me', 'ann-token')).status).toBe(200);
    tokensFile('changing', people.slice(1));
    expect((await page.send('/api/me', 'ann-token')).status).toBe(401);
    expect((await page.send('/api/me', 'cem-token')).status).toBe(200);
    // An unreadable file admits no token.
    chmodSync(file, 0o644);
    expect((await page.send('/api/me', 'cem-token')).status).toBe(401);
  });
});

describe('a reader on loopback', () => {
  let page: Awaited<ReturnType<typeof served>>;
  let board: FixedBoard;
  beforeAll(async () => {
    board = shop();
    page = await served(board);
  });
  afterAll(async () => {
    await page[Symbol.asyncDispose]();
  });

  test('needs no token', async () => {
    expect(JSON.parse((await page.send('/api/me')).text)).toEqual({ role: 'read' });
    expect(JSON.parse((await page.send('/api/stacks')).text)).toMatchObject({
      items: [{ entry: { name: 'shop' } }, {}],
    });
    expect((await page.send('/api/stacks/a%2Fb')).status).toBe(200);
    expect((await page.send('/api/stacks/none')).status).toBe(404);
    expect((await page.send('/api/%E0%A4')).status).toBe(404);
  });

  test.each([
    { path: '//', status: 404 },
    { path: '//evil.example/api/stacks', status: 404 },
    { path: '/..//?a=//', status: 404 },
    { path: '/api/%', status: 404 },
    { path: 'http://[::1/', status: 400 },
    { path: '*', status: 400 },
  ])('requests $path and gets $status', async ({ path, status }) => {
    const [answer]: IncomingMessage[] = await once(get({ host: '127.0.0.1', port: page.port, path }), 'response');
    answer?.resume();
    expect(answer?.statusCode).toBe(status);
  });

  test('is notified of changes, once for many changes', async () => {
    const ended = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${page.port}/api/events`, { signal: ended.signal });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe(': here\n\n');
    for (let count = 0; count < 20; count += 1) board.change('shop', { because: `change ${count}` });
    const told = (await reader?.read())?.value ?? '';
    expect(told.match(/data: /g)).toHaveLength(1);
    expect(JSON.parse(told.slice('data: '.length))).toMatchObject({
      stack: 'shop',
      summary: { state: { because: 'change 19' } },
    });
    ended.abort();
  });
});

test('an open page whose token is revoked gets no more changes, and other pages still do', async () => {
  const uncaught: Error[] = [];
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => void uncaught.push(error));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const file = tokensFile('taken', people);
    await using page = await served(shop(), { address: '0.0.0.0:0', tokensFile: file });
    const open = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      const { body } = await fetch(`http://127.0.0.1:${page.port}/api/events`, { headers });
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
      expect((await reader?.read())?.value).toBe(': here\n\n');
      return reader;
    };
    const [ann, bob] = [await open('ann-token'), await open('bob-token')];
    tokensFile('taken', people.slice(0, 2));
    vi.advanceTimersByTime(15_000);
    expect(await bob?.read()).toEqual({ done: true, value: undefined });
    expect((await ann?.read())?.value).toBe(': alive\n\n');
  } finally {
    vi.useRealTimers();
    process.removeAllListeners('uncaughtException');
    for (const other of others) process.on('uncaughtException', other);
  }
  expect(uncaught).toEqual([]);
});

test('other routes of the worker come first, and can check whether the caller may read', async () => {
  const handlers: PageOptions['handlers'] = (mayRead) => [
    async (request, response) => {
      if (request.url !== '/hook') return false;
      response.end((await mayRead(request)) ? 'a reader' : 'a stranger');
      return true;
    },
  ];
  await using everywhere = await served(shop(), { address: '0.0.0.0:0', handlers });
  for (const [token, is] of [
    [undefined, 'a stranger'],
    ['wrong', 'a stranger'],
    ['bob-token', 'a reader'],
  ] as const) {
    expect((await everywhere.send('/hook', token)).text).toBe(is);
  }
  await using local = await served(shop(), { handlers });
  expect((await local.send('/hook')).text).toBe('a reader');
  expect((await local.send('/hook', undefined, undefined, { origin: 'http://evil.example' })).text).toBe('a stranger');
});

test.each([
  { it: 'others may read it', tokens: people, mode: 0o644, says: 'other users may read it' },
  { it: 'a role is unknown', tokens: [{ ...people[0], role: 'admin' }], mode: 0o600, says: 'role' },
  { it: 'it contains a plain token', tokens: [{ ...people[0], sha256: 'ann-token' }], mode: 0o600, says: 'sha256' },
  { it: 'two have one token', tokens: [people[0], { ...people[0], name: 'eve' }], mode: 0o600, says: 'twice' },
])('a file of tokens is refused if $it', async ({ tokens, mode, says }) => {
  const file = tokensFile(
    'unsound',
    tokens.filter((token) => token !== undefined),
    mode,
  );
  const failure = servePage(shop(), options({ tokensFile: file }));
  await expect(failure).rejects.toMatchObject({ code: 'reconcile.tokens', message: expect.stringContaining(says) });
});

test.each(['', ':', 'a b', '127.0.0.1:99999', 'http://x', '1.2.3.4:x', '14492x', '1.2.3', '14492x:80'])(
  '%j is not an address',
  async (address) => {
    await expect(servePage(shop(), options({ address }))).rejects.toMatchObject({ code: 'reconcile.address' });
  },
);

test.each(['0', '127.0.0.1:0', 'localhost:0', '[::1]:0'])('%j is an address', async (address) => {
  const page: ServedPage = await servePage(shop(), options({ address }));
  expect((await fetch(page.url.replace(/\/\/localhost/, '//127.0.0.1'))).status).toBe(200);
  await page.close();
});
