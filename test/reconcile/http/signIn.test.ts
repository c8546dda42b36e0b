import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ToolError } from '../../../src/base/toolError.ts';
import { type PageOptions, servePage } from '../../../src/reconcile/http/servePage.ts';
import type { Board, SignInSettings } from '../../../src/reconcile/model.ts';
import { Sessions } from '../../../src/reconcile/store/sessions.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { openTown, type Town } from '../town.ts';
import { type FixedBoard, fixedBoard, stackOf } from './fixedBoard.ts';
import { client, personCalled, type SmallIssuer, startIssuer } from './smallIssuer.ts';

const folder = temporaryFolder('reconcile-sign-in');
const tokensFile = join(folder, 'tokens.yaml');
const digest = createHash('sha256').update('cem-token').digest('hex');
writeFileSync(tokensFile, `tokens: [{name: cem, role: approve, sha256: ${digest}}]`, { mode: 0o600 });

let town: Town;
let issuer: SmallIssuer;
let board: FixedBoard;
let settings: SignInSettings | undefined;
let log: string[];
const pages: AsyncDisposable[] = [];
beforeAll(async () => {
  issuer = await startIssuer();
  // Nothing here sends a request to a platform.
  town = await openTown('http://127.0.0.1:9', { kind: 'folder', folder: join(folder, 'store') });
});
beforeEach(() => {
  issuer.habits = {};
  issuer.person = personCalled('ann', { groups: ['platform'] });
  board = fixedBoard([stackOf('shop', { state: 'waiting', plan: 'plan-1' })]);
  log = [];
  settings = {
    ...{ issuer: `${issuer.url}/`, clientId: client.id, clientSecret: { env: 'SECRET' } },
    ...{ scopes: ['openid', 'email', 'groups'], sessionMs: 3_600_000 },
    roles: {
      approve: new Map([['groups', ['platform']]]),
      read: new Map([
        ['groups', ['staff']],
        ['email', ['Guest@Example.com']],
      ]),
    },
  };
});
afterEach(async () => {
  for (const page of pages.splice(0)) await page[Symbol.asyncDispose]();
});
afterAll(async () => {
  await issuer.stop();
  await town[Symbol.asyncDispose]();
});

const secrets = new Map([['SECRET', client.secret]]);

