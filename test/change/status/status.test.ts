import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { membersOf, needsDeployments, resourceStatus } from '../../../src/change/resourceStatus.ts';
import { type ResourceStatus, stateOf } from '../../../src/change/status.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { Lifecycle } from '../../../src/manifest/model/manifest.ts';
import { declare, foreign, hash, live, owner, snapshot, workload } from '../../plan/world.ts';
import { deployment } from './deployments.ts';

/** The only member of a stack of one resource. */
function member(id: string, there: readonly LiveResource[], lifecycle: Lifecycle = {}) {
  const [only, ...others] = membersOf({
    desired: [declare(id, {}, lifecycle)],
    snapshot: snapshot(there),
    owner,
    hash,
  });
  expect(others).toEqual([]);
  if (only === undefined) throw new Error('it is not of the stack');
  return only;
}

function statusOf(id: string, fields: JsonObject, deployments?: readonly JsonObject[]): ResourceStatus {
  return resourceStatus(member(id, [live(id, fields, { version: 3 })]), deployments);
}

/** The state, the health and the reasons of a status, as one line. */
function said({ state, health, reasons }: ResourceStatus): string {
  return `${state}, ${health}${reasons.map((reason) => `; ${reason}`).join('')}`;
}

/** The whole status of a declared resource of which no record was read. */
function failed(id: string, health: string, reason: string): ResourceStatus {
  return { id, declared: true, state: 'failed', health, reasons: [reason] };
}

const web = 'workload/g/web';
const healthy = { readiness: 'ready', syncFailed: false, readyLocations: 2, totalLocations: 2 };
const running = (more: JsonObject = {}): JsonObject => ({
  ...workload('a:1'),
  health: healthy,
  status: { endpoint: 'https://web.example', resolvedImages: { resolvedForVersion: 3 } },
  ...more,
});

/** A location in which version 3 is ready or not. */
const inLocation = (name: string, ready: boolean, more: JsonObject = {}) => deployment(3, ready, more, name);

describe('the members of a stack', () => {
  const ids = (desired: Parameters<typeof membersOf>[0]['desired'], there: readonly LiveResource[]) =>
    membersOf({ desired, snapshot: snapshot(there), owner, hash }).map(({ id, declared }) => `${id} ${declared}`);

  test('are the declared resources, live or not, and the other owned ones, by id', () => {
    const there = [live('group/b'), live('group/c'), foreign('group/d')];
    expect(ids([declare('group/b'), declare('group/a')], there)).toEqual([
      'group/a true',
      'group/b true',
      'group/c false',
    ]);
    expect(ids(undefined, [live('group/b', {}, { applied: null })])).toEqual(['group/b undefined']);
    expect(ids(undefined, there)).toEqual(['group/b undefined', 'group/c undefined']);
  });

  test('exclude a copy with its tags, and resources that it releases', () => {
    const copy = { ...live('group/b'), id: 'group/copy', ref: { kind: 'group' as const, name: 'copy' } };
    expect(ids([], [copy])).toEqual([]);
    const letGo = declare('group/b', {}, { handOver: 'other' });
    expect(ids([letGo], [])).toEqual([]);
    expect(ids([letGo], [live('group/b', {}, { owner: 'other' })])).toEqual([]);
    expect(ids([letGo], [live('group/b')])).toEqual(['group/b true']);
  });

  test('that are declared and missing have failed; those of others have too, unless declared as parts', () => {
    const missing = failed('group/a', 'absent', 'it is declared, but does not exist');
    expect(resourceStatus(member('group/a', []), undefined)).toStrictEqual(missing);
    const theirs = foreign('domain/a.b', { status: { status: 'ready' } });
    const ofDomain = (lifecycle: Lifecycle) =>
      said(resourceStatus(member('domain/a.b', [theirs], lifecycle), undefined));
    expect(ofDomain({})).toBe('failed, ready; it is declared, but belongs to another stack or to nobody');
    expect(ofDomain({ part: true })).toBe('ready, ready');
  });
});

