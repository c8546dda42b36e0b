import { expect } from 'vitest';
import type { JsonValue } from '../../../../src/base/json/json.ts';
import { absentOr, fieldRow, problemPaths } from '../../harness/fieldRows.ts';
import {
  batch,
  container,
  east,
  makeGvc,
  makeIdentity,
  makeVolumeSet,
  makeWorkload,
  specOf,
  stateful,
  town,
} from '../../harness/fixtures.ts';
import { at } from '../../harness/place.ts';
import { parted, partOf, type Row, row } from '../../harness/row.ts';
import { workloadWith } from '../../harness/subjects.ts';
import { until } from '../../harness/wire.ts';

const standard = workloadWith('standard');
const cron = workloadWith('cron');

// biome-ignore format: a row is a case
export const workloadRows: readonly Row[] = [
  row('workload/name', 'a workload has a name of 3 to 49 characters, which does not end in -headless', async (wire) => {
    const collection = `gvc/${await town(wire)}/workload`;
    const spec = specOf('standard');
    const longest = `${'w'.repeat(48)}z`;
    expect((await wire.ok('POST', collection, { name: longest, spec }))['name']).toBe(longest);
    await wire.refused(409, 'POST', collection, { name: longest, spec });
    for (const name of ['ab', `${longest}z`, 'web-headless', 'Web', '1web', 'web-']) {
      expect(problemPaths(await wire.refused(400, 'POST', collection, { name, spec }))).toContain('name');
    }
  }),
  fieldRow('workload/description', 'a workload has a description', standard, 'description',
    { value: 'the shop', next: 'the other shop', wrong: 'd'.repeat(251) }),
  fieldRow('workload/tags', 'a workload has tags', standard, 'tags',
    { value: { a: 'b' }, next: { a: 'c' }, wrong: ['a'] }),
  row('workload/health', 'health is set by the server: a sent one is neither refused nor stored', async (wire) => {
      const gvc = await makeGvc(wire);
      const name = wire.name('work');
      const health = { readiness: 'mine', syncFailed: true, readyLocations: 9, totalLocations: 9, readyReplicas: 9 };
      await wire.ok('POST', `gvc/${gvc}/workload`, { name, health, spec: specOf('standard') });
      const shown = await until(
        wire,
        () => wire.get(`gvc/${gvc}/workload/${name}`),
        (workload) => at(workload, 'health/readiness') === 'ready',
      );
      expect(shown['health']).toMatchObject({
        readiness: 'ready',
        syncFailed: false,
        readyLocations: 2,
        totalLocations: 2,
        readyReplicas: expect.any(Number),
        totalReplicas: expect.any(Number),
      });
  }),
  row('workload/spec', 'a workload without a spec, or with an unknown field in it, is refused', async (wire) => {
    const collection = `gvc/${await town(wire)}/workload`;
    await wire.refused(400, 'POST', collection, { name: wire.name('work') });
    const spec = specOf('standard', { replicas: 3 });
    const error = await wire.refused(400, 'POST', collection, { name: wire.name('work'), spec });
    expect(problemPaths(error)).toContain('replicas');
  }),
  parted(
    'workload/spec.type',
    'type is serverless, standard, stateful or cron',
    ...['serverless', 'standard', 'stateful', 'cron'].map(
      (type) =>
        partOf(`type may be ${type}, in lower case`, async (wire: Parameters<Row['tests'][number]['check']>[0]) => {
          const workload = await makeWorkload(wire, await town(wire), specOf(type));
          expect(at(await wire.get(workload), 'spec/type')).toBe(type);
          const other = type === 'standard' ? 'serverless' : 'standard';
          await wire.refused(400, 'PATCH', workload, { spec: { type: other } });
        }),
    ),
    partOf('type is serverless by default, and an unknown one is refused', async (wire) => {
      const collection = `gvc/${await town(wire)}/workload`;
      const spec = { containers: [container()] };
      const created = await wire.ok('POST', collection, { name: wire.name('work'), spec });
      expect(at(created, 'spec/type')).toBe('serverless');
      for (const type of ['Standard', 'daemon']) {
        await wire.refused(400, 'POST', collection, { name: wire.name('work'), spec: { type, ...spec } });
      }
    }),
  ),
  row('workload/spec.identityLink', 'identityLink links an identity of the GVC, also in short form', async (wire) => {
      const gvc = await makeGvc(wire);
      const identity = await makeIdentity(wire, gvc);
      const short = `//identity/${identity.split('/').at(-1)}`;
      const workload = await makeWorkload(wire, gvc, specOf('standard', { identityLink: short }));
      expect(at(await wire.get(workload), 'spec/identityLink')).toBe(identity);
      await wire.refused(400, 'PATCH', workload, { spec: { identityLink: '//identity/none' } });
  }),
  fieldRow('workload/spec.containers', 'containers is a list of 1 to 8 items', standard, 'spec/containers',
    { value: [container()], next: [container(), { name: 'side', image: 'shop/side:1' }], wrong: [] }),
  row('workload/spec.containers number', 'nine containers, and two of one name, are refused', async (wire) => {
    const collection = `gvc/${await town(wire)}/workload`;
    const many = (count: number): JsonValue[] =>
      Array.from({ length: count }, (_, index) => ({ name: `side${index}`, image: 'shop/side:1' }));
    await wire.ok('POST', collection, { name: wire.name('work'), spec: specOf('standard', { containers: many(8) }) });
    for (const containers of [many(9), [...many(1), ...many(1)]]) {
      const spec = specOf('standard', { containers });
      await wire.refused(400, 'POST', collection, { name: wire.name('work'), spec });
    }
  }),
  fieldRow('workload/spec.firewallConfig', 'firewallConfig holds the inbound and outbound rules', standard,
    'spec/firewallConfig',
    { value: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } }, next: { internal: { inboundAllowType: 'same-gvc' } },
      wrong: 'open' }),
  fieldRow('workload/spec.defaultOptions', 'defaultOptions are the options of all locations', standard,
    'spec/defaultOptions', { value: { timeoutSeconds: 30 }, next: { timeoutSeconds: 31 }, wrong: [] }),
  parted(
    'workload/spec.localOptions',
    'localOptions are options of one location, and not available for cron',
    partOf('an item of localOptions has the options and a location of the GVC', async (wire) => {
      const localOptions = [{ location: east, timeoutSeconds: 40, suspend: true }];
      const workload = await makeWorkload(wire, await town(wire), specOf('standard', { localOptions }));
      expect(at(await wire.get(workload), 'spec/localOptions')).toMatchObject(localOptions);
      const wrong = { spec: { localOptions: [{ location: 'aws-us-west-2', timeoutSeconds: 40 }] } };
      expect(problemPaths(await wire.refused(400, 'PATCH', workload, wrong))).toContain('localOptions');
    }),
    partOf('localOptions of a cron workload are refused', async (wire) => {
      const spec = specOf('cron', { localOptions: [{ location: east, suspend: true }] });
      await wire.refused(400, 'POST', `gvc/${await town(wire)}/workload`, { name: wire.name('work'), spec });
    }),
  ),
  parted(
    'workload/spec.job',
    'job is for cron only',
    partOf('a cron workload has a job, and is refused without one', async (wire) => {
      const workload = await makeWorkload(wire, await town(wire), specOf('cron'));
      expect(at(await wire.get(workload), 'spec/job/schedule')).toBe('0 3 1 1 *');
      const spec = { type: 'cron', containers: [batch()] };
      await wire.refused(400, 'POST', `gvc/${await town(wire)}/workload`, { name: wire.name('work'), spec });
    }),
    partOf('a job of any other type is refused', async (wire) => {
      const collection = `gvc/${await town(wire)}/workload`;
      for (const type of ['serverless', 'standard', 'stateful']) {
        const spec = specOf(type, { job: { schedule: '0 * * * *' } });
        await wire.refused(400, 'POST', collection, { name: wire.name('work'), spec });
      }
    }),
  ),
  fieldRow('workload/spec.sidecar', 'sidecar holds proxy', standard, 'spec/sidecar',
    { value: { proxy: { excludedExternalAuth: [{ port: 8080 }] } },
      next: { proxy: { excludedExternalAuth: [{ port: 8081 }] } }, wrong: { other: {} } }),
  row('workload/spec.loadBalancer', 'replicaDirect is off by default, and on only for stateful', async (wire) => {
    const gvc = await town(wire);
    const workload = await makeWorkload(wire, gvc, specOf('stateful', { loadBalancer: { replicaDirect: true } }));
    expect(at(await wire.get(workload), 'spec/loadBalancer/replicaDirect')).toBe(true);
    const off = await wire.ok('PATCH', workload, { spec: { loadBalancer: { $drop: ['replicaDirect'] } } });
    expect([undefined, false]).toContain(at(off, 'spec/loadBalancer/replicaDirect'));
    const spec = specOf('standard', { loadBalancer: { replicaDirect: true } });
    await wire.refused(400, 'POST', `gvc/${gvc}/workload`, { name: wire.name('work'), spec });
  }),
  row('workload/response record', 'the status shows its GVC, endpoints, internal name and scale', async (wire) => {
      const gvc = await makeGvc(wire);
      const workload = await makeWorkload(wire, gvc, specOf('standard'));
      const shown = await until(
        wire,
        () => wire.get(workload),
        (record) => at(record, 'health/readiness') === 'ready',
      );
      expect(shown['status']).toMatchObject({
        parentId: (await wire.get(`gvc/${gvc}`))['id'],
        endpoint: expect.stringMatching(/^https:\/\//),
        canonicalEndpoint: expect.stringMatching(/^https:\/\//),
        internalName: expect.stringContaining(`${shown['name']}.${gvc}.`),
      });
      const volumeSet = await makeVolumeSet(wire, gvc);
      const database = await makeWorkload(wire, gvc, stateful(volumeSet, 2));
      const names = at(await wire.get(database), 'status/replicaInternalNames');
      expect(JSON.stringify(names)).toContain(`${database.split('/').at(-1)}-0`);
  }),
  ...jobRows(),
];

function jobRows(): readonly Row[] {
  // biome-ignore format: a row is a case
  return [
    fieldRow('workload.job/schedule', 'schedule is a schedule expression of five fields', cron, 'spec/job/schedule',
      { value: '*/5 * * * *', next: '0 4 * * MON', wrong: ['0 * * * *'] }),
    fieldRow('workload.job/concurrencyPolicy', 'concurrencyPolicy is Forbid, Replace or Allow', cron,
      'spec/job/concurrencyPolicy', { value: 'Replace', next: 'Allow', wrong: 'forbid' }),
    fieldRow('workload.job/historyLimit', 'historyLimit is 1 to 10', cron, 'spec/job/historyLimit',
      { value: 1, next: 10, wrong: 11 }),
    fieldRow('workload.job/restartPolicy', 'restartPolicy is Never or OnFailure', cron, 'spec/job/restartPolicy',
      { value: 'OnFailure', next: 'Never', wrong: 'Always' }),
    fieldRow('workload.job/activeDeadlineSeconds', 'activeDeadlineSeconds is optional', cron,
      'spec/job/activeDeadlineSeconds', { value: 60, next: 90, wrong: 0 }),
    row('workload.job/defaults', 'a job shows no policy, limit or deadline but the documented ones', async (wire) => {
        const workload = await makeWorkload(wire, await town(wire), specOf('cron'));
        const job = at(await wire.get(workload), 'spec/job');
        absentOr(job, { concurrencyPolicy: 'Forbid', historyLimit: 5, restartPolicy: 'Never' });
        expect(at(job, 'activeDeadlineSeconds')).toBeUndefined();
    }),
  ];
}
