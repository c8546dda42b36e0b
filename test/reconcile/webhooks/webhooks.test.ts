import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, request } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { webhookHeaders } from '../../../src/integrations/deliver.ts';
import type { PushTargets } from '../../../src/reconcile/http/webhooks.ts';
import { type Headers, type Secrets, verifyWebhook, webhookHandler } from '../../../src/reconcile/http/webhooks.ts';
import type { GitSource, StackEntry } from '../../../src/reconcile/model.ts';

const nowMs = Date.UTC(2026, 10, 28, 12);
const whsec = `whsec_${Buffer.from('a key of twenty-four bytes').toString('base64')}`;
const secrets: Secrets = { github: ['of github'], gitlab: ['of gitlab'], standard: [whsec] };
const none: Secrets = { github: [], gitlab: [], standard: [] };

const body = Buffer.from(
  JSON.stringify({ ref: 'refs/heads/main', repository: { clone_url: 'https://github.com/acme/infra.git' } }),
);

function gitHub(content: Buffer, secret = 'of github'): Headers {
  const hex = createHmac('sha256', secret).update(content).digest('hex');
  return { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hex}` };
}

function standard(content: Buffer, { secret = whsec, atMs = nowMs, id = 'msg_1' } = {}): Headers {
  return webhookHeaders({ id, timestamp: Math.floor(atMs / 1_000), body: content.toString() }, secret);
}

test.each<[string, Headers]>([
  ['GitHub', gitHub(body)],
  ['GitLab with its token', { 'x-gitlab-token': 'of gitlab' }],
  ['GitLab with a signing token', standard(body, { secret: 'of gitlab' })],
  ['Standard Webhooks', standard(body)],
  [
    'Standard Webhooks during a change of the key',
    { ...standard(body), 'webhook-signature': `v1,other ${standard(body)['webhook-signature']}` },
  ],
  ['a clock that is five minutes slow', standard(body, { atMs: nowMs - 300_000 })],
])('a delivery with a valid secret is accepted: %s', (_, headers) => {
  expect(verifyWebhook(headers, body, secrets, nowMs).is).toBe('genuine');
  expect(verifyWebhook(headers, body, none, nowMs)).toEqual({ is: 'refused' });
});

/** From https://docs.github.com/webhooks. */
test("the example in GitHub's documentation is accepted", () => {
  const headers = { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' };
  const known = { ...none, github: ["It's a Secret to Everybody"] };
  expect(verifyWebhook(headers, Buffer.from('Hello, World!'), known, nowMs).is).toBe('genuine');
});

test.each<[string, Headers]>([
  ['nothing', {}],
  ['another secret', gitHub(body, 'another')],
  ['the secret of GitLab in a delivery of GitHub', gitHub(body, 'of gitlab')],
  ['a signature of another body', gitHub(Buffer.from('{}'))],
  ['a part of the signature', { 'x-hub-signature-256': String(gitHub(body)['x-hub-signature-256']).slice(0, 40) }],
  [
    'an old signature with SHA-1',
    { 'x-hub-signature': `sha1=${createHmac('sha1', 'of github').update(body).digest('hex')}` },
  ],
  ['an empty token', { 'x-gitlab-token': '' }],
  ['two headers', { 'x-gitlab-token': ['of gitlab', 'of gitlab'] }],
  ['a wrong signature beside a right token', { ...gitHub(body, 'another'), 'x-gitlab-token': 'of gitlab' }],
  ['six minutes old', standard(body, { atMs: nowMs - 360_000 })],
  ['from the future', standard(body, { atMs: nowMs + 360_000 })],
  ['another time than the signed time', { ...standard(body), 'webhook-timestamp': String(nowMs / 1_000 - 1) }],
  ['another id than the signed id', { ...standard(body), 'webhook-id': 'msg_2' }],
  ['an invalid time', { ...standard(body), 'webhook-timestamp': '1e9' }],
])('a delivery is refused: %s', (_, headers) => {
  expect(verifyWebhook(headers, body, secrets, nowMs)).toEqual({ is: 'refused' });
});

function stack(name: string, source: Partial<GitSource>): StackEntry {
  const git = { kind: 'git', url: '', repository: 'github.com/acme/infra', ref: 'refs/heads/main', ...source } as const;
  return { name, source: git, mode: 'auto', intervalMs: 60_000, jitterMs: 0, after: [] };
}

const stacks: readonly StackEntry[] = [
  stack('a', {}),
  stack('b', { path: 'b' }),
  stack('default', { ref: 'HEAD' }),
  stack('release', { ref: 'refs/heads/release' }),
  stack('tag', { ref: 'refs/tags/v1' }),
  stack('other', { repository: 'github.com/acme/other' }),
  { ...stack('folder', {}), source: { kind: 'folder', path: '/srv' } },
];

async function serve(listener: RequestListener): Promise<{ readonly port: number }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  onTestFinished(() => server.closeAllConnections());
  await once(server, 'listening');
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0 };
}

function asSent(headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

interface Receiver {
  readonly port: number;
  readonly taken: PushTargets[];
  send(content: Buffer | string, headers: Headers): Promise<{ readonly status: number; readonly body: unknown }>;
}

async function receiver({ followed }: { readonly followed?: GitSource } = {}): Promise<Receiver> {
  const taken: PushTargets[] = [];
  const reference = [{ env: 'X' }];
  const handler = webhookHandler({
    config: () => ({
      stacks,
      webhooks: { github: reference, gitlab: reference, standard: reference },
      ...(followed === undefined ? {} : { followed }),
    }),
    secrets: () => Promise.resolve(secrets),
    now: async (concerned) => void taken.push(concerned),
    nowMs: () => nowMs,
  });
  const { port } = await serve((incoming, response) => void handler(incoming, response));
  return {
    port,
    taken,
    async send(content, headers) {
      const response = await fetch(`http://127.0.0.1:${port}/-hooks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...asSent(headers) },
        body: content,
      });
      return { status: response.status, body: await response.json() };
    },
  };
}