test('a resource that this token cannot view names the missing permission', () => {
  const hidden = new Map([['secret/s', 'view']]);
  const [it] = membersOf({ desired: [declare('secret/s')], snapshot: snapshot([], { hidden }), owner, hash });
  const unseen = failed('secret/s', 'hidden', 'this token cannot view it (it lacks view)');
  expect(it && resourceStatus(it, undefined)).toStrictEqual(unseen);
});

test('a resource is neither declared nor undeclared if no manifests were read', () => {
  const [it] = membersOf({ desired: undefined, snapshot: snapshot([live('group/b')]), owner, hash });
  expect(it).toMatchObject({ foreign: false });
  const plain = { state: 'ready', health: 'exists', reasons: [] };
  expect(it && resourceStatus(it, undefined)).toStrictEqual({ id: 'group/b', version: 1, ...plain });
});

describe('a workload', () => {
  test('that reports ready needs no other request', () => {
    const it = member(web, [live(web, running(), { version: 3 })]);
    expect(needsDeployments(it)).toBe(false);
    expect(resourceStatus(it, undefined)).toEqual({
      id: web,
      declared: true,
      version: 3,
      state: 'ready',
      health: 'ready',
      reasons: [],
      locations: { ready: 2, total: 2 },
      processedVersion: 3,
      endpoints: ['https://web.example'],
    });
  });

  test.each<[string, JsonObject]>([
    ['is not ready', { health: { ...healthy, readiness: 'partial', readyLocations: 1 } }],
    ['lacks a location', { health: { ...healthy, readyLocations: 1 } }],
    ['has no location', { health: { ...healthy, readyLocations: 0, totalLocations: 0 } }],
    ['failed to synchronise', { health: { ...healthy, syncFailed: true } }],
    ['reports an older version', { status: { resolvedImages: { resolvedForVersion: 2 } } }],
    ['reports no health', { health: {} }],
    ['has another readiness than ready', { health: { ...healthy, readiness: 'unknown' } }],
  ])('needs its deployments read if it %s', (_, more) => {
    expect(needsDeployments(member(web, [live(web, running(more), { version: 3 })]))).toBe(true);
  });

  test('whose images were never resolved is ready by its own status', () => {
    expect(needsDeployments(member(web, [live(web, running({ status: {} }))]))).toBe(false);
  });

  test.each([
    ['does not exist', web, []],
    ['belongs to others', web, [foreign(web, workload('a:1'))]],
    ['never has any', 'gvc/g', [live('gvc/g')]],
  ])('needs no deployments read if it %s', (_, id, there) => {
    expect(needsDeployments(member(id, there))).toBe(false);
  });

  test('that is suspended has nothing to wait for', () => {
    const suspended = running({ health: { readiness: 'suspended' } });
    const record = { ...suspended, spec: { type: 'standard', defaultOptions: { suspend: true } } };
    const it = member(web, [live(web, record)]);
    expect(needsDeployments(it)).toBe(false);
    expect(resourceStatus(it, undefined)).toMatchObject({ state: 'ready', health: 'suspended' });
  });

  const starting = running({ health: { ...healthy, readiness: 'partial' } });

  test('lists the state of each location, and the version that all have processed', () => {
    const deployments = [inLocation('a', true), deployment(2, false, {}, 'b')];
    expect(statusOf(web, starting, deployments)).toMatchObject({
      state: 'not-ready',
      health: 'partial',
      locations: { ready: 1, total: 2 },
      processedVersion: 2,
      reasons: ['b: version 3 is not processed yet'],
      deployments: [
        { location: 'a', ready: true, processedVersion: 3 },
        { location: 'b', ready: false, processedVersion: 2 },
      ],
    });
  });

  const image = { resolvedForVersion: 3, errorMessages: ['/org/o/image/a:1 is not in the registry'] };
  const missing = { status: { resolvedImages: image } };
  const unsynchronised = { health: { ...healthy, readiness: 'partial', syncFailed: true } };
  const late = inLocation('a', false);
  // biome-ignore format: one row each
  test.each<[string, JsonObject, JsonObject, string]>([
    ['is ready if its deployments are, whatever its own status', {}, inLocation('a', true), 'ready, partial'],
    ['has failed if an image is missing', missing, late,
      'failed, partial; a: not running yet; /org/o/image/a:1 is not in the registry'],
    ['is ready if an image is missing, but it runs', missing, inLocation('a', true), 'ready, partial'],
    ['has failed if a location does not synchronise', {}, inLocation('a', true, { internal: { syncFailed: true } }),
      'failed, partial; a: the synchronisation failed'],
    ['has failed if it does not synchronise', unsynchronised, late,
      'failed, partial; a: not running yet; its synchronisation failed'],
  ])('%s', (_, more, place, is) => {
    expect(said(statusOf(web, { ...starting, ...more }, [place]))).toBe(is);
  });

  test.each<[string, JsonObject]>([
    ['of an older version', { resolvedForVersion: 2, errorMessages: ['not in the registry'] }],
    ['of no version', { errorMessages: ['not in the registry'] }],
    ['that are not strings', { resolvedForVersion: 3, errorMessages: [null] }],
  ])('has not failed because of image errors %s', (_, resolvedImages) => {
    expect(said(statusOf(web, { ...starting, status: { resolvedImages } }, [late]))).toBe(
      'not-ready, partial; a: not running yet',
    );
  });

  const restarts = { count: 3, exitCode: 137, reason: 'OOMKilled' };
  test.each<{ it: string; version?: JsonObject; restarts: JsonObject; crash?: string }>(
    // biome-ignore format: a row is a case
    [
      { it: 'three errors', restarts, crash: 'restarted 3 times (exit code 137, OOMKilled)' },
      { it: 'errors without a reason', restarts: { ...restarts, reason: '' },
        crash: 'restarted 3 times (exit code 137)' },
      { it: 'errors of a later version', version: { workload: 4 }, restarts,
        crash: 'restarted 3 times (exit code 137, OOMKilled)' },
      { it: 'errors without a message', restarts: { count: 5, exitCode: 1 }, crash: 'restarted 5 times (exit code 1)' },
      { it: 'two errors', restarts: { ...restarts, count: 2 } },
      { it: 'successful restarts', restarts: { ...restarts, count: 9, exitCode: 0 } },
      { it: 'nothing known', restarts: {} },
      { it: 'errors of an older version', version: { workload: 2 }, restarts },
      { it: 'errors of a version that is ready', version: { ready: true, workload: 4 }, restarts },
    ],
  )('that is not running, after $it: $crash', ({ version = {}, restarts: of, crash }) => {
    const containers = { main: { restarts: of }, other: null };
    const versions = [null, { workload: 3, ready: false, ...version, containers }];
    expect(said(statusOf(web, starting, [inLocation('a', false, { versions })]))).toBe(
      crash === undefined
        ? 'not-ready, partial; a: not running yet'
        : `failed, partial; a: not running yet; a: container main was ${crash}`,
    );
  });

  test('lists why each location is not ready, common reasons once, and those of the platform first', () => {
    const waiting = ['a', 'b', 'c', 'd'].map((name) => deployment(2, false, {}, name));
    const pulling = ['e', 'f'].map((name) => inLocation(name, false, { message: 'pulling' }));
    expect(statusOf(web, starting, [...waiting, ...pulling, inLocation('g', false, { message: '' })]).reasons).toEqual([
      'e, f: pulling',
      'a, b, c and 1 more: version 3 is not processed yet',
      'g: not running yet',
    ]);
  });

  test('omits missing replicas, addresses, processed versions, and suspended locations', () => {
    const spec = { ...objectAt(workload('a:1'), 'spec'), localOptions: [{ location: '//location/b', suspend: true }] };
    const asleep = { name: 'b', status: { message: 'asleep' } };
    const whole = { id: web, declared: true, version: 3, health: 'unknown' };
    expect(statusOf(web, { spec }, [asleep])).toStrictEqual({
      ...whole,
      state: 'ready',
      reasons: [],
      locations: { ready: 0, total: 0 },
      deployments: [{ location: 'b', ready: false, message: 'asleep' }],
    });
    expect(statusOf(web, { spec }, [asleep, { name: 'a', status: {} }, inLocation('c', true)])).toStrictEqual({
      ...whole,
      state: 'not-ready',
      reasons: ['a: version 3 is not processed yet'],
      locations: { ready: 1, total: 2 },
      deployments: [
        { location: 'b', ready: false, message: 'asleep' },
        { location: 'a', ready: false },
        { location: 'c', ready: true, processedVersion: 3 },
      ],
    });
    expect(statusOf(web, { spec }, [])).toMatchObject({ reasons: ['it has no deployment yet'] });
    const suspended = { ...whole, health: 'suspended', state: 'ready', reasons: [] };
    expect(statusOf(web, { health: { readiness: 'suspended', readyLocations: 1 } })).toStrictEqual(suspended);
  });

  test('shows the ready replicas, if both numbers are known', () => {
    const replicas = (of: JsonObject) => statusOf(web, running({ health: { ...healthy, ...of } })).replicas;
    expect(replicas({ readyReplicas: 1, totalReplicas: 2 })).toEqual({ ready: 1, total: 2 });
    expect(replicas({ totalReplicas: 2 })).toBeUndefined();
    expect(replicas({ readyReplicas: 2 })).toBeUndefined();
  });
});

