import { expect } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { makeGvc, makeSecret, makeWorkload, specOf, town } from '../harness/fixtures.ts';
import { itemsAt } from '../harness/place.ts';
import { parted, partOf, type Row, row } from '../harness/row.ts';

const errorFields: Readonly<Record<string, (error: JsonObject) => void>> = {
  status: (error) => expect(error['status']).toBe(400),
  message: (error) => expect(error['message']).toMatch(/\w/),
  details: (error) =>
    expect(itemsAt(error, 'details/problems')[0]).toMatchObject({
      path: expect.any(String),
      message: expect.any(String),
    }),
  id: (error) => expect(error['id']).toMatch(/^[\w-]{8,}$/),
};

export const errorRows: readonly Row[] = [
  ...Object.entries(errorFields).map(([field, check]) =>
    row(`errors/${field}`, `the error body has ${field}, for a domain and for every other operation`, async (wire) => {
      check(await wire.refused(400, 'POST', 'domain', { name: 'no domain' }));
      check(await wire.refused(400, 'POST', 'gvc', { name: wire.name('gvc'), spec: { nope: 1, domain: [] } }));
    }),
  ),
  parted(
    'errors/code',
    'every error body has a code, which can be more specific than the status',
    partOf('refused deletions have the code has_dependents with the links, protected, or built_in', async (wire) => {
      const secret = await makeSecret(wire, 'docker');
      const gvc = await makeGvc(wire, { pullSecretLinks: [secret] });
      const used = await wire.refused(400, 'DELETE', secret);
      expect([used['code'], itemsAt(used, 'details/problems').map(({ message }) => message)]).toEqual([
        'has_dependents',
        [`/org/local/gvc/${gvc}`],
      ]);
      await wire.ok('PATCH', `gvc/${gvc}`, { spec: { pullSecretLinks: [] }, tags: { 'scheme/protected': true } });
      expect(await wire.refused(400, 'DELETE', `gvc/${gvc}`)).toMatchObject({ code: 'protected' });
      await wire.ok('PATCH', `gvc/${gvc}`, { tags: { 'scheme/protected': null } });
      await wire.ok('DELETE', `gvc/${gvc}`);
      expect(await wire.refused(400, 'DELETE', 'group/viewers')).toMatchObject({ code: 'built_in' });
    }),
    [
      'refused changes of built-in records have the code built_in, and invalid ones validation_failed',
      async (wire) => {
        for (const kind of ['policy', 'auditctx', 'serviceaccount']) {
          const [found] = itemsAt(await wire.get(kind), 'items').filter(({ origin }) => origin === 'builtin');
          const path = `${kind}/${found?.['name']}`;
          for (const change of [{ description: 'mine' }, { tags: { a: 'b' } }, { '$replace/tags': { a: 'b' } }]) {
            expect(await wire.refused(400, 'PATCH', path, change)).toMatchObject({ code: 'built_in' });
          }
          await wire.refused(400, 'PUT', path, { ...found, description: 'mine' });
          expect(await wire.get(path)).toEqual(found);
          const wrong = { description: 'mine', tags: 7 };
          expect(await wire.refused(400, 'PATCH', path, wrong)).toMatchObject({ code: 'validation_failed' });
        }
      },
    ],
    partOf('apex_must_exist', async (wire) => {
      const body = { name: `a.${wire.name('shop')}.com`, spec: { dnsMode: 'ns' } };
      expect(await wire.refused(400, 'POST', 'domain', body)).toMatchObject({ code: 'apex_must_exist' });
    }),
    partOf('parent_ns_domain_exists', async (wire) => {
      const apex = `${wire.name('shop')}.com`;
      await wire.ok('POST', 'domain', { name: apex });
      await wire.ok('POST', 'domain', { name: `a.${apex}`, spec: { dnsMode: 'ns' } });
      const reply = await wire.call('POST', 'domain', { name: `b.a.${apex}`, spec: { dnsMode: 'cname' } });
      expect([reply.status, reply.body['code']]).toEqual([409, 'parent_ns_domain_exists']);
    }),
  ),
  parted('errors/status codes', 'each failure has its status, and the same body', [
    'all problems of a record are reported together',
    async (wire) => {
      const spec = { loadBalancer: { dedicated: 'x', trustedProxies: 9 }, env: [{ name: 'SCHEME_A' }] };
      const error = await wire.refused(400, 'POST', 'gvc', { name: 'A', spec });
      expect(itemsAt(error, 'details/problems').length).toBeGreaterThanOrEqual(4);
    },
  ]),
  parted(
    'errors/conflicts',
    'conflicts with the rules are refused with 400: a deletion, and a run-now on another type',
    partOf('a run-now on a workload that is not cron, and a command of another kind, are 400', async (wire) => {
      const workload = await makeWorkload(wire, await town(wire), specOf('standard'));
      const body = { type: 'runCronWorkload', spec: { location: 'aws-us-east-1' } };
      await wire.refused(400, 'POST', `${workload}/-command`, body);
      await wire.refused(400, 'POST', `${workload}/-command`, { type: 'expandVolume', spec: {} });
    }),
  ),
];