interface Sent {
  readonly cookies?: readonly string[] | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** One worker. */
async function worker({ of = board, ...more }: Partial<PageOptions> & { readonly of?: Board } = {}) {
  const served = await servePage(of, {
    address: '127.0.0.1:0',
    onMistake: (error) => expect.fail(String(error)),
    signIn: {
      settings: () => settings,
      async secret(reference, about) {
        const secret = 'env' in reference ? secrets.get(reference.env) : undefined;
        if (secret !== undefined) return secret;
        throw new ToolError({ code: 'reconcile.secret', message: `${about}: the variable SECRET is not set` });
      },
      sessions: new Sessions(town.store),
      nowMs: () => town.store.now(),
      log: ({ message }) => void log.push(message),
    },
    ...more,
  });
  pages.push({ [Symbol.asyncDispose]: () => served.close() });
  const origin = `http://127.0.0.1:${new URL(served.url).port}`;
  return {
    origin,
    async send(path: string, { cookies = [], headers = {}, body }: Sent = {}) {
      const answer = await fetch(new URL(path, origin), {
        redirect: 'manual',
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
          ...(body === undefined ? {} : { 'content-type': 'application/json', origin }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const set = answer.headers.getSetCookie();
      return {
        status: answer.status,
        text: await answer.text(),
        to: answer.headers.get('location') ?? '',
        set,
        cookies: set.map((cookie) => cookie.split(';')[0] ?? '').filter((cookie) => !cookie.endsWith('=')),
      };
    },
  };
}

type TestWorker = Awaited<ReturnType<typeof worker>>;

/** The redirects of a browser to the issuer and back. */
async function signIn(at: TestWorker, { back = at, to = '' }: { back?: TestWorker; to?: string } = {}) {
  const left = await at.send(`/-sign-in?to=${encodeURIComponent(to)}`);
  if (left.status !== 303) return { left, came: left, cookies: [] };
  const came = await back.send(issuer.returns(left.to), { cookies: left.cookies });
  return { left, came, cookies: came.cookies };
}

const approval = { body: { plan: 'plan-1' } };
const approve = '/api/stacks/shop/approve';

async function whoIs(at: TestWorker, cookies: readonly string[]): Promise<unknown> {
  return JSON.parse((await at.send('/api/me', { cookies })).text);
}
const nobody = { role: 'read' };

describe('a person who signs in', () => {
  test('has the role of a claim, under the verified address, until sign-out', async () => {
    const page = await worker();
    const { left, came, cookies } = await signIn(page, { to: '#/stack/shop' });
    const asked = new URL(left.to).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      ...{ client_id: 'gantry', response_type: 'code', code_challenge_method: 'S256', scope: 'openid email groups' },
      redirect_uri: `${page.origin}/-sign-in/callback`,
    });
    expect([came.status, came.to]).toEqual([303, '/#/stack/shop']);
    expect(await whoIs(page, cookies)).toEqual({ name: 'ann@example.com', role: 'approve', hasSession: true });
    expect((await page.send(approve, { ...approval, cookies })).status).toBe(200);
    expect(board.acted).toEqual(['ann@example.com approves plan-1']);
    const out = await page.send('/api/sign-out', { cookies, body: {} });
    expect([out.status, out.set]).toEqual([200, [expect.stringMatching(/^gantry-session=; Path=\/; Max-Age=0;/)]]);
    // A client that kept or stole the cookie.
    expect(await whoIs(page, cookies)).toEqual(nobody);
    expect((await page.send(approve, { ...approval, cookies })).status).toBe(401);
    expect(log).toEqual(['ann@example.com has signed in with the role approve']);
  });

  test('with the role read can read, but not act', async () => {
    issuer.person = personCalled('guest');
    const page = await worker();
    const { cookies } = await signIn(page);
    expect(await whoIs(page, cookies)).toMatchObject({ name: 'guest@example.com', role: 'read' });
    expect((await page.send(approve, { ...approval, cookies })).status).toBe(403);
    expect(board.acted).toEqual([]);
  });

  test.each([
    { it: 'no group with a role', person: personCalled('eve', { groups: ['others'] }), says: 'groups: others' },
    { it: 'an unverified address', person: personCalled('guest', { email_verified: false }) },
    { it: 'a group of markup', person: personCalled('eve', { groups: ['<img src=x>'] }), says: '&lt;img src=x&gt;' },
  ])('is refused with $it, and gets no session', async ({ person, says = 'not verified by the issuer' }) => {
    issuer.person = person;
    const { came, cookies } = await signIn(await worker());
    expect([came.status, came.text, cookies]).toEqual([403, expect.stringContaining(says), []]);
    expect(came.text).toContain('has no role here');
    expect(came.text).not.toContain('<img');
  });

  test.each([
    { it: 'of the domain', email: 'ann@Example.com', status: 303 },
    { it: 'of another domain', email: 'ann@example.org', status: 403 },
    { it: 'of a domain with the same end', email: 'ann@evil-example.com', status: 403 },
    { it: 'with the domain in front of another one', email: 'ann@example.com@evil.org', status: 403 },
  ])('needs an address in one of the domains: one $it gets $status', async ({ email, status }) => {
    if (settings !== undefined) settings = { ...settings, domains: ['example.com'] };
    issuer.person = personCalled('ann', { groups: ['platform'], email });
    expect((await signIn(await worker())).came.status).toBe(status);
  });

  test('gets the role of the current settings at each request', async () => {
    const page = await worker();
    const { cookies } = await signIn(page);
    const before = settings;
    if (before === undefined) throw new Error('there are settings');
    settings = { ...before, roles: { approve: new Map(), read: new Map([['groups', ['platform']]]) } };
    expect((await page.send(approve, { ...approval, cookies })).status).toBe(403);
    settings = { ...before, roles: { approve: new Map([['groups', ['board']]]), read: new Map() } };
    expect(await whoIs(page, cookies)).toEqual(nobody);
    settings = { ...before, issuer: 'https://another.example.com/' };
    expect(await whoIs(page, cookies)).toEqual(nobody);
    settings = undefined;
    expect(await whoIs(page, cookies)).toEqual(nobody);
    expect((await page.send('/-sign-in')).status).toBe(404);
  });

  test('is signed out when the session ends, and the next sign-in deletes its row', async () => {
    const page = await worker();
    const { came, cookies } = await signIn(page);
    expect(came.set[0]).toMatch(/; Max-Age=3600; HttpOnly; SameSite=Lax$/);
    town.pass(3_600_000 - 60_000);
    expect(await whoIs(page, cookies)).toMatchObject({ role: 'approve' });
    town.pass(60_000);
    expect(await whoIs(page, cookies)).toEqual(nobody);
    const count = async () => (await town.store.sql.query('SELECT id FROM sessions')).length;
    const before = await count();
    await signIn(page);
    expect(await count()).toBeLessThanOrEqual(before);
  });

  test('gets a new session each time, and the earlier one ends', async () => {
    const page = await worker();
    const first = await signIn(page);
    const left = await page.send('/-sign-in', { cookies: first.cookies });
    const came = await page.send(issuer.returns(left.to), { cookies: [...first.cookies, ...left.cookies] });
    expect(came.cookies).not.toEqual(first.cookies);
    expect(await whoIs(page, first.cookies)).toEqual(nobody);
    expect(await whoIs(page, came.cookies)).toMatchObject({ role: 'approve' });
  });

  test('can use any worker: begin at one, return to another, and sign out of all', async () => {
    const [one, two] = [await worker(), await worker()];
    if (settings !== undefined) settings = { ...settings, url: one.origin };
    const left = await one.send('/-sign-in');
    const back = issuer.returns(left.to).replace(one.origin, two.origin);
    const { status, cookies } = await two.send(back, { cookies: left.cookies });
    expect(status).toBe(303);
    for (const each of [one, two]) expect(await whoIs(each, cookies)).toMatchObject({ role: 'approve' });
    await one.send('/api/sign-out', { cookies, body: {} });
    for (const each of [one, two]) expect(await whoIs(each, cookies)).toEqual(nobody);
  });

  test('is sent only to a place within the page', async () => {
    const page = await worker();
    // biome-ignore format: a row is a case
    const places = [
      '#/stack/a%2Fb', 'https://evil.example', '//evil.example', '#//evil.example/', '/\\evil', '#/a\r\nb',
    ];
    const sent = [];
    for (const to of places) sent.push((await signIn(page, { to })).came.to);
    expect(sent).toEqual(['/#/stack/a%2Fb', '/', '/', '/#//evil.example/', '/', '/']);
    // The cookie belongs to the browser: a value that the worker did not set is ignored.
    const left = await page.send('/-sign-in');
    const [kept = ''] = left.cookies.map((cookie) => cookie.split('=')[1] ?? '');
    const attempt = JSON.parse(Buffer.from(kept, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...attempt, to: '//evil.example' })).toString('base64url');
    const came = await page.send(issuer.returns(left.to), { cookies: [`gantry-sign-in=${forged}`] });
    expect([came.status, came.to]).toEqual([400, '']);
  });

  test('can be another person than the issuer remembers', async () => {
    const page = await worker();
    expect(new URL((await page.send('/-sign-in?other')).to).searchParams.get('prompt')).toBe('login');
    expect(new URL((await page.send('/-sign-in')).to).searchParams.get('prompt')).toBeNull();
  });

  test('is named by the configured claim, or else by the subject', async () => {
    issuer.person = { sub: 'subject-7', groups: ['platform'], nick: 'Ann' };
    const page = await worker();
    expect(await whoIs(page, (await signIn(page)).cookies)).toMatchObject({ name: 'subject-7' });
    if (settings !== undefined) settings = { ...settings, name: 'nick' };
    expect(await whoIs(page, (await signIn(page)).cookies)).toMatchObject({ name: 'Ann' });
  });
});

describe('an invalid answer of the issuer gives no session', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'for another client', habits: { audience: 'another' }, says: 'another aud' },
      { it: 'of another issuer', habits: { issuer: 'https://evil.example' }, says: 'another iss' },
      { it: 'of another attempt', habits: { nonce: 'another' }, says: 'another nonce' },
      { it: 'signed by another key', habits: { isSignedByAnother: true }, says: 'signature verification failed' },
      { it: 'that ended 40 s ago', habits: { endedS: 40 }, says: 'clocks of this machine and of the issuer' },
      { it: 'without an ID token', habits: { hasNoToken: true }, says: 'does not hold' },
      { it: 'with claims of another person', habits: { userInfoOf: 'subject-of-eve' }, says: 'another sub' },
      { it: 'that is no JSON', habits: { tokenAnswer: { status: 200, body: '<p>', type: 'text/html' } },
        says: 'not OpenID' },
      { it: 'with a code that it does not take',
        habits: { tokenAnswer: { status: 400, body: '{"error": "invalid_grant"}' } }, says: 'invalid_grant',
        status: 400 },
    ],
  )('a token $it', async ({ habits, says, status = 502 }) => {
    const page = await worker();
    issuer.habits = habits;
    const left = await page.send('/-sign-in');
    const came = await page.send(issuer.returns(left.to), { cookies: left.cookies });
    expect([came.status, came.text, came.cookies]).toEqual([status, expect.stringContaining(says), []]);
  });

  test('a token that ended 20 s ago is accepted, because clocks differ', async () => {
    issuer.habits = { endedS: 20 };
    expect((await signIn(await worker())).came.status).toBe(303);
  });

  test.each([
    { it: 'without the cookie of the attempt', cookies: [] },
    { it: 'with the cookie of another attempt', cookies: undefined },
    { it: 'with an invalid cookie', cookies: ['gantry-sign-in=%7B%7D'] },
  ])('a return $it', async ({ cookies }) => {
    const page = await worker();
    const { to } = await page.send('/-sign-in');
    const other = (await page.send('/-sign-in')).cookies;
    const before = issuer.asked.get('/token');
    const came = await page.send(issuer.returns(to), { cookies: cookies ?? other });
    expect([came.status, came.text, came.cookies]).toEqual([400, expect.stringContaining('another browser'), []]);
    expect(issuer.asked.get('/token')).toBe(before);
  });
  test('a second return of the same attempt', async () => {
    const page = await worker();
    const left = await page.send('/-sign-in');
    const back = issuer.returns(left.to);
    expect((await page.send(back, { cookies: left.cookies })).status).toBe(303);
    const again = await page.send(back, { cookies: left.cookies });
    expect([again.status, again.cookies]).toEqual([400, []]);
  });

  test('a return without an attempt, and the issuer gets no request', async () => {
    const page = await worker();
    const { cookies } = await page.send('/-sign-in');
    const [name] = (cookies[0] ?? '').split('=');
    const made = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43), to: '' };
    const forged = `${name}=${Buffer.from(JSON.stringify(made)).toString('base64url')}`;
    const before = new Map(issuer.asked);
    for (let times = 0; times < 3; times += 1) {
      const came = await page.send(`/-sign-in/callback?code=c&state=${made.state}`, { cookies: [forged] });
      expect([came.status, came.cookies]).toEqual([400, []]);
    }
    expect(issuer.asked).toEqual(before);
  });

  test('a return that fails at the issuer sends one request to it, at any worker', async () => {
    const [page, next] = [await worker(), await worker()];
    const left = await page.send('/-sign-in');
    const state = new URL(left.to).searchParams.get('state') ?? '';
    const before = issuer.asked.get('/token') ?? 0;
    for (const at of [page, page, next]) {
      const came = await at.send(`/-sign-in/callback?code=guessed&state=${state}`, { cookies: left.cookies });
      expect([came.status, came.cookies]).toEqual([400, []]);
    }
    expect((issuer.asked.get('/token') ?? 0) - before).toBe(1);
  });

  test('a return after ten minutes', async () => {
    const page = await worker();
    const left = await page.send('/-sign-in');
    town.pass(600_000);
    expect((await page.send(issuer.returns(left.to), { cookies: left.cookies })).status).toBe(400);
    await page.send('/-sign-in');
    expect(await town.store.sql.query('SELECT count(*)::integer AS open FROM attempts')).toEqual([{ open: 1 }]);
  });

  test('a return with an error, which is shown as text', async () => {
    const page = await worker();
    const left = await page.send('/-sign-in');
    const state = new URL(left.to).searchParams.get('state') ?? '';
    const said = new URLSearchParams({ state, error: 'access_denied', error_description: '<img src=x>' });
    const came = await page.send(`/-sign-in/callback?${said}`, { cookies: left.cookies });
    expect([came.status, came.cookies]).toEqual([400, []]);
    expect(came.text).toContain('access_denied (&lt;img src=x&gt;)');
  });
});