describe('a domain', () => {
  const domain = (status: JsonObject) => statusOf('domain/a.b', { status });
  const dnsConfig = [{ type: 'TXT', host: '_acme.a.b', value: 'abc', ttl: 300 }];

  test.each([
    ['ready', 'ready'],
    ['usedByGvc', 'ready'],
    ['initializing', 'not-ready'],
    ['pendingDnsConfig', 'not-ready'],
    ['pendingCertificate', 'not-ready'],
    ['updated', 'not-ready'],
    ['errored', 'failed'],
    ['warning', 'failed'],
  ])('that is %s: %s', (status, state) => {
    expect(said(domain({ status, warning: 'why' }))).toBe(`${state}, ${status}; why`);
  });

  test('lists the DNS records that it waits for', () => {
    const records = [{ type: 'TXT', host: '_acme.a.b', value: 'abc' }];
    expect(domain({ status: 'pendingDnsConfig', dnsConfig })).toMatchObject({ dnsRecords: records });
    expect(domain({ status: 'ready', dnsConfig })).not.toHaveProperty('dnsRecords');
  });

  // biome-ignore format: one row each
  test.each<[string, string, readonly string[], string]>([
    ['is ready if each location has its certificate or needs none', 'ready', ['ready', 'ignored'], 'ready, ready'],
    ['is not ready if a location lacks its certificate', 'ready', ['ready', 'pendingCertificate'],
      'not-ready, ready; certificate in l1: pendingCertificate'],
    ['that has failed does not also list missing certificates', 'errored', ['pendingCertificate', 'unknown'],
      'failed, errored'],
  ])('%s', (_, status, of, is) => {
    const certificate = (word: string) => (word === 'unknown' ? {} : { certificateStatus: word });
    const places = of.map((word, at) => ({ name: `//location/l${at}`, ...certificate(word) }));
    const answer = domain({ status, warning: '', locations: [null, ...places] });
    expect(said(answer)).toBe(is);
    expect(answer.certificates).toEqual(of.map((word, at) => ({ location: `l${at}`, status: word })));
  });

  test('lists a certificate in a location without a name', () => {
    expect(domain({ locations: [{}] }).certificates).toEqual([{ location: '', status: 'unknown' }]);
  });

  test('without a status is not ready', () => {
    const whole = { id: 'domain/a.b', declared: true, version: 3, state: 'not-ready', reasons: [] };
    expect(domain({})).toStrictEqual({ ...whole, health: 'unknown' });
    const pending = { ...whole, health: 'pendingDnsConfig' };
    expect(domain({ status: 'pendingDnsConfig', dnsConfig: [null] })).toStrictEqual(pending);
  });

  test('has the addresses of its endpoints', () => {
    const endpoints = [{ url: 'https://a.b' }];
    expect(domain({ status: 'ready', endpoints })).toMatchObject({ endpoints: ['https://a.b'] });
  });
});

