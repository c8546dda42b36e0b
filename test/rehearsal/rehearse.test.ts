import { describe, expect, test } from 'vitest';
import { objectAt } from '../../src/base/json/json.ts';
import type { Exchange } from '../../src/client/http/exchange.ts';
import type { PlanOptions } from '../../src/plan/model/planOptions.ts';
import { baseOfState } from '../../src/rehearsal/base.ts';
import { townForEach } from './town.ts';

const town = townForEach();

const gvc = 'kind: gvc\nname: shop\nspec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}';
const web = (image: string, more = '') => `${gvc}
---
kind: workload
gvc: shop
name: web
spec: {type: standard, containers: [{name: main, image: "${image}", ports: [{number: 8080}]${more}}]}
`;
const secret = (payload: string) => `kind: secret\nname: password\ntype: opaque\ndata: {payload: ${payload}}\n`;
const whole = (image: string) => `${web(image, ', env: [{name: PASSWORD, value: "scheme://secret/password"}]')}---
${secret('canary-4711')}`;

describe('the undisturbed run', () => {
  test('a plan that creates everything is consistent, with three creations and one query for each kind', async () => {
    const rehearsal = await town.rehearse(whole('web:1'));
    expect(rehearsal).toEqual({
      requests: 6,
      points: { tried: 0, of: 12 },
      stoodInFor: [],
      proposed: [],
      unreadReferrers: [],
    });
  });

  test('does not change the live platform', async () => {
    const before = await town.live.platform.dump();
    await town.rehearse(whole('web:1'), { crash: true });
    expect(await town.live.platform.dump()).toEqual(before);
  });

  test('sends a change with the id and version of the live record', async () => {
    await town.apply(whole('web:1'));
    await town.apply(whole('web:2'));
    const rehearsal = await town.rehearse(whole('web:3'));
    expect(rehearsal.problem).toBeUndefined();
    expect(rehearsal.requests).toBe(4); // the PATCH, and one query for each of three kinds to verify
  });

  test('a plan with nothing to do is consistent', async () => {
    await town.apply(whole('web:1'));
    const rehearsal = await town.rehearse(whole('web:1'));
    expect(rehearsal).toEqual({
      requests: 0,
      points: { tried: 0, of: 0 },
      stoodInFor: [],
      proposed: [],
      unreadReferrers: [],
    });
  });

  test('the deletion of a stack is consistent, with the records of others in it', async () => {
    await town.apply(whole('web:1'));
    await town.send('POST', 'gvc/shop/workload', {
      name: 'foreign',
      spec: { type: 'standard', containers: [{ name: 'main', image: 'x:1', ports: [{ number: 80 }] }] },
    });
    const rehearsal = await town.rehearse('', { crash: true }, { allowCollateral: 1 });
    expect(rehearsal.problem).toBeUndefined();
  });

  test('waiting takes no time, so that a workload that never becomes ready is found immediately', async () => {
    const text = web('web:1', ', env: [{name: PASSWORD, value: "scheme://secret/nowhere"}]');
    const { problem } = await town.rehearse(text, {}, { wait: true });
    expect(problem).toMatchObject({ what: 'apply' });
    expect(problem?.differences.join()).toContain('workload/shop/web was not ready after 300 s');
  });
});