test('a push runs the stacks of its repository and branch, and counts once', async () => {
  const { send, taken } = await receiver();
  expect(await send(body, gitHub(body))).toEqual({ status: 202, body: { stacks: 3 } });
  expect(taken).toEqual([{ stacks: ['a', 'b', 'default'], config: false }]);
  expect(await send(body, gitHub(body))).toEqual({ status: 200, body: { stacks: 0, repeated: true } });
  const own = Buffer.from(
    JSON.stringify({ type: 'push', data: { url: 'https://github.com/acme/infra', ref: 'refs/heads/main' } }),
  );
  expect(await send(own, standard(own))).toEqual({ status: 202, body: { stacks: 3 } });
  expect(await send(own, standard(own))).toEqual({ status: 200, body: { stacks: 0, repeated: true } });
  expect(taken).toHaveLength(2);
});

const gitLab = { 'x-gitlab-token': 'of gitlab' };
const push = (ref: string, more = {}) => ({
  object_kind: 'push',
  ref,
  after: 'abc',
  project: { git_ssh_url: 'git@GitHub.com:acme/Infra.git' },
  ...more,
});

test.each<[string, object, Headers, readonly string[]]>(
  // biome-ignore format: a row is a case
  [
    ['of GitLab, by the ssh address', push('refs/heads/release'), gitLab, ['default', 'release']],
    ['of a tag', push('refs/tags/v1', { object_kind: 'tag_push' }), gitLab, ['default', 'tag']],
    ['of anybody', { type: 'push', data: { url: 'https://github.com/acme/other', ref: 'refs/heads/main' } }, gitLab,
      ['other']],
    ['that deletes the branch', push('refs/heads/main', { after: '0'.repeat(40) }), gitLab, []],
    ['of an unknown repository',
      push('refs/heads/main', { project: { git_ssh_url: 'git@evil.example.com:acme/infra.git' } }), gitLab, []],
    ['that is a comment', { object_kind: 'note', ref: 'refs/heads/main' }, gitLab, []],
  ],
)('a push %s', async (_, content, headers, expected) => {
  const { send, taken } = await receiver();
  expect(await send(JSON.stringify(content), headers)).toEqual({ status: 202, body: { stacks: expected.length } });
  expect(taken.flatMap((each) => each.stacks)).toEqual(expected);
});

