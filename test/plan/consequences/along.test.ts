import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import {
  actions,
  changeOf,
  closure,
  codes,
  declare,
  foreign,
  live,
  plan,
  snapshot,
  volumeset,
  volumesetSpec,
  workload,
} from '../world.ts';

const [gvc, liveGvc] = [declare('gvc/g'), live('gvc/g')];
const fast = volumesetSpec({ performanceClass: 'high-throughput-ssd', initialCapacity: 200 });
const rows = declare('volumeset/g/rows', fast, { replace: true });
const held = live('volumeset/g/rows', volumeset(0));
const mounting = workload('db:1', ['rows']);
const pulls = (...names: readonly string[]): JsonObject => ({
  spec: { pullSecretLinks: names.map((name) => `/org/o/secret/${name}`) },
});
const docker = declare('secret/pull', { type: 'docker', data: '{"auths":{"r":{}}}' });
const ecr = live('secret/pull', { type: 'ecr', data: { accessKey: 'A', secretKey: 'x', repos: ['r'] } });

describe('what refers to a replaced resource is replaced along, if it is ours to replace', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'not what is let go of', desired: [],
        referrer: live('workload/g/db', mounting, { applied: { retain: true } }) },
      { it: 'not what another stack has', desired: [], referrer: live('workload/g/db', mounting, { owner: 'bank' }) },
      { it: 'not what is only adopted', desired: [declare('workload/g/db', mounting, { adopt: true })],
        referrer: foreign('workload/g/db', mounting) },
      { it: 'not what is handed over', desired: [declare('workload/g/db', mounting, { handOver: 'bank' })],
        referrer: live('workload/g/db', mounting) },
    ],
  )('$it: then the replacement is refused', ({ desired, referrer }) => {
    const made = plan([gvc, rows, ...desired], [liveGvc, held, referrer]);
    expect(changeOf(made, 'volumeset/g/rows')).toMatchObject({
      action: 'refuse',
      intended: 'replace',
      refusals: [{ code: 'delete.referenced', message: expect.stringContaining('workload/g/db') }],
    });
    expect(
      made.changes.map(({ action, intended }) => intended ?? action).filter((action) => action === 'replace'),
    ).toHaveLength(1);
  });

  test('what refers to it without holding it stays as it is', () => {
    const reading = {
      spec: {
        type: 'standard',
        containers: [{ name: 'main', image: 'a', env: [{ name: 'S', value: 'scheme://secret/pull' }] }],
      },
    };
    const made = plan(
      [gvc, docker, declare('workload/g/web', reading)],
      [liveGvc, ecr, live('workload/g/web', reading)],
    );
    expect(actions(made)).toEqual(['replace secret/pull']);
  });

  test('what others read from it without holding it stays theirs', () => {
    const env = [{ name: 'S', value: 'scheme://secret/pull' }];
    const reader = foreign('workload/g/x', {
      spec: { type: 'standard', containers: [{ name: 'main', image: 'a', env }] },
    });
    expect(codes(plan([gvc, docker], [liveGvc, ecr, reader]))).toEqual([]);
  });

  test('what mounts something else instead is only patched', () => {
    const files = declare('volumeset/g/files', volumesetSpec());
    const there = [liveGvc, held, live('volumeset/g/files', volumeset(0)), live('workload/g/db', mounting)];
    const made = plan([gvc, rows, files, declare('workload/g/db', workload('db:1', ['files']))], there);
    expect([...actions(made)].sort()).toEqual(['patch workload/g/db', 'replace volumeset/g/rows']);
  });

  test('what goes anyway is deleted, not replaced', () => {
    const made = plan([gvc, rows], [liveGvc, held, live('workload/g/db', mounting)]);
    expect(actions(made)).toEqual(['delete workload/g/db', 'replace volumeset/g/rows']);
    expect(codes(made)).toEqual([]);
  });

  test('what begins to mount it is only patched', () => {
    const made = plan(
      [gvc, rows, declare('workload/g/db', mounting)],
      [liveGvc, held, live('workload/g/db', workload('db:1'))],
    );
    expect([...actions(made)].sort()).toEqual(['patch workload/g/db', 'replace volumeset/g/rows']);
    expect(codes(made)).toEqual([]);
    expect(changeOf(made, 'workload/g/db').notes).toEqual([]);
  });

  test('a part in a GVC of others cannot be changed around it', () => {
    const theirs = live('gvc/g', pulls('pull'), { owner: 'base' });
    const made = plan([docker, declare('gvc/g', pulls('pull'), { part: true })], [ecr, theirs]);
    expect(codes(made)).toEqual(['delete.referenced']);
  });
});