describe('a live record is copied unchanged', () => {
  test('and can be changed elsewhere if it already breaks a rule', async () => {
    const text = (description: string) => `kind: domain
name: example.com
description: ${description}
lifecycle: {ignore: [spec.ports]}
spec: {dnsMode: cname, ports: [{number: 443, protocol: http2, tls: {}}]}
`;
    await town.apply(text('one'));
    // The platform does not offer this suite, so in strict mode it refuses every write with it.
    const ports = [{ number: 443, protocol: 'http2', tls: { cipherSuites: ['DES-CBC3-SHA'] } }];
    await town.tamper((held) => ({
      ...held,
      records: held.records.map((row) =>
        row.kind === 'domain' ? { ...row, record: { ...row.record, spec: { dnsMode: 'cname', ports } } } : row,
      ),
    }));
    const rehearsal = await town.rehearse(text('two'));
    expect(rehearsal.problem).toBeUndefined();
    expect(rehearsal.requests).toBe(2);
  });

  test('including unknown fields, which are no difference', async () => {
    await town.apply(whole('web:1'));
    await town.tamper((held) => ({
      ...held,
      records: held.records.map((row) => {
        if (row.kind !== 'workload') return row;
        return { ...row, record: { ...row.record, spec: { ...objectAt(row.record, 'spec'), novelty: { of: 1 } } } };
      }),
    }));
    expect((await town.rehearse(whole('web:2'), { crash: true })).problem).toBeUndefined();
  });

  const stateful = (more: string) => `${gvc}
---
kind: volumeset
gvc: shop
name: rows
spec: {fileSystemType: ext4, performanceClass: general-purpose-ssd, initialCapacity: 10${more}}
---
kind: volumeset
gvc: shop
name: logs
spec: {fileSystemType: ext4, performanceClass: general-purpose-ssd, initialCapacity: 10}
---
kind: workload
gvc: shop
name: database
spec:
  type: stateful
  containers:
    - name: main
      image: db:1
      ports: [{number: 5432, protocol: tcp}]
      volumes: [{uri: "scheme://volumeset/rows", path: /rows}, {uri: "scheme://volumeset/logs", path: /logs}]
`;

  test('with its volumes, so that changes that they forbid are found (platform/volumeset.encryption)', async () => {
    const key = ', customEncryption: {regions: {aws-us-west-2: {keyId: "arn:aws:kms:us-west-2:1:key/a"}}}';
    await town.apply(stateful(key));
    const { problem } = await town.rehearse(stateful(''));
    expect(problem).toMatchObject({
      what: 'apply',
      request: { number: 1, method: 'PATCH', path: '/org/local/gvc/shop/volumeset/rows' },
    });
    expect(problem?.differences.join()).toContain('its key cannot change');
  });

  test('and a repeated deletion of data needs only the permission for the remaining data', async () => {
    await town.apply(stateful(''));
    const { problem } = await town.rehearse('', { crash: true }, { allowDataLoss: 2 });
    expect(problem).toBeUndefined();
  });
});

describe('records that the plan did not read are simulated', () => {
  const policy = (description: string) => `kind: policy
name: readers
description: ${description}
targetKind: gvc
target: all
lifecycle: {ignore: [bindings]}
bindings: []
`;

  test('such as a principal that only the live record names', async () => {
    await town.send('POST', 'group', { name: 'strangers' });
    await town.apply(policy('one'));
    const bindings = [{ permissions: ['view'], principalLinks: ['//group/strangers'] }];
    expect((await town.send('PATCH', 'policy/readers', { '$replace/bindings': bindings })).status).toBe(200);
    const rehearsal = await town.rehearse(policy('two'));
    expect(rehearsal).toMatchObject({ stoodInFor: ['group/strangers'] });
    expect(rehearsal.problem).toBeUndefined();
  });

  test("such as an image of the org's registry, if its workload changes", async () => {
    const rehearsal = await town.rehearse(web('//image/web:1'));
    expect(rehearsal.stoodInFor).toEqual(['image/web:1']);
    await town.apply(web('//image/web:1'));
    expect((await town.rehearse(web('//image/web:1'))).stoodInFor).toEqual([]);
  });

  test('but possible unread referrers of a deleted record are reported, unless the whole state is given', async () => {
    const mine =
      'kind: secret\nname: pull\ntype: docker\ndata: \'{"auths":{"r.example":{"auth":"YTpi"}}}\'\n---\nkind: group\nname: people\n';
    await town.apply(mine);
    expect(
      (await town.send('POST', 'gvc', { name: 'theirs', spec: { pullSecretLinks: ['//secret/pull'] } })).status,
    ).toBe(201);
    const read = await town.rehearse('');
    expect([read.problem, read.unreadReferrers]).toEqual([undefined, ['secret/pull']]);
    const whole = await town.rehearseInput({
      ...(await town.planned('')),
      base: baseOfState(await town.live.platform.dump()),
    });
    expect(whole).toMatchObject({ problem: { what: 'apply' }, unreadReferrers: [] });
  });

  const subdomain =
    'kind: domain\nname: shop.example.com\nspec: {dnsMode: ns, ports: [{number: 443, protocol: http2, tls: {}}]}\n';

  test('but not the apex of a subdomain in the mode ns, which the plan reads', async () => {
    const { status } = await town.send('POST', 'domain', {
      name: 'example.com',
      spec: { dnsMode: 'cname', ports: [] },
    });
    expect(status).toBe(201);
    const rehearsal = await town.rehearse(subdomain);
    expect(rehearsal.stoodInFor).toEqual([]);
    expect(rehearsal.problem).toBeUndefined();
  });

  test('such as the values of a secret that cannot be revealed, which also stay unknown afterwards', async () => {
    await town.apply(secret('canary-4711'));
    const text = secret('canary-4712').replace('name: password', 'name: password\ndescription: another');
    const refusing = refusingReveals();
    const input = await town.planned(text, {}, refusing);
    expect([...input.snapshot.unrevealed]).toEqual(['secret/password']);
    const rehearsal = await town.rehearseInput({ ...input, crash: true });
    expect(rehearsal).toMatchObject({ stoodInFor: ['secret/password (its values)'] });
    expect(rehearsal.problem).toBeUndefined();
  });

  test('but not the values of such a secret once the plan has written them', async () => {
    await town.apply(secret('canary-4711'));
    const input = await town.planned(secret('canary-4712'), { writeUnknownSecrets: true }, refusingReveals());
    const rehearsal = await town.rehearseInput({ ...input, crash: true });
    expect(rehearsal.problem).toBeUndefined();
    expect(rehearsal.requests).toBe(2);
  });
});

