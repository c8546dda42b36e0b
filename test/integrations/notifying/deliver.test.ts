import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { type DeliveryBounds, deliver, webhookHeaders } from '../../../src/integrations/deliver.ts';
import { parseHook } from '../../../src/integrations/hook.ts';
import { startHookServer } from './hookServer.ts';

const server = await startHookServer();
afterEach(() => server.forget());

const path = '/services/T0/B0/s3cr3t';
/** Longer than any test: a test about a bound sets its own. */
const bounds: DeliveryBounds = { attempts: 4, attemptMs: 60_000, totalMs: 240_000 };
const post = async (given: Partial<DeliveryBounds> = {}, secret?: string) => (await send(given, secret))?.why;
const send = (given: Partial<DeliveryBounds> = {}, secret?: string) =>
  deliver(parseHook(`${server.url}${path}`), { id: 'n1', body: '{"a":1}', secret, bounds: { ...bounds, ...given } });

describe('a notification', () => {
  test('is posted once if it is accepted', async () => {
    expect(await post()).toBeUndefined();
    expect(server.posted).toEqual([
      {
        path,
        body: '{"a":1}',
        headers: expect.objectContaining({ 'content-type': 'application/json', 'webhook-id': 'n1' }),
      },
    ]);
    expect(server.posted[0]?.headers).not.toHaveProperty('webhook-signature');
  });

  test.each([429, 500, 502, 503, 408])('is posted again after %i, with the same id and body', async (status) => {
    server.answerWith({ status }, { status });
    expect(await post()).toBeUndefined();
    expect(server.posted.map(({ body, headers }) => [body, headers['webhook-id']])).toEqual(
      Array.from({ length: 3 }, () => ['{"a":1}', 'n1']),
    );
  });

  test('is given up after the last attempt', async () => {
    server.answerWith(...Array.from({ length: 9 }, () => ({ status: 500 })));
    expect(await post()).toBe('it answered 500, after 4 attempts');
    expect(server.posted).toHaveLength(4);
  });

  test.each([400, 401, 404, 410])('is not posted again after %i, because a repetition cannot help', async (status) => {
    server.answerWith({ status });
    expect(await post()).toBe(`it answered ${status}`);
    expect(server.posted).toHaveLength(1);
  });

  test.each([
    [400, true],
    [413, true],
    [401, false],
    [404, false],
    [301, false],
  ])('reports whether its content, or its sender and address, is refused: %i', async (status, isRefused) => {
    server.answerWith({ status });
    expect(await send()).toMatchObject({ isRefused });
  });

  test.each([301, 302, 307, 308])(
    'does not follow a redirect (%i): that address may belong to another service',
    async (status) => {
      server.answerWith({ status, headers: { location: `${server.url}/elsewhere` } });
      expect(await post()).toBe(`it redirects (${status}), which is not followed`);
      expect(server.posted.map((each) => each.path)).toEqual([path]);
    },
  );

  test('waits as long as Retry-After says', async () => {
    server.answerWith({ status: 429, headers: { 'retry-after': '1' } });
    const begun = performance.now();
    expect(await post()).toBeUndefined();
    expect(performance.now() - begun).toBeGreaterThan(990); // Timers count whole milliseconds.
  });

  test('does not wait longer than it may delay a command', async () => {
    server.answerWith({ status: 429, headers: { 'retry-after': '3600' } });
    expect(await post()).toBe('it answered 429');
    expect(server.posted).toHaveLength(1);
  });

  test('without an answer ends within its bound', async () => {
    server.answerWith('silence', 'silence', 'silence', 'silence');
    expect(await post({ attemptMs: 100, totalMs: 250 })).toMatch(/^it did not answer in time/);
  });

  test('to a closed port reports that, without the address', async () => {
    const failed = await deliver(parseHook(`http://127.0.0.1:1${path}`), {
      id: 'n1',
      body: '{}',
      secret: undefined,
      bounds: { ...bounds, attempts: 2 },
    });
    expect(failed?.why).toMatch(/^it cannot be reached.*, after 2 attempts$/);
    expect(failed?.why).not.toContain('s3cr3t');
  });
});

describe('the signature of a notification', () => {
  // The example in the specification of Standard Webhooks 1.0.0.
  const example = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  };

  test('matches the example of Standard Webhooks', () => {
    expect(webhookHeaders(example, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toEqual({
      'webhook-id': example.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('uses any other secret as its bytes', async () => {
    await post({}, 'a secret of ours');
    const headers = server.posted[0]?.headers ?? {};
    const signed = `n1.${String(headers['webhook-timestamp'])}.{"a":1}`;
    const mac = createHmac('sha256', 'a secret of ours').update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${mac}`);
  });
});

describe('the address of a notification', () => {
  test.each([
    { text: 'https://hooks.slack.com/services/T0/B0/s3cr3t', form: 'slack', shown: 'https://hooks.slack.com/…' },
    { text: 'slack:https://chat.example.com/hooks/s3cr3t', form: 'slack', shown: 'https://chat.example.com/…' },
    { text: 'https://example.com:8443/s3cr3t?key=s3cr3t', form: 'json', shown: 'https://example.com:8443/…' },
    {
      text: 'https://hooks.slack.com.example.com/s3cr3t',
      form: 'json',
      shown: 'https://hooks.slack.com.example.com/…',
    },
  ])('$text has the form $form, and is shown as $shown', ({ text, form, shown }) => {
    expect(parseHook(text)).toMatchObject({ form, shown });
  });

  test.each(['', 'slack:', 'ftp://example.com/s3cr3t', 's3cr3t', 'https://me:s3cr3t@example.com/'])(
    '%j is refused, and not repeated in the error',
    (text) => {
      const parse = () => parseHook(text);
      expect(parse).toThrow(expect.objectContaining({ code: 'notify.address' }));
      expect(parse).not.toThrow(/s3cr3t/);
    },
  );
});
