import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { type JsonObject, listAt, objectAt } from '../../src/base/json/json.ts';
import { normalise } from '../../src/kinds/normalise.ts';
import { diff } from '../../src/patch/diff.ts';
import { creatableKinds } from '../../src/schema/record/kinds.ts';

const context = { org: 'acme', gvc: 'shop' };
const all = { context, directives: 'all' } as const;

function workload(spec: JsonObject, container: JsonObject = {}): JsonObject {
  return { name: 'w', spec: { type: 'standard', containers: [{ name: 'main', image: 'a', ...container }], ...spec } };
}

describe('lifecycle.ignore: never in a patch, carried from live', () => {
  const live = workload(
    {},
    {
      image: 'old',
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
      args: ['x'],
    },
  );
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'a field of an item', ignore: ['spec.containers.main.image'], patch: undefined },
      { it: 'any item', ignore: ['spec.containers.*.image'], patch: undefined },
      { it: 'not an item with a key by its position', ignore: ['spec.containers.0.image'],
        patch: { spec: { '$patch/containers': [{ name: 'main', image: 'new' }] } } },
      { it: 'another item', ignore: ['spec.containers.side.image'],
        patch: { spec: { '$patch/containers': [{ name: 'main', image: 'new' }] } } },
      { it: 'everything', ignore: ['spec'], patch: undefined },
    ],
  )('$it', ({ ignore, patch }) => {
    const desired = workload(
      {},
      {
        image: 'new',
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
        args: ['x'],
      },
    );
    expect(diff('workload', live, desired, { ...all, ignore })?.patch).toEqual(patch);
  });

  test('an ignored value is kept in a list that is written whole', () => {
    const desired = workload({}, { image: 'old', env: [{ name: 'B', value: '9' }], args: ['x'] });
    const found = diff('workload', live, desired, { ...all, ignore: ['spec.containers.main.env.B.value'] });
    expect(found?.target).toEqual(workload({}, { image: 'old', env: [{ name: 'B', value: '2' }], args: ['x'] }));
  });

  test('an ignored field of an object that is not live is not written with the rest of the object', () => {
    const bare = workload({});
    const desired = workload({ defaultOptions: { debug: true, timeoutSeconds: 30 } });
    const ignore = ['spec.defaultOptions.timeoutSeconds'];
    const patch = { spec: { defaultOptions: { debug: true } } };
    expect(diff('workload', bare, desired, { ...all, ignore })?.patch).toEqual(patch);
    const nothingElse = workload({ defaultOptions: { timeoutSeconds: 30 } });
    expect(diff('workload', bare, nothingElse, { ...all, ignore })).toBeUndefined();
  });

  test('of a probe that is no longer declared only the ignored fields stay, at any depth', () => {
    const readinessProbe = { httpGet: { path: '/', port: 80, scheme: 'HTTP' }, periodSeconds: 5 };
    const probed = workload({}, { readinessProbe });
    const ignore = ['spec.containers.main.readinessProbe.httpGet.path'];
    const found = diff('workload', probed, workload({}), { ...all, ignore });
    expect(found?.target).toEqual(workload({}, { readinessProbe: { httpGet: { path: '/' } } }));
    const whole = diff('workload', probed, workload({}), {
      ...all,
      ignore: ['spec.containers.main.readinessProbe.timeoutSeconds'],
    });
    expect(whole?.target).toEqual(workload({}));
  });

  test('an ignored field that is not live is not written', () => {
    const desired = workload(
      {},
      {
        image: 'old',
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
        args: ['x'],
        workingDir: '/x',
      },
    );
    expect(diff('workload', live, desired, { ...all, ignore: ['spec.containers.main.workingDir'] })).toBeUndefined();
  });
});