describe('a list key that the platform does not document', () => {
  const ports = (second: string) => `${gvc}
---
kind: workload
gvc: shop
name: web
spec:
  type: standard
  containers:
    - name: main
      image: web:1
      ports: [{number: 8080, protocol: http}, {number: 9000, protocol: ${second}}]
`;

  test('is reported if a patch names an item by it (platform/patch.list-keys)', async () => {
    await town.apply(ports('grpc'));
    const { plan } = await town.planned(ports('tcp'));
    expect(JSON.stringify(plan.changes.map(({ patch }) => patch))).toContain('$patch/ports');
    expect((await town.rehearse(ports('tcp'))).proposed).toEqual([
      'the list key of spec.containers.ports (workload/shop/web)',
    ]);
  });

  test('is not reported if a patch names an item by a documented key', async () => {
    await town.apply(web('web:1'));
    expect((await town.rehearse(web('web:2'))).proposed).toEqual([]);
  });
});

describe('every way to change a stack', () => {
  test.each<readonly [string, string, string, Partial<PlanOptions>]>(
    // biome-ignore format: a row is a case
    [
      ['adoption', '', 'kind: group\nname: readers\ndescription: ours\n', { adopt: true }],
      ['forgetting', 'kind: auditctx\nname: ledger\n', '', {}],
      ['retaining', 'kind: group\nname: kept\nlifecycle: {retain: true}\n', 'kind: group\nname: other\n', {}],
      ['replacement', secret('canary-4711'),
        'kind: secret\nname: password\ntype: dictionary\ndata: {key: canary-4712}\n', {}],
      ['a part of a foreign record', '', 'kind: group\nname: readers\ntags: {ours: yes}\nlifecycle: {part: true}\n',
        {}],
      ['renaming', web('web:1'), web('web:1').replace('name: web\n', 'name: site\nlifecycle: {previously: web}\n'), {}],
    ],
  )('%s converges from every interruption', async (_, before, after, permits) => {
    await town.send('POST', 'group', { name: 'readers' });
    if (before !== '') await town.apply(before);
    const input = await town.planned(after, permits);
    expect(input.plan.refusals).toEqual([]);
    const { problem, requests, points } = await town.rehearseInput({ ...input, crash: true });
    expect(problem).toBeUndefined();
    expect(requests).toBeGreaterThan(0);
    expect(points).toEqual({ tried: 2 * requests, of: 2 * requests });
  });
});

/** A platform whose secrets this token cannot reveal. */
function refusingReveals() {
  return (exchange: Exchange): Exchange => ({
    async send(request) {
      if (!request.path.endsWith('/-reveal')) return exchange.send(request);
      return { status: 403, body: { message: 'no' }, retryAfter: undefined, date: undefined };
    },
    close: () => exchange.close(),
  });
}
