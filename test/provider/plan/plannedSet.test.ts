import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Diagnostic } from '../../../src/hcl/diagnostic.ts';
import { configOf } from '../../../src/hcl/values/stateOf.ts';
import { type OtherRecords, type PlannedRecord, PlannedSet } from '../../../src/provider/plan/plannedSet.ts';
import type { CreatableKind } from '../../../src/schema/record/kinds.ts';

const nobody: OtherRecords = { get: () => undefined, list: () => [] };

function planned(kind: CreatableKind, manifest: JsonObject, isWritten = true): PlannedRecord {
  const { gvc, ...record } = manifest;
  const inGvc = typeof gvc === 'string' ? { gvc } : {};
  const config = configOf(kind, record, { org: 'acme', ...inGvc });
  return { kind, ref: { kind, name: String(record['name']), ...inGvc }, record, config, isWritten };
}

const volumeSet = (gvc: string, name = 'data'): PlannedRecord =>
  planned('volumeset', {
    name,
    gvc,
    spec: { initialCapacity: 10, performanceClass: 'general-purpose-ssd', fileSystemType: 'ext4' },
  });
const workload = (name: string, spec: JsonObject = {}, container: JsonObject = {}): PlannedRecord =>
  planned('workload', {
    name,
    gvc: 'shop',
    spec: { type: 'standard', containers: [{ name: 'main', image: 'web:1', ...container }], ...spec },
  });
const mount: JsonObject = { volumes: [{ uri: 'scheme://volumeset/data', path: '/data' }] };
const route = (port: number, isWritten = true): PlannedRecord =>
  planned(
    'domain',
    {
      name: 'shop.example.com',
      spec: {
        ports: [{ number: 443, routes: [{ prefix: '/', workloadLink: '//gvc/shop/workload/web', port }] }],
      },
    },
    isWritten,
  );
const serving = (number: number): PlannedRecord => workload('web', {}, { ports: [{ number, protocol: 'http' }] });

function said(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ severity, summary, detail }) => {
    const [rule] = /\([^)]*\)$/.exec(detail) ?? [];
    return `${severity} ${rule} ${summary}`;
  });
}