describe('an issuer', () => {
  test('that is unavailable leaves tokens and sessions valid, and is used again when it is back', async () => {
    const page = await worker();
    const { cookies } = await signIn(page);
    const next = await worker({ tokensFile });
    await issuer.stop();
    try {
      const failed = await next.send('/-sign-in');
      expect([failed.status, failed.text]).toEqual([502, expect.stringContaining('cannot be reached')]);
      expect(failed.text).toContain('Tokens of the file go on working');
      const headers = { authorization: 'Bearer cem-token' };
      expect((await next.send(approve, { ...approval, headers })).status).toBe(200);
      expect(await whoIs(next, cookies)).toMatchObject({ name: 'ann@example.com' });
    } finally {
      await issuer.start();
    }
    expect((await signIn(next)).came.status).toBe(303);
  });

  test('that names itself differently is refused', async () => {
    issuer.habits = { calledIssuer: 'https://evil.example' };
    const { status, text } = await (await worker()).send('/-sign-in');
    expect([status, text]).toEqual([502, expect.stringContaining('it calls itself https://evil.example')]);
  });

  test("that refuses the client's secret is reported in the worker's log", async () => {
    secrets.set('SECRET', 'wrong');
    const page = await worker();
    try {
      const { came } = await signIn(page);
      expect([came.status, came.text]).toEqual([502, expect.stringContaining('Correct client-id and client-secret')]);
      secrets.delete('SECRET');
      const { status, text } = await page.send('/-sign-in');
      expect([status, text]).toEqual([500, expect.not.stringContaining('SECRET')]);
      expect(log.at(-1)).toContain('the variable SECRET is not set');
    } finally {
      secrets.set('SECRET', client.secret);
    }
    // A replaced secret is used immediately.
    expect((await signIn(page)).came.status).toBe(303);
  });

  test('can require the secret in a header, and return claims at its other address', async () => {
    issuer.habits = { proofs: ['client_secret_basic'], userInfoOf: 'subject-of-ann' };
    const page = await worker();
    const { cookies } = await signIn(page);
    expect(await whoIs(page, cookies)).toMatchObject({ name: 'ann@example.com', role: 'approve' });
  });

  test('is protected from attempts: a worker sends it sixty at once, then one a second', async () => {
    const page = await worker();
    /** How many attempts reach the issuer, and how many seconds passed. */
    async function untilRefused() {
      const startedMs = performance.now();
      let [sent, status] = [0, 303];
      while (status === 303) {
        status = (await page.send('/-sign-in')).status;
        if (status === 303) sent += 1;
      }
      expect(status).toBe(429);
      return { sent, seconds: Math.ceil((performance.now() - startedMs) / 1000) };
    }
    const first = await untilRefused();
    expect(first.sent).toBeGreaterThanOrEqual(60);
    expect(first.sent).toBeLessThan(60 + first.seconds);
    town.pass(1_000);
    const then = await untilRefused();
    expect(then.sent).toBeGreaterThanOrEqual(1);
    expect(then.sent).toBeLessThanOrEqual(then.seconds + 1);
  });

  test('gets no request if a client only reads where sign-in leads', async () => {
    const page = await worker();
    for (const path of ['/-sign-in', '/-sign-in/callback?state=x&code=y']) {
      const { status, headers } = await fetch(new URL(path, page.origin), { method: 'HEAD', redirect: 'manual' });
      expect([status, headers.getSetCookie()]).toEqual([405, []]);
    }
  });

  test('that can end its own session receives the browser at sign-out', async () => {
    issuer.habits = { endsSessions: true };
    const page = await worker();
    const { cookies } = await signIn(page);
    const out = await page.send('/api/sign-out', { cookies, body: {} });
    const at = new URL(JSON.parse(out.text).at);
    expect([`${at.origin}${at.pathname}`, Object.fromEntries(at.searchParams)]).toEqual([
      `${issuer.url}/end`,
      { of: 'here', client_id: client.id, post_logout_redirect_uri: `${page.origin}/` },
    ]);
    expect(await whoIs(page, cookies)).toEqual(nobody);
    // Without a session of this worker, a sign-out sends the issuer no request.
    expect((await page.send('/api/sign-out', { cookies, body: {} })).text).toBe('{}');
  });

  test('that cannot, or is unavailable, still leaves the person signed out here', async () => {
    const page = await worker();
    expect((await page.send('/api/sign-out', { cookies: (await signIn(page)).cookies, body: {} })).text).toBe('{}');
    const { cookies } = await signIn(page);
    const next = await worker();
    await issuer.stop();
    try {
      expect((await next.send('/api/sign-out', { cookies, body: {} })).text).toBe('{}');
      expect(await whoIs(next, cookies)).toEqual(nobody);
    } finally {
      await issuer.start();
    }
  });

  test('gets one request for many simultaneous sign-ins', async () => {
    const page = await worker();
    const path = '/.well-known/openid-configuration';
    const before = issuer.asked.get(path) ?? 0;
    await Promise.all(Array.from({ length: 20 }, () => page.send('/-sign-in')));
    expect((issuer.asked.get(path) ?? 0) - before).toBe(1);
  });
});

