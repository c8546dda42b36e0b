import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, objectAt } from '../../src/base/json/json.ts';
import type { Answer } from '../../src/client/http/answer.ts';
import type { Exchange, Request } from '../../src/client/http/exchange.ts';
import type { RehearsalInput } from '../../src/rehearsal/input.ts';
import { sampleOf } from '../../src/rehearsal/interruptions.ts';
import { townForEach } from './town.ts';

const town = townForEach();

/** Three creations: the GVC, the secret, and then the workload that needs both. */
const stack = `kind: gvc
name: shop
description: Shop
---
kind: secret
name: password
type: opaque
data: {payload: canary-4711}
---
kind: workload
gvc: shop
name: web
description: Web
spec:
  type: standard
  containers:
    - name: main
      image: web:1
      ports: [{number: 8080}]
      env: [{name: PASSWORD, value: "scheme://secret/password"}]
`;
const collection = '/org/local/gvc/shop/workload';

/** A platform that handles some requests differently. */
function altered(
  change: (request: Request, send: (request: Request) => Promise<Answer>) => Promise<Answer>,
  on: 'first' | 'again',
): NonNullable<RehearsalInput['around']> {
  return (exchange, where): Exchange => ({
    send: (request) => (where === on ? change(request, (other) => exchange.send(other)) : exchange.send(request)),
    close: () => exchange.close(),
  });
}

function isCreation({ method, path }: Request, name: string): boolean {
  return method === 'POST' && path.endsWith(`/${name}`);
}

function without(body: JsonObject | undefined, field: string): JsonObject {
  return Object.fromEntries(Object.entries(body ?? {}).filter(([key]) => key !== field));
}

describe('on a platform that does not apply the plan as rehearsed', () => {
  test('a dropped field is reported with its request', async () => {
    const around = altered((request, send) => {
      if (!isCreation(request, 'workload')) return send(request);
      return send({ ...request, body: without(request.body, 'description') });
    }, 'first');
    const { problem, requests, points } = await town.rehearse(stack, { around, crash: true });
    expect(problem).toMatchObject({ what: 'apply', request: { number: 3, method: 'POST', path: collection } });
    expect(problem?.differences).toEqual([
      'workload/shop/web: workload/shop/web was written, but the platform returned unexpected values for description',
    ]);
    expect(points).toEqual({ tried: 0, of: 2 * requests });
  });

  test('a refused request is reported, without a secret that the refusal repeats', async () => {
    const around = altered(async (request, send) => {
      if (!isCreation(request, 'secret')) return send(request);
      // A platform can repeat the value in its message. The client masks it (client/http/refusalText.ts).
      return send({ ...request, body: { ...request.body, type: 'canary-4711' } });
    }, 'first');
    const rehearsal = await town.rehearse(stack, { around });
    expect(rehearsal.problem).toMatchObject({ what: 'apply', request: { method: 'POST', path: '/org/local/secret' } });
    expect(rehearsal.problem?.differences.join()).toContain('***');
    expect(JSON.stringify(rehearsal)).not.toContain('canary');
  });

  test('a later plan that is not empty is reported with its changes', async () => {
    let written = false;
    const around = altered(async (request, send) => {
      const answer = await send(request);
      if (request.path.endsWith('/workload')) written = true;
      if (!written || !request.path.includes('/gvc/-query')) return answer;
      return { ...answer, body: describedAs(answer.body, 'Somebody else') };
    }, 'first');
    const { problem } = await town.rehearse(stack, { around });
    expect(problem?.what).toBe('plan');
    expect(problem?.differences).toHaveLength(1);
    expect(problem?.differences[0]).toContain('gvc/shop would still be changed (patch description)');
  });
});

function describedAs(page: unknown, description: string): JsonObject {
  if (!isObject(page)) throw new Error('no page');
  const items = page['items'];
  return { ...page, items: Array.isArray(items) ? items.map((item) => ({ ...item, description })) : [] };
}

