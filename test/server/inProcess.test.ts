import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../src/base/json/json.ts';
import { type InProcessOptions, type InProcessPlatform, openInProcess } from '../../src/server/inProcess.ts';

let platform: InProcessPlatform;
const open = async (options: InProcessOptions = {}) => {
  platform = await openInProcess(options);
};
beforeEach(() => open());
afterEach(() => platform.close());

async function send(method: string, path: string, body?: JsonObject) {
  const bodyText = body === undefined ? '' : JSON.stringify(body);
  const reply = await platform.send({ method, path, bodyText });
  const answer: unknown = JSON.parse(reply?.body ?? 'null');
  return { status: reply?.status, body: isObject(answer) ? answer : {} };
}

describe('a platform without a socket', () => {
  test('answers as over the wire: a record, a refusal, an unknown address', async () => {
    expect((await send('POST', '/org/local/gvc', { name: 'shop' })).status).toBe(201);
    expect((await send('POST', '/org/local/gvc', { name: 'shop' })).body).toMatchObject({ status: 409 });
    expect((await send('GET', '/org/local/gvc/shop')).body).toMatchObject({ kind: 'gvc', name: 'shop', version: 1 });
    expect((await send('GET', '/nowhere')).status).toBe(404);
    expect((await send('GET', '/org/local/gvc?limit=0')).status).toBe(400);
  });

  test('stands still until it is stepped', async () => {
    const before = platform.now();
    await platform.stepTo(before + 60_000);
    expect(platform.now()).toBe(before + 60_000);
  });

  test('has a state that another platform can load', async () => {
    await send('POST', '/org/local/secret', { name: 'password', type: 'opaque', data: { payload: 'deep' } });
    const state = await platform.dump();
    await platform.close();
    await open();
    await platform.load(state);
    const { body } = await send('GET', '/org/local/secret/password/-reveal');
    expect(objectAt(body, 'data')).toEqual({ payload: 'deep', encoding: 'plain' });
  });

  test('returns no answer if a fault breaks the connection', async () => {
    await platform.close();
    await open({ faults: { seed: 'a', faults: [{ method: 'GET', path: '/org/**', drop: true }] } });
    expect(await platform.send({ method: 'GET', path: '/org/local', bodyText: '' })).toBeUndefined();
  });
});

describe('records that already broke a rule (tolerate: existing)', () => {
  const address = '/org/local/domain/example.com';
  /** More suites than the rule allows, and none that the platform offers (platform/domain). */
  const suites = Array.from({ length: 21 }, (_, index) => `SUITE-${index}`);
  const port = (number: number, tls: JsonObject = {}) => ({ number, protocol: 'http2', tls });

  async function withOldProblem(): Promise<void> {
    const spec = { dnsMode: 'cname', ports: [port(443)] };
    expect((await send('POST', '/org/local/domain', { name: 'example.com', spec })).status).toBe(201);
    await tamper('domain', { dnsMode: 'cname', ports: [port(443, { cipherSuites: suites })] });
  }

  /** Puts another `spec` into the records of a kind without checking any rule. */
  async function tamper(kind: string, spec: JsonObject): Promise<void> {
    const held = (await platform.dump())['local'];
    if (held === undefined) throw new Error('no org');
    const records = held.records.map((row) => (row.kind === kind ? { ...row, record: { ...row.record, spec } } : row));
    await platform.load({ local: { ...held, records } });
  }

  test('are refused on every change without tolerance', async () => {
    await withOldProblem();
    expect((await send('PATCH', address, { description: 'another' })).status).toBe(400);
  });

  describe('with tolerance', () => {
    beforeEach(async () => {
      await platform.close();
      await open({ tolerate: 'existing' });
      await withOldProblem();
    });

    test('can be changed elsewhere, and keep the offending value', async () => {
      const { status, body } = await send('PATCH', address, { description: 'another' });
      expect(status).toBe(200);
      expect(body).toMatchObject({ description: 'another', version: 2 });
      expect(JSON.stringify(own(objectAt(body, 'spec'), 'ports'))).toContain('SUITE-20');
    });

    test('can be replaced by PUT with the offending value', async () => {
      const spec = { dnsMode: 'cname', ports: [port(443, { cipherSuites: suites })] };
      expect((await send('PUT', address, { name: 'example.com', description: 'put', spec })).status).toBe(200);
    });

    test('are refused a change with a new problem, and only that problem is reported', async () => {
      const { status, body } = await send('PATCH', address, { spec: { certChallengeType: 'smoke' } });
      expect(status).toBe(400);
      const paths = listAt(objectAt(body, 'details'), 'problems').map((detail: unknown) =>
        isObject(detail) ? stringAt(detail, 'path') : undefined,
      );
      expect(paths).toEqual(['spec.certChallengeType']);
    });

    test('are refused a change that breaks the same rule at another place', async () => {
      const ports = [port(8443, { cipherSuites: suites })];
      expect((await send('PATCH', address, { spec: { '$append/ports': ports } })).status).toBe(400);
    });

    test('can have an unknown field that moves with its list item', async () => {
      const main = { name: 'main', image: 'x:1' };
      const spec = { type: 'standard', containers: [main] };
      await send('POST', '/org/local/gvc', { name: 'shop' });
      expect((await send('POST', '/org/local/gvc/shop/workload', { name: 'web', spec })).status).toBe(201);
      const odd = { ...main, name: 'odd', novelty: true };
      await tamper('workload', { ...spec, containers: [odd] });
      const address = '/org/local/gvc/shop/workload/web';
      expect((await send('PATCH', address, { spec: { containers: [main, odd] } })).status).toBe(200);
      expect((await send('PATCH', address, { spec: { novelty: true } })).status).toBe(400);
    });

    test('do not exempt a new record from the rule', async () => {
      const spec = { dnsMode: 'cname', ports: [port(443, { cipherSuites: suites })] };
      expect((await send('POST', '/org/local/domain', { name: 'example.org', spec })).status).toBe(400);
    });

    test('still cannot change an immutable field', async () => {
      expect((await send('PATCH', address, { name: 'other.example.com' })).status).toBe(400);
    });
  });
});