describe('a cookie', () => {
  test('is restricted to this host and TLS if the page is public, and without it no one can read', async () => {
    if (settings !== undefined) settings = { ...settings, url: 'https://fleet.example' };
    const page = await worker();
    // Fetch sends no other host name than the one it connects to.
    const left = await page.send('/-sign-in');
    expect([left.status, left.text]).toEqual([400, expect.stringContaining('people sign in at https://fleet.example')]);
    expect((await page.send('/api/stacks')).status).toBe(401);
    const secret = await new Sessions(town.store).begin(
      { issuer: `${issuer.url}/`, clientId: client.id, subject: '7', claims: { groups: ['platform'] } },
      60_000,
    );
    expect(await whoIs(page, [`__Host-gantry-session=${secret}`])).toMatchObject({ role: 'approve' });
    expect((await page.send('/api/me', { cookies: [`gantry-session=${secret}`] })).status).toBe(401);
    const out = await page.send('/api/sign-out', { cookies: [`__Host-gantry-session=${secret}`], body: {} });
    expect(out.set).toEqual(['__Host-gantry-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure']);
  });

  test.each([
    { it: 'no page', headers: { origin: '' }, code: 'foreign' },
    { it: 'a page of another site', headers: { origin: 'https://evil.example' }, code: 'foreign' },
    { it: 'a page of the same site', headers: { 'sec-fetch-site': 'same-site' }, code: 'foreign' },
    { it: 'a form', headers: { 'content-type': 'text/plain' }, code: 'json' },
  ])('has no effect from $it', async ({ headers, code }) => {
    const page = await worker();
    const { cookies } = await signIn(page);
    const { status, text } = await page.send(approve, { ...approval, cookies, headers });
    expect([status >= 400, JSON.parse(text).code]).toEqual([true, `reconcile.${code}`]);
    expect(board.acted).toEqual([]);
  });

  test('is in the store as a digest, without tokens, and in no line of the log', async () => {
    const page = await worker();
    const { left, came, cookies } = await signIn(page);
    issuer.habits = { tokenAnswer: { status: 400, body: '{"error": "invalid_grant", "id_token": "e.y.J"}' } };
    await signIn(page);
    const kept = JSON.stringify(await town.store.sql.query('SELECT * FROM sessions'));
    const code = new URL(issuer.returns(left.to)).searchParams.get('code') ?? '';
    for (const secret of [...cookies, ...left.cookies].map((cookie) => cookie.split('=')[1] ?? '')) {
      expect(kept + log.join()).not.toContain(secret);
    }
    for (const secret of [client.secret, code, 'e.y.J', 'id_token']) expect(kept + log.join()).not.toContain(secret);
    expect(came.status).toBe(303);
  });
});

