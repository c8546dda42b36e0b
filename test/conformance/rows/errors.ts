import { expect } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { makeGvc, makeSecret, makeWorkload, specOf, town } from '../harness/fixtures.ts';
import { itemsAt } from '../harness/place.ts';
import { parted, type Row, row } from '../harness/row.ts';
import { openWire } from '../harness/wire.ts';

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
      check(
        await wire.refused(400, 'POST', 'domain', { name: `${wire.name('shop')}.com`, description: 'd'.repeat(251) }),
      );
      check(await wire.refused(400, 'POST', 'gvc', { name: wire.name('gvc'), spec: { nope: 1, domain: [] } }));
    }),
  ),
  parted(
    'errors/code',
    'every error body has a code, which says more than the status where more is known',
    [
      'what is sent wrong: validation_failed, unreadable_body, invalid_request',
      async (wire) => {
        const codes = [
          await wire.refused(400, 'POST', 'gvc', { name: wire.name('gvc'), spec: { nope: 1 } }),
          await wire.refused(400, 'POST', 'gvc', '{'),
          await wire.refused(400, 'GET', 'gvc?limit=none'),
        ].map(({ code }) => code);
        expect(codes).toEqual(['validation_failed', 'unreadable_body', 'invalid_request']);
      },
    ],
    [
      'who may not, what is not there, and what is not offered: unauthorized, not_found, method_not_allowed',
      async (wire) => {
        const nobody = await wire.call('GET', 'gvc', undefined, { authorization: null });
        expect([nobody.status, nobody.body['code']]).toEqual([401, 'unauthorized']);
        expect(await wire.refused(404, 'GET', 'gvc/none')).toMatchObject({ code: 'not_found' });
        expect(await wire.refused(405, 'DELETE', '/org/local')).toMatchObject({ code: 'method_not_allowed' });
      },
    ],
    [
      'conflicts: already_exists, version_mismatch',
      async (wire) => {
        const gvc = await makeGvc(wire);
        expect(await wire.refused(409, 'POST', 'gvc', { name: gvc })).toMatchObject({ code: 'already_exists' });
        const stale = await wire.refused(409, 'PATCH', `gvc/${gvc}`, { version: 7, description: 'x' });
        expect(stale).toMatchObject({ code: 'version_mismatch' });
      },
    ],
    [
      'deletions: has_dependents with the links, protected, built_in',
      async (wire) => {
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
        expect(await wire.refused(400, 'DELETE', 'group/viewers')).toMatchObject({ code: 'built_in' });
      },
    ],
    [
      'apex_must_exist',
      async (wire) => {
        const body = { name: `a.${wire.name('shop')}.com`, spec: { dnsMode: 'ns' } };
        expect(await wire.refused(400, 'POST', 'domain', body)).toMatchObject({ code: 'apex_must_exist' });
      },
    ],
    [
      'must_prove_ownership, with the record to create',
      async () => {
        const wire = await openWire({ proveOwnership: true });
        try {
          const error = await wire.refused(400, 'POST', 'domain', { name: 'shop.com' });
          expect(error).toMatchObject({ code: 'must_prove_ownership' });
          expect(itemsAt(error, 'details/ownershipConfig')).toEqual([
            { type: 'TXT', host: '_scheme.shop.com', ttl: 600, value: expect.any(String) },
          ]);
        } finally {
          await wire.close();
        }
      },
    ],
    [
      'parent_ns_domain_exists',
      async (wire) => {
        const apex = `${wire.name('shop')}.com`;
        await wire.ok('POST', 'domain', { name: apex });
        await wire.ok('POST', 'domain', { name: `a.${apex}`, spec: { dnsMode: 'ns' } });
        const reply = await wire.call('POST', 'domain', { name: `b.a.${apex}`, spec: { dnsMode: 'cname' } });
        expect([reply.status, reply.body['code']]).toEqual([409, 'parent_ns_domain_exists']);
      },
    ],
    [
      'apex_owned_by_other_org',
      async (wire) => {
        const apex = `${wire.name('shop')}.internal`;
        const org = wire.name('other');
        expect((await wire.call('POST', '/org', { name: org })).status).toBe(201);
        const name = `${wire.name('shop')}.com`;
        await wire.ok('POST', `/org/${org}/domain`, { name });
        const reply = await wire.call('POST', 'domain', { name });
        expect([reply.status, reply.body['code']], apex).toEqual([409, 'apex_owned_by_other_org']);
      },
    ],
  ),
  parted(
    'errors/status codes',
    'each failure has its status, and the same body',
    [
      '400, 401, 404, 405 and 409 have the body; none is a 500, and none shows where it happened',
      async (wire) => {
        const gvc = await town(wire);
        const failures: readonly [number, string, string, unknown][] = [
          [400, 'POST', 'gvc', '{'],
          [400, 'POST', 'gvc/-query', { spec: { terms: [{ op: '=' }] } }],
          [400, 'POST', 'gvc', { name: '__proto__' }],
          [404, 'GET', 'gvc/none', undefined],
          [404, 'GET', '/nothing', undefined],
          [405, 'DELETE', '/org/local', undefined],
          [409, 'POST', 'gvc', { name: gvc }],
        ];
        for (const [status, method, path, body] of failures) {
          const reply = await wire.call(method, path, body);
          expect(reply.status, `${method} ${path}: ${reply.text}`).toBe(status);
          expect(reply.body).toMatchObject({ status, message: expect.any(String), id: expect.any(String) });
          expect(reply.text).not.toMatch(/\.ts:|node_modules|\n\s+at /);
        }
        expect((await wire.call('DELETE', '/org/local')).headers.get('allow')).toMatch(/GET/);
      },
    ],
    [
      'all problems of a record are told at once',
      async (wire) => {
        const spec = { loadBalancer: { dedicated: 'x', trustedProxies: 9 }, env: [{ name: 'SCHEME_A' }] };
        const error = await wire.refused(400, 'POST', 'gvc', { name: 'A', spec });
        expect(itemsAt(error, 'details/problems').length).toBeGreaterThanOrEqual(4);
      },
    ],
  ),
  parted(
    'errors/conflicts',
    'what conflicts with the rules is refused: a deletion with 400, a run-now on another type with 400',
    [
      'a deletion of what is used is 400 and names the user',
      async (wire) => {
        const secret = await makeSecret(wire, 'docker');
        const gvc = await makeGvc(wire, { pullSecretLinks: [secret] });
        const error = await wire.refused(400, 'DELETE', secret);
        expect(error['message']).toContain(gvc);
        await wire.ok('PATCH', `gvc/${gvc}`, { spec: { pullSecretLinks: [] } });
        await wire.ok('DELETE', secret);
      },
    ],
    [
      'a run-now on a workload that is not cron is 400',
      async (wire) => {
        const workload = await makeWorkload(wire, await town(wire), specOf('standard'));
        const body = { type: 'runCronWorkload', spec: { location: 'aws-us-east-1' } };
        await wire.refused(400, 'POST', `${workload}/-command`, body);
      },
    ],
  ),
];