describe('other kinds', () => {
  const data = (...lifecycles: readonly string[]) => {
    const volumes = lifecycles.map((lifecycle) => ({ lifecycle, currentSize: 10, currentBytesUsed: 2_500_000_000 }));
    return statusOf('volumeset/g/data', { status: { locations: [{ name: 'a', volumes }] } });
  };

  test('a volume set reports how full it is, without deleted volumes', () => {
    expect(said(data('bound', 'unbound', 'deleted'))).toBe('ready, bound');
    expect(data('bound', 'unbound', 'deleted').volumes).toEqual({ count: 2, capacityGb: 20, usedGb: 5 });
    expect(said(data())).toBe('ready, empty');
    expect(said(data('new'))).toBe('ready, unknown');
    const unreadable = { status: { locations: [null, { volumes: [null, { lifecycle: 'bound' }] }] } };
    expect(statusOf('volumeset/g/data', unreadable).volumes).toEqual({ count: 1, capacityGb: 0, usedGb: 0 });
  });

  test.each(['creating', 'repairing'])('a volume set whose volume is %s is not ready', (lifecycle) => {
    expect(said(data('bound', lifecycle))).toBe(`not-ready, ${lifecycle}; 1 of 2 volumes are not usable yet`);
  });

  const aws = { usable: false, lastError: 'no such role' };
  // biome-ignore format: one row each
  test.each<[string, string, JsonObject, string]>([
    ['an identity has failed if a cloud cannot use it', 'identity/g/app', { name: 'g-app', aws, gcp: { usable: true } },
      'failed, unusable; aws: no such role'],
    ['a cloud account has failed if it is not usable', 'cloudaccount/c', { usable: false },
      'failed, unusable; the platform cannot use it'],
    ['an empty error of it is omitted', 'cloudaccount/c', { usable: false, lastError: '' },
      'failed, unusable; the platform cannot use it'],
    ['a cloud account that is usable is ready', 'cloudaccount/c', { usable: true }, 'ready, exists'],
    ['an IP set has failed if it reports that', 'ipset/i', { error: 'no addresses in x' },
      'failed, error; no addresses in x'],
    ['a warning of an IP set is shown', 'ipset/i', { warning: 'w' }, 'ready, warning; w'],
    ['an empty warning is not', 'ipset/i', { warning: '' }, 'ready, exists'],
    ['a kind without a state is ready, whatever it reports', 'group/g', { error: 'e' }, 'ready, exists'],
  ])('%s', (_, id, status, is) => {
    expect(said(statusOf(id, { status }))).toBe(is);
  });

  test('a kind without a state is ready if it exists, and no fields are shown', () => {
    const whole = { id: 'secret/s', declared: true, version: 3, state: 'ready', health: 'exists', reasons: [] };
    expect(statusOf('secret/s', { type: 'opaque', data: { payload: 'hidden' } })).toEqual(whole);
  });
});