test.each([
  { it: 'without url', url: undefined, starts: false },
  { it: 'with it', url: 'https://fleet.example', starts: true },
])('a public address needs no tokens if sign-in is configured: $it', async ({ url, starts }) => {
  if (settings !== undefined && url !== undefined) settings = { ...settings, url };
  const started = worker({ address: '0.0.0.0:0' });
  if (starts) expect((await (await started).send('/api/stacks')).status).toBe(401);
  else await expect(started).rejects.toMatchObject({ code: 'reconcile.open', hint: expect.stringContaining('url') });
});

test('a person approves once, under any name and with any token, and a namesake counts separately', async () => {
  const { sql } = town.store;
  const file = join(folder, 'linked.yaml');
  const sha256 = (token: string) => createHash('sha256').update(token).digest('hex');
  writeFileSync(
    file,
    JSON.stringify({
      tokens: [
        { name: 'laptop-of-ann', role: 'approve', sha256: sha256('token-of-ann'), subject: 'subject-of-ann' },
        { name: 'deploy', role: 'approve', sha256: sha256('token-of-nobody') },
      ],
    }),
    { mode: 0o600 },
  );
  await sql.query(
    `INSERT INTO plans (stack, name, made_ms, inputs, document, file, signatures, needed, signed, status)
     VALUES ('shop', 'plan-1', 1, '{}', $1, '', '', 2, false, 'waiting')`,
    [JSON.stringify((await board.waiting('shop'))?.document)],
  );
  await town.store.follow({ origin: 'test', stacks: [stackOf('shop').entry] });
  const page = await worker({ of: town.board, tokensFile: file });
  const answers = [];
  const people = [
    ['ann', 'ann@example.com'],
    ['ann', 'annie@example.com'],
    ['namesake', 'ann@example.com'],
  ] as const;
  for (const [who, email] of people) {
    issuer.person = personCalled(who, { groups: ['platform'], email });
    const { cookies } = await signIn(page);
    const before = await page.send('/api/stacks/shop', { cookies });
    const { status, text } = await page.send(approve, { ...approval, cookies });
    const after = await page.send('/api/stacks/shop', { cookies });
    const isYours = [before, after].map((each) => JSON.parse(each.text).waiting.isYours);
    answers.push([status, JSON.parse(text).code, isYours]);
    expect(after.text).not.toContain('subject-of');
  }
  for (const token of ['token-of-ann', 'token-of-nobody']) {
    const headers = { authorization: `Bearer ${token}` };
    const { status, text } = await page.send(approve, { ...approval, headers });
    answers.push([status, JSON.parse(text).message]);
  }
  expect(answers).toEqual([
    [200, undefined, [false, true]],
    [409, 'reconcile.approved', [true, true]],
    [200, undefined, [false, true]],
    [409, 'laptop-of-ann has approved this plan already, as ann@example.com'],
    [200, undefined],
  ]);
  const [plan] = await town.board.plans('shop');
  expect(plan?.approvals.given.map(({ by }) => by)).toEqual(['ann@example.com', 'ann@example.com', 'deploy']);
});