describe('a value that the platform chose (fill class service)', () => {
  const live = workload({ defaultOptions: { autoscaling: { minScale: 2, maxScale: 4 } } });
  const path = 'spec.defaultOptions.autoscaling.minScale';

  test('is unmanaged while it is omitted', () => {
    expect(diff('workload', live, workload({}), all)).toBeUndefined();
  });

  test('is removed once if this stack set it before', () => {
    const found = diff('workload', live, workload({}), { ...all, wasSet: (each) => each === path });
    expect(found?.patch).toEqual({ spec: { defaultOptions: { autoscaling: { $drop: ['minScale'] } } } });
  });

  test('is managed while it is declared', () => {
    const desired = workload({ defaultOptions: { autoscaling: { minScale: 3 } } });
    expect(diff('workload', live, desired, all)?.patch).toEqual({
      spec: { defaultOptions: { autoscaling: { minScale: 3 } } },
    });
  });
});

describe('an operational value (fill class operational)', () => {
  const live = workload({ defaultOptions: { suspend: true } });

  test('is reported and not changed', () => {
    const notes: string[] = [];
    expect(diff('workload', live, workload({}), { ...all, report: (note) => notes.push(note) })).toBeUndefined();
    expect(notes).toEqual([expect.stringContaining('spec.defaultOptions.suspend')]);
  });

  test('is reverted on demand', () => {
    const found = diff('workload', live, workload({}), { ...all, revertOperational: true });
    expect(found?.patch).toEqual({ spec: { $drop: ['defaultOptions'] } });
  });
});

describe('other fill classes', () => {
  test('a derived field follows its source (platform/concepts.filled)', () => {
    // biome-ignore format: a row is a case
    const live = {
      name: 'a.test',
      spec: { dnsMode: 'ns', gvcLink: '/org/acme/gvc/shop', workloadLink: '//gvc/shop/workload/w',
        acceptAllHosts: true },
    };
    const desired = { name: 'a.test', spec: { workloadLink: '//gvc/shop/workload/w', acceptAllHosts: true } };
    const found = diff('domain', live, desired, all);
    expect(found?.patch).toEqual({ spec: { $drop: ['dnsMode', 'gvcLink'] } });
    expect(objectAt(found?.proof ?? {}, 'spec')['dnsMode']).toBe('cname');
  });

  test('a derived field follows the type of the workload, which is far away (platform/concepts.filled)', () => {
    const stateful = (defaultOptions: JsonObject): JsonObject =>
      workload({ type: 'stateful', defaultOptions: { debug: true, ...defaultOptions } });
    expect(diff('workload', stateful({ capacityAI: false }), stateful({}), all)).toBeUndefined();
    expect(diff('workload', stateful({ capacityAI: true }), stateful({}), all)?.target).toEqual(stateful({}));
  });

  test('an omitted irremovable field means its refill (platform/concepts.filled)', () => {
    const live = { name: 'a.test', spec: { dnsMode: 'cname', ports: [{ number: 443, protocol: 'http' }] } };
    const found = diff('domain', live, { name: 'a.test', spec: {} }, all);
    expect(found?.patch).toEqual({ spec: { '$patch/ports': [{ number: 443, protocol: 'http2' }] } });
  });

  test('an unknown field can be set, and is kept while it is not declared', () => {
    const desired = workload({ futureField: { a: 1 } });
    expect(diff('workload', workload({}), desired, { ...all, untyped: ['spec.futureField'] })?.patch).toEqual({
      spec: { futureField: { a: 1 } },
    });
    expect(diff('workload', desired, workload({}), all)).toBeUndefined();
  });

  // biome-ignore format: a row is a case
  test.each<readonly [string, string, JsonObject, JsonObject, JsonObject]>([
    ['with a key', 'containers.main.newer', { containers: [{ name: 'main', image: 'a:1' }] },
      { containers: [{ name: 'main', image: 'a:1', newer: 1 }] },
      { '$patch/containers': [{ name: 'main', newer: 1 }] }],
    ['without a key', 'sidecar.proxy.excludedRateLimit.*.newer',
      { sidecar: { proxy: { excludedRateLimit: [{ port: 80 }] } } },
      { sidecar: { proxy: { excludedRateLimit: [{ port: 80, newer: 1 }] } } },
      { sidecar: { proxy: { excludedRateLimit: [{ port: 80, newer: 1 }] } } }],
  ])('an unknown member of an item %s is set without other differences', (...row) => {
    const [, path, live, desired, patch] = row;
    const untyped = [`spec.${path}`];
    expect(diff('workload', workload(live), workload(desired), { ...all, untyped })?.patch).toEqual({ spec: patch });
    expect(diff('workload', workload(desired), workload(live), all)).toBeUndefined();
  });

  test('declared tags are written, and without declared ones none are changed', () => {
    const live = { name: 'shop', tags: { a: '1', b: '2' }, spec: {} };
    expect(diff('gvc', live, { name: 'shop', spec: {} }, all)).toBeUndefined();
    expect(diff('gvc', live, { name: 'shop', spec: {}, tags: { a: 1 } }, all)?.patch).toEqual({
      tags: { $drop: ['b'] },
    });
  });

  test('a record that no patch can produce is refused with a code', () => {
    const desired = { name: 'shop', tags: { $drop: 'x' }, spec: {} };
    expect(() => diff('gvc', { name: 'shop', tags: {}, spec: {} }, desired, all)).toThrow(
      expect.objectContaining({ code: 'patch.inexpressible' }),
    );
  });
});