describe('at an interruption point from which the apply does not converge', () => {
  test('a creation that fails only if the other records exist is reported with the point before it', async () => {
    const around = altered((request, send) => {
      const alone = isCreation(request, 'workload') && created === 0;
      if (isCreation(request, 'gvc') || isCreation(request, 'secret')) created += 1;
      if (isCreation(request, 'workload')) created = 0;
      return alone ? Promise.resolve(refusal) : send(request);
    }, 'again');
    let created = 0;
    const { problem, points } = await town.rehearse(stack, { around, crash: true });
    expect(problem).toEqual({
      what: 'apply',
      point: { request: { number: 2, method: 'POST', path: expect.stringContaining('/org/local/') }, when: 'after' },
      differences: [`workload/shop/web: POST ${collection}: it is forbidden here`],
    });
    // The points before the first and the second request. Points with a lost answer come after all of these.
    expect(points).toMatchObject({ tried: 2 });
  });

  test('a different final state is reported with the field, but no value', async () => {
    const around = altered(async (request, send) => {
      if (!isCreation(request, 'secret')) return send(request);
      // The platform stores another value and an additional tag, and shows neither in replies.
      const body = { ...request.body, data: { payload: 'canary-other' } };
      const answer = await send({
        ...request,
        body: { ...body, tags: { ...objectAt(body, 'tags'), stray: 'canary' } },
      });
      return isObject(answer.body) ? { ...answer, body: withoutTag(answer.body, 'stray') } : answer;
    }, 'again');
    const rehearsal = await town.rehearse(stack, { around, crash: true });
    expect(rehearsal.problem).toMatchObject({
      what: 'state',
      point: { when: 'before', request: { number: 1 } },
      differences: ['secret/password: data.payload is otherwise', 'secret/password: tags.stray is otherwise'],
    });
    expect(JSON.stringify(rehearsal)).not.toContain('canary');
  });

  test('a record that is left over is reported by name', async () => {
    const around = altered(async (request, send) => {
      if (!isCreation(request, 'secret')) return send(request);
      await send({ ...request, body: { ...request.body, name: 'password-copy' } });
      return send(request);
    }, 'again');
    const { problem } = await town.rehearse(stack, { around, crash: true });
    expect(problem).toMatchObject({ what: 'state', differences: ['secret/password-copy is left over'] });
  });
});

describe('a lost answer after which the run continues', () => {
  test('is a separate interruption point from which the run must also converge', async () => {
    // The platform once denies that the secret exists, and then creates another one.
    let creations = 0;
    let denials = 0;
    const around = altered(async (request, send) => {
      if (request.path === '/discovery') [creations, denials] = [0, 0];
      if (isCreation(request, 'secret')) {
        creations += 1;
        if (creations === 2) return send({ ...request, body: { ...request.body, name: 'password-copy' } });
      } else if (request.method === 'GET' && request.path.includes('/secret/password') && creations === 1) {
        denials += 1;
        if (denials === 1) return { ...refusal, status: 404 };
      }
      return send(request);
    }, 'again');
    const { problem, points } = await town.rehearse(stack, { around, crash: true });
    expect(problem).toMatchObject({
      what: 'state',
      point: { when: 'after', request: { method: 'POST', path: '/org/local/secret' } },
      differences: ['secret/password-copy is left over'],
    });
    // The nine points other than lost answers to writes, and the writes before this one.
    expect(points.tried).toBe(9 + (problem?.point?.request.number ?? 0) - 1);
  });
});

function withoutTag(record: JsonObject, key: string): JsonObject {
  return { ...record, tags: without(objectAt(record, 'tags'), key) };
}

const refusal: Answer = {
  status: 400,
  body: { status: 400, message: 'it is forbidden here' },
  retryAfter: undefined,
  date: undefined,
};

describe('too many interruption points', () => {
  test('are sampled, and the result has the seed and both numbers', async () => {
    const { problem, points } = await town.rehearse(stack, { crash: true, mostPoints: 5, seed: 'monday' });
    expect(problem).toBeUndefined();
    expect(points).toEqual({ tried: 5, of: 12, seed: 'monday' });
  });

  test('are not sampled at the limit', async () => {
    const { points } = await town.rehearse(stack, { crash: true, mostPoints: 12 });
    expect(points).toEqual({ tried: 12, of: 12 });
  });

  test('give the same sample for the same seed, in order and without repetition', () => {
    const all = Array.from({ length: 1040 }, (_, index) => index);
    const chosen = sampleOf(all, 500, 'monday');
    expect(new Set(chosen).size).toBe(500);
    expect(chosen).toEqual([...chosen].sort((a, b) => a - b));
    expect(sampleOf(all, 500, 'monday')).toEqual(chosen);
    expect(sampleOf(all, 500, 'tuesday')).not.toEqual(chosen);
  });
});