describe('rules over several resources', () => {
  test('a volume set that its workload cannot mount is an error at the mount, whichever is planned first', () => {
    const first = new PlannedSet('acme', nobody);
    expect(first.add(volumeSet('shop'))).toEqual([]);
    const [problem, ...more] = first.add(workload('web', {}, mount));
    expect(more).toEqual([]);
    expect(problem).toMatchObject({ severity: 'error', path: ['spec', 'containers', 0, 'volumes', 0, 'uri'] });
    expect(problem?.detail).toContain('(W31)');

    const second = new PlannedSet('acme', nobody);
    expect(second.add(workload('web', {}, mount))).toEqual([]);
    expect(said(second.add(volumeSet('shop')))).toEqual([
      'error (V9) spec.file_system_type: the ext4 volume set may be mounted by a stateful workload only, not by "web", a standard workload',
      'error (W31) workload/shop/web: spec.containers[0].volumes[0].uri: the volume set "data" is ext4; a standard ' +
        'workload can mount shared ones only',
    ]);
  });

  test('records with the same name in another GVC, or that are not planned, cause no problem', () => {
    const set = new PlannedSet('acme', nobody);
    expect(set.add(volumeSet('other'))).toEqual([]);
    expect(set.add(workload('web', {}, mount))).toEqual([]);
    expect(set.add(workload('more', { identityLink: '//identity/nowhere' }))).toEqual([]);
  });

  test('a second workload that mounts a volume set for one workload is an error', () => {
    const set = new PlannedSet('acme', nobody);
    set.add(volumeSet('shop'));
    expect(said(set.add(workload('a', { type: 'stateful' }, mount)))).toEqual([]);
    expect(said(set.add(workload('b', { type: 'stateful' }, mount)))).toEqual([
      'error (W31) spec.containers[0].volumes[0].uri: the volume set "data" is ext4, so it cannot be mounted by the ' +
        'workload "a" too',
    ]);
  });

  test('a route to a port that its workload does not serve is one warning', () => {
    const set = new PlannedSet('acme', nobody);
    set.add(serving(8080));
    expect(said(set.add(route(8080)))).toEqual([]);
    expect(said(set.add(route(9090)))).toEqual([
      'warning (domain.route-port) spec.ports[0].routes[0].port: the workload "web" must serve the port 9090',
    ]);
    expect(set.add(serving(8080))).toEqual([]);
  });

  test('no rule concludes anything from a record that is not known', () => {
    const set = new PlannedSet('acme', nobody);
    set.addOpen({ kind: 'workload', gvc: 'shop', name: 'web' });
    expect(set.add(route(9090))).toEqual([]);
    const others: OtherRecords = { get: () => serving(8080).record, list: () => [] };
    const live = new PlannedSet('acme', others);
    live.addOpen({ kind: 'workload', gvc: 'shop', name: 'web' });
    expect(live.add(route(9090))).toEqual([]);
    const again = new PlannedSet('acme', nobody);
    again.add(route(9090));
    again.addOpen(route(9090).ref);
    expect(again.add(serving(8080))).toEqual([]);
  });

  test('a rule uses the known values of a record that has other unknown values', () => {
    const set = new PlannedSet('acme', nobody);
    set.add(volumeSet('shop'));
    const web = workload('web', {}, mount);
    const open = [{ pointer: ['description'] }, { pointer: ['spec', 'containers', 0, 'image'] }];
    expect(said(set.add({ ...web, unknowns: open }))).toEqual([
      'error (W31) spec.containers[0].volumes[0].uri: the volume set "data" is ext4; a standard workload can mount ' +
        'shared ones only',
    ]);
    const type = new PlannedSet('acme', nobody);
    type.add(volumeSet('shop'));
    expect(type.add({ ...web, unknowns: [{ pointer: ['spec', 'type'] }] })).toEqual([]);
  });

  test('records of others count as they are now, and cause warnings only', () => {
    const data = volumeSet('shop');
    const others: OtherRecords = {
      get: ({ kind, gvc, name }) =>
        kind === 'volumeset' && gvc === 'shop' && name === 'data' ? data.record : undefined,
      list: () => [],
    };
    expect(said(new PlannedSet('acme', others).add(workload('web', {}, mount)))).toEqual([
      'warning (W31) spec.containers[0].volumes[0].uri: the volume set "data" is ext4; a standard workload can mount ' +
        'shared ones only',
    ]);
    const mounting = workload('web', {}, mount);
    const users: OtherRecords = { get: () => undefined, list: (kind) => (kind === 'workload' ? [mounting] : []) };
    expect(said(new PlannedSet('acme', users).add(data))).toEqual([
      'warning (V9) spec.file_system_type: the ext4 volume set may be mounted by a stateful workload only, not by "web", a standard workload',
    ]);
    const planned = new PlannedSet('acme', others);
    planned.add({ ...data, record: { ...data.record, spec: { initialCapacity: 10, fileSystemType: 'shared' } } });
    expect(planned.add(workload('web', {}, mount))).toEqual([]);
  });

  test('a planned deletion is a missing reference for each record that still needs it', () => {
    const set = new PlannedSet('acme', nobody);
    const identity = { kind: 'identity', gvc: 'shop', name: 'web' } as const;
    set.add(workload('web', { identityLink: '//identity/web' }));
    expect(said(set.remove(identity))).toEqual([
      'error (reference.missing) workload/shop/web: spec.identity_link: identity/shop/web does not exist',
    ]);
    const other = new PlannedSet('acme', nobody);
    other.remove(identity);
    expect(said(other.add({ ...workload('web', { identityLink: '//identity/web' }), isWritten: false }))).toEqual([
      'warning (reference.missing) spec.identity_link: identity/shop/web does not exist',
    ]);
    // Another resource of the configuration gets the name, whichever is planned first.
    other.add(planned('identity', { name: 'web', gvc: 'shop' }));
    expect(other.add(workload('web', { identityLink: '//identity/web' }))).toEqual([]);
    expect(other.remove(identity)).toEqual([]);
    expect(other.add(workload('web', { identityLink: '//identity/web' }))).toEqual([]);
  });
});

/** How often planned records are read if each of `count` workloads has a volume set. */
function looksFor(count: number): number {
  const set = new PlannedSet('acme', nobody);
  let looks = 0;
  const watched = (record: PlannedRecord): PlannedRecord =>
    new Proxy(record, {
      get(target, key) {
        looks += 1;
        return Reflect.get(target, key);
      },
    });
  const names = Array.from({ length: count }, (_, at) => `w${at}`);
  for (const name of names) set.add(watched(volumeSet('shop', name)));
  for (const name of names) {
    const volumes = [{ uri: `scheme://volumeset/${name}`, path: '/data' }];
    expect(set.add(watched(workload(name, { type: 'stateful' }, { volumes })))).toEqual([]);
  }
  return looks;
}

test('the work for a plan grows in proportion to its size', () => {
  expect(looksFor(80)).toBeLessThan(5 * looksFor(20));
});