describe('the legacy port and the list of ports are equal (platform/concepts.filled)', () => {
  const short = workload({}, { port: 8080 });
  const long = workload({}, { ports: [{ protocol: 'http', number: 8080 }] });
  const main = (change: JsonObject): JsonObject => ({ spec: { '$patch/containers': [{ name: 'main', ...change }] } });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'no difference if live has the list', live: long, desired: short, patch: undefined },
      { it: 'no difference if live has the legacy port', live: short, desired: long, patch: undefined },
      { it: 'another difference is written, and the live spelling is kept', live: long,
        desired: workload({}, { port: 8080, cpu: '1' }), patch: main({ cpu: '1' }) },
      { it: 'another number replaces the list', live: long, desired: workload({}, { port: 8081 }),
        patch: main({ $drop: ['ports'], port: 8081 }) },
      { it: 'an additional port replaces the legacy one', live: short,
        desired: workload({}, { ports: [{ number: 8080 }, { number: 8081 }] }),
        patch: main({ $drop: ['port'], ports: [{ number: 8080 }, { number: 8081 }] }) },
      { it: 'an undeclared port is removed in any live spelling', live: long, desired: workload({}),
        patch: main({ $drop: ['ports'] }) },
    ],
  )('$it', ({ live, desired, patch }) => {
    expect(diff('workload', live, desired, all)?.patch).toEqual(patch);
  });
});

test('IPv6 blocks in another spelling are no difference (platform/concepts.rewritten)', () => {
  const open = (block: string): JsonObject =>
    workload({ firewallConfig: { external: { inboundAllowCIDR: [block, '10.0.0.0/8'] } } });
  expect(diff('workload', open('2001:db8::/32'), open('2001:0DB8:0:0:0:0:0:0/32'), all)).toBeUndefined();
});

describe('records of the vectors (law 2)', () => {
  const text = readFileSync(new URL('../vectors/diff.yaml', import.meta.url), 'utf8');
  const vectors = listAt({ read: JSON.parse(JSON.stringify(load(text))) }, 'read');
  const cases = vectors.flatMap((vector) => {
    const kind = creatableKinds.find((each) => JSON.stringify(vector).includes(`"kind":"${each}"`));
    const desired =
      typeof vector === 'object' && vector !== null && 'desired' in vector ? objectAt(vector, 'desired') : undefined;
    return kind === undefined || desired === undefined ? [] : [{ kind, desired }];
  });

  test.each(cases)('diff(normalise(x), x) is nothing for this $kind', ({ kind, desired }) => {
    expect(diff(kind, normalise(kind, desired, context), desired, all)).toBeUndefined();
  });
});