describe('a GVC that is changed around what is replaced', () => {
  test('says why, once for each', () => {
    const made = plan([docker, declare('gvc/g', pulls('pull'))], [ecr, live('gvc/g', pulls('pull'))]);
    expect(changeOf(made, 'gvc/g').notes).toEqual(['spec.pullSecretLinks.0 refers to secret/pull, which is replaced']);
    expect(changeOf(made, 'gvc/g').reason).toBe(
      'its reference to the replaced resource is removed, and written again afterwards',
    );
  });

  test('says of its identity that it is replaced, not that it begins to refer to it', () => {
    const keda = { spec: { keda: { enabled: true, identityLink: '/org/o/gvc/g/identity/app' } } };
    const app = { aws: { cloudAccountLink: '/org/o/cloudaccount/cloud', roleName: 'r' } };
    const made = plan(
      [
        declare('cloudaccount/cloud', { provider: 'aws', data: { roleArn: 'arn' } }),
        declare('gvc/g', keda),
        declare('identity/g/app', app),
      ],
      [
        live('cloudaccount/cloud', { provider: 'gcp', data: { projectId: 'p' } }),
        live('gvc/g', keda),
        live('identity/g/app', app),
      ],
    );
    expect(changeOf(made, 'gvc/g').notes).toEqual([
      'spec.keda.identityLink refers to identity/g/app, which is replaced',
    ]);
  });

  test('that begins to refer to it does so in its second step, and says why', () => {
    const keda = { keda: { enabled: true, identityLink: '/org/o/gvc/g/identity/app' } };
    const app = { aws: { cloudAccountLink: '/org/o/cloudaccount/cloud', roleName: 'r' } };
    const listed = { pullSecretLinks: ['/org/o/secret/other'] };
    const other = { type: 'docker', data: '{"auths":{"r":{}}}' };
    const made = plan(
      [
        declare('cloudaccount/cloud', { provider: 'aws', data: { roleArn: 'arn' } }),
        declare('secret/other', other),
        declare('gvc/g', { spec: { ...listed, ...keda } }),
        declare('identity/g/app', app),
      ],
      [
        live('cloudaccount/cloud', { provider: 'gcp', data: { projectId: 'p' } }),
        live('secret/other', other),
        live(
          'gvc/g',
          { spec: { ...listed, endpointNamingFormat: 'org' } },
          { applied: { servicePaths: ['spec.endpointNamingFormat'] } },
        ),
        live('identity/g/app', app),
      ],
    );
    const { notes, patch, then } = changeOf(made, 'gvc/g');
    expect(notes).toEqual(['it refers to identity/g/app again once that is created again']);
    expect(JSON.stringify(patch?.expose())).not.toContain('identity/app');
    expect(JSON.stringify(then?.expose())).toContain('identity/app');
  });

  test('that begins to list it waits for it, in one step', () => {
    const made = plan([docker, declare('gvc/g', pulls('pull'))], [ecr, live('gvc/g', pulls())]);
    expect(actions(made)).toEqual(['replace secret/pull', 'patch gvc/g']);
    expect(changeOf(made, 'gvc/g').then).toBeUndefined();
    const keda = { keda: { enabled: true, identityLink: '/org/o/gvc/g/identity/app' } };
    const scaling = (names: JsonObject) => ({ spec: { ...objectAt(names, 'spec'), ...keda } });
    const beside = plan(
      [docker, declare('gvc/g', scaling(pulls('pull'))), declare('identity/g/app')],
      [ecr, live('gvc/g', scaling(pulls())), live('identity/g/app')],
    );
    expect(changeOf(beside, 'gvc/g').notes).toEqual([]);
    expect(changeOf(beside, 'gvc/g').then).toBeUndefined();
  });

  test('drops what it set and no longer declares all the same', () => {
    const spec = { pullSecretLinks: ['/org/o/secret/pull'], endpointNamingFormat: 'org' };
    const was = live('gvc/g', { spec }, { applied: { servicePaths: ['spec.endpointNamingFormat'] } });
    const made = plan([docker, declare('gvc/g', pulls('pull'))], [ecr, was]);
    const { patch, then } = changeOf(made, 'gvc/g');
    expect(patch?.expose()['$replace/spec']).toEqual({ pullSecretLinks: [] });
    expect(then?.expose()['spec']).toEqual({ pullSecretLinks: ['/org/o/secret/pull'] });
  });
});

describe('what goes with a GVC', () => {
  const [group, liveGroup] = [declare('group/x'), live('group/x')];

  test('a workload that mounts what a stranger mounts too goes along, with the set', () => {
    const [set, mine, theirs] = [
      live('volumeset/g/rows', volumeset(0)),
      live('workload/g/db', mounting),
      foreign('workload/g/x', mounting),
    ];
    const state = snapshot([liveGroup, liveGvc, set, mine], { closures: closure('g', [set, mine, theirs]) });
    const made = plan([group], state, { allowCollateral: 1 });
    expect(codes(made)).toEqual([]);
    expect(changeOf(made, 'gvc/g').cascadesTo).toEqual(['volumeset/g/rows', 'workload/g/db', 'workload/g/x']);
    for (const id of ['volumeset/g/rows', 'workload/g/db']) expect(changeOf(made, id).via).toBe('gvc/g');
  });

  test('what lives elsewhere is no part of it', () => {
    const other = live('identity/h/app');
    const state = snapshot([liveGroup, liveGvc, live('gvc/h'), other], { closures: closure('g', []) });
    const made = plan([group, declare('gvc/h'), declare('identity/h/app')], state);
    expect(actions(made)).toEqual(['delete gvc/g']);
    expect(changeOf(made, 'gvc/g').cascadesTo).toEqual([]);
  });

  test('what a GVC that stays holds is deleted by itself', () => {
    const made = plan([gvc], [liveGvc, live('identity/g/app')]);
    expect(changeOf(made, 'identity/g/app').via).toBeUndefined();
    expect(changeOf(made, 'identity/g/app').action).toBe('delete');
  });
});