test('a form of GitHub is read, a push of the followed repository reloads the list, and an invalid document is ignored', async () => {
  const followed = { kind: 'git', url: '', repository: 'github.com/acme/fleet', ref: 'refs/heads/main' } as const;
  const { send, taken } = await receiver({ followed });
  const form = Buffer.from(`payload=${encodeURIComponent(body.toString())}`);
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await send(form, { ...gitHub(form), ...type })).toEqual({ status: 202, body: { stacks: 3 } });
  const fleet = Buffer.from(
    JSON.stringify({ ref: 'refs/heads/main', repository: { ssh_url: 'git@github.com:acme/fleet' } }),
  );
  await send(fleet, gitHub(fleet));
  expect(taken.at(-1)).toEqual({ stacks: [], config: true });
  for (const text of ['', 'null', '[]', '{"ref": 1}', '{'.repeat(10_000), '\u0000']) {
    const content = Buffer.from(text);
    expect(await send(content, gitHub(content))).toEqual({ status: 202, body: { stacks: 0 } });
  }
  expect(taken).toHaveLength(2);
});

test('a client without a secret learns nothing', async () => {
  const { send, taken } = await receiver();
  const answers = await Promise.all([
    send(body, {}),
    send(body, gitHub(body, 'x')),
    send('{}', { 'x-gitlab-token': 'x' }),
    send(body, standard(body, { atMs: 0 })),
  ]);
  expect(answers).toEqual(
    Array.from({ length: 4 }, () => ({ status: 401, body: { error: 'not signed by a known secret' } })),
  );
  expect(taken).toEqual([]);
});

test('a body of 100 MB is refused before it is read', async () => {
  const { port, taken } = await receiver();
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { 'content-length': 100_000_000, ...gitLab },
  });
  sent.on('error', () => undefined);
  sent.flushHeaders();
  const [response] = await once(sent, 'response');
  expect([response.statusCode, response.headers.connection]).toEqual([413, 'close']);
  sent.destroy();
  expect(taken).toEqual([]);
});

test('a body of 100 MB without a length is cut off after 25', async () => {
  const { port } = await receiver();
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let written = 0;
  let answer = '';
  let isOver = false;
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isOver = true;
      resolve();
    });
  });
  socket.write('POST / HTTP/1.1\r\nhost: a\r\nx-gitlab-token: of gitlab\r\ntransfer-encoding: chunked\r\n\r\n');
  const chunk = `${(2 ** 20).toString(16)}\r\n${'x'.repeat(2 ** 20)}\r\n`;
  while (!isOver && written < 100) {
    written += 1;
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed]);
  }
  await closed;
  expect(written).toBeLessThan(60);
  expect(answer === '' || answer.startsWith('HTTP/1.1 413')).toBe(true);
});

test('a delivery that failed can be sent again', async () => {
  let isDown = true;
  const reference = [{ env: 'X' }];
  const errors: unknown[] = [];
  const handler = webhookHandler({
    config: () => ({ stacks, webhooks: { github: reference, gitlab: [], standard: [] } }),
    secrets: () => Promise.resolve(secrets),
    now: () => (isDown ? Promise.reject(new Error('the store is down')) : Promise.resolve()),
  });
  const { port } = await serve(
    (incoming, response) => void handler(incoming, response).catch((error: unknown) => errors.push(error)),
  );
  const send = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers: asSent(gitHub(body)) });
  expect((await send()).status).toBe(503);
  isDown = false;
  expect((await send()).status).toBe(202);
  expect(errors).toHaveLength(1);
});

test('without a secret in the file every webhook is refused, and so are other methods', async () => {
  const handler = webhookHandler({
    config: () => ({ stacks, webhooks: { github: [], gitlab: [], standard: [] } }),
    secrets: () => Promise.resolve(none),
    now: () => Promise.reject(new Error('never')),
  });
  const { port } = await serve((incoming, response) => void handler(incoming, response));
  expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: { 'x-gitlab-token': '' } })).status).toBe(
    404,
  );
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(405);
});