test('a stack has the state of its worst resource; a name without resources is no ready stack', () => {
  const resource = (state: ResourceStatus['state']): ResourceStatus => ({ id: 'x', state, health: '', reasons: [] });
  const stack = (declarationsKnown: boolean, ...states: readonly ResourceStatus['state'][]) =>
    stateOf({ org: 'o', stack: owner, declarationsKnown, resources: states.map(resource), requests: 1 });
  expect(stack(true, 'ready', 'ready')).toBe('ready');
  expect(stack(true, 'ready', 'not-ready')).toBe('not-ready');
  expect(stack(true, 'failed', 'not-ready')).toBe('failed');
  expect(stack(false)).toBe('failed');
  expect(stack(true)).toBe('ready');
});

test('a workload in a GVC without locations is ready; with one, or in an unknown GVC, it is not', () => {
  const web = member('workload/g/web', [live('workload/g/web', workload('a:1'))]);
  const stateIn = (gvc?: JsonObject) => resourceStatus(web, [], gvc).state;
  const nowhere = said(resourceStatus(web, [], { spec: {} }));
  expect(nowhere).toBe('ready, unknown; it runs nowhere, because its GVC has no locations');
  expect(stateIn({ spec: { staticPlacement: { locationLinks: ['//location/a'] } } })).toBe('not-ready');
  expect(stateIn()).toBe('not-ready');
});
