import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ObjectValue } from '../../../src/hcl/value.ts';
import { startServer } from '../../../src/server/start.ts';
import { startProxy, type Verdict } from '../../e2e/harness/proxy.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { type Calls, errorsOf, startCalls } from '../harness/calls.ts';

const folder = temporaryFolder('domain-route');
const type = 'gantry_domain_route';
const name = 'shop.example.com';
/** The link of a workload as records contain it. */
const link = '/org/local/gvc/shop/workload/web';
const config = { domain: name, prefix: '/a', workload_link: '//gvc/shop/workload/web', port: 80 };
const other = { prefix: '/other', workloadLink: link };
/** The route of `config`, and a manual change of it. */
const asCreated = { prefix: '/a', workloadLink: link, port: 80 };
const byHand = { ...asCreated, replacePrefix: '/by-hand' };

interface Route {
  readonly prefix: string;
  readonly workloadLink: string;
  readonly port?: number;
  readonly replacePrefix?: string;
}

function sorted(routes: readonly Route[]): readonly Route[] {
  return routes.toSorted((a, b) => a.prefix.localeCompare(b.prefix));
}

interface World {
  readonly endpoint: string;
  readonly calls: Calls;
  readonly state: ObjectValue;
  readonly patches: () => number;
  /** Another client replaces the routes of the domain. */
  set(routes: readonly Route[]): Promise<void>;
  /** Another client acts directly before the next PATCH of the provider reaches the platform. */
  beforeNextPatch(act: () => Promise<void>): void;
  remove(): Promise<void>;
  /** In the order of their paths. */
  routes(): Promise<readonly Route[]>;
}

/** A domain with a route of others, and the route of `config`, which this configuration created. */
async function start(): Promise<World> {
  const platform = await startServer({ port: 0, noAuth: true, readyAfterMs: 0 });
  let act: (() => Promise<void>) | undefined;
  let patches = 0;
  const proxy = await startProxy(platform.url, async ({ method }): Promise<Verdict> => {
    if (method !== 'PATCH') return 'pass';
    patches += 1;
    const now = act;
    act = undefined;
    await now?.();
    return 'pass';
  });
  onTestFinished(async () => {
    await proxy.close();
    await platform.close();
  });
  async function call(method: string, path: string, body?: object): Promise<Response> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${platform.url}/org/local/${path}`, { method, headers, ...sent });
    expect(response.ok, await response.clone().text()).toBe(true);
    return response;
  }
  const port = (routes: readonly Route[]) => ({ number: 443, protocol: 'http2', routes });
  await call('POST', 'domain', { name, spec: { ports: [port([other])] } });
  const calls = await startCalls(folder);
  await calls.configure({ endpoint: proxy.url, org: 'local' });
  const state = await calls.run(type, config);
  if (state === undefined) throw new Error('it was not created');
  patches = 0;
  return {
    endpoint: proxy.url,
    calls,
    state,
    patches: () => patches,
    async set(routes) {
      await call('PATCH', `domain/${name}`, { spec: { '$replace/ports': [port(routes)] } });
    },
    beforeNextPatch(next) {
      act = next;
    },
    async remove() {
      await call('DELETE', `domain/${name}`);
    },
    async routes() {
      const { spec } = JSON.parse(await (await call('GET', `domain/${name}`)).text());
      return sorted(spec.ports[0].routes ?? []);
    },
  };
}

const update = { ...config, port: 8080 };

/** platform/domain: the next update of such a domain would remove what is declared apart. */
it.each([
  [443, {}],
  [8443, { domain_port: 8443 }],
])('a plan warns once if a domain declares routes of port %i too, in either order', async (number, port) => {
  const platform = await startServer({ port: 0, noAuth: true });
  onTestFinished(() => platform.close());
  const calls = await startCalls(folder);
  const routes = [{ prefix: '/b', workload_link: config.workload_link }];
  const ports = [
    { number, protocol: 'http2', routes },
    { number: 80, protocol: 'http' },
  ];
  const plans = [
    () => calls.plan('gantry_domain', { name: 'b.example.com', spec: { ports } }),
    () => calls.plan(type, { ...config, ...port, domain: 'b.example.com' }),
  ];
  for (const [first, second] of [plans, plans.toReversed()]) {
    await calls.configure({ endpoint: platform.url, org: 'local' });
    const warnings = async (plan = first) =>
      (await plan?.())?.diagnostics.filter(({ summary }) => summary.includes('in two ways'));
    expect([await warnings(), await warnings(second), await warnings(second)]).toEqual([
      [],
      [expect.objectContaining({ summary: `the routes of port ${number} of b.example.com are declared in two ways` })],
      [],
    ]);
  }
});

describe('after an apply that was killed while it created a route', () => {
  /** The next process in the folder of the killed one. */
  async function applied(declared: ObjectValue, block: ObjectValue = {}, cwd = folder) {
    const { endpoint, routes } = await start();
    const next = await startCalls(cwd);
    await next.configure({ endpoint, org: 'local', ...block });
    const result = await next.apply(type, declared, undefined, await next.plan(type, declared));
    return { ...result, routes: await routes() };
  }
  const takenOver = { severity: 'warning', summary: `domain/${name} has this route already, and it is taken over` };

  it('the next one takes it over, and creates no second one', async () => {
    const { state, diagnostics, routes } = await applied(config);
    expect(diagnostics).toEqual([expect.objectContaining(takenOver)]);
    expect(state).toMatchObject({ ...config, domain_port: 443 });
    expect(routes).toEqual(sorted([asCreated, other]));
  });

  it('one on another machine takes it over only if the provider block says so', async () => {
    const elsewhere = (cwd: string) => join(folder, cwd);
    const refused = await applied(config, {}, elsewhere('refused'));
    expect(errorsOf(refused.diagnostics)).toEqual([`domain/${name} has this route already`]);
    const { diagnostics } = await applied(config, { take_over: true }, elsewhere('permitted'));
    expect(diagnostics).toEqual([expect.objectContaining(takenOver)]);
  });

  it('the next one does not take over one that differs from what is declared', async () => {
    const { diagnostics, routes } = await applied({ ...config, port: 8080 });
    expect(errorsOf(diagnostics)).toEqual([`domain/${name} has this route already`]);
    expect(routes).toEqual(sorted([asCreated, other]));
  });
});

describe('the apply of a planned route', () => {
  it('to a port that the domain does not have names where to declare it', async () => {
    const { calls } = await start();
    const elsewhere = { ...config, domain_port: 8443 };
    const applied = await calls.apply(type, elsewhere, undefined, await calls.plan(type, elsewhere));
    expect(errorsOf(applied.diagnostics)).toEqual([`domain/${name} has no port 8443`]);
    expect(applied.diagnostics[0]?.detail).toContain('ports { number = 8443 }');
    expect(applied.state).toBeUndefined();
  });

  it.each([
    ['an update', update, [other, { ...asCreated, port: 8080 }]],
    ['another path', { ...config, prefix: '/b' }, [other, { ...asCreated, prefix: '/b' }]],
    ['a deletion', undefined, [other]],
  ])('makes %s if others changed only other routes, even directly before its PATCH', async (_, planned, after) => {
    const { calls, state, set, routes, beforeNextPatch } = await start();
    const plan = await calls.plan(type, planned, state);
    const [second, third] = [
      { ...other, port: 1 },
      { prefix: '/third', workloadLink: link },
    ];
    await set([second, asCreated]);
    beforeNextPatch(() => set([second, asCreated, third]));
    const applied = await calls.apply(type, planned, state, plan);
    expect(errorsOf(applied.diagnostics)).toEqual([]);
    const expected = after.map((each) => (each === other ? second : each));
    expect(await routes()).toEqual(sorted([...expected, third]));
  });

  it.each([
    ['an update', update, 'replace_prefix of its route 443:/a changed', [other, byHand]],
    ['another path', { ...config, prefix: '/b' }, 'replace_prefix of its route 443:/a changed', [other, byHand]],
    ['a deletion', undefined, 'replace_prefix of its route 443:/a changed', [other, byHand]],
    ['an update', update, 'port of its route 443:/a changed', [other, { ...asCreated, port: 81 }]],
    ['an update', update, 'its route 443:/a no longer exists', [other]],
  ])('refuses %s, and writes nothing, if another client changed it: %#', async (_, planned, why, theirs) => {
    const { calls, state, set, routes, patches } = await start();
    const plan = await calls.plan(type, planned, state);
    await set(theirs);
    const applied = await calls.apply(type, planned, state, plan);
    expect(errorsOf(applied.diagnostics)).toEqual([`domain/${name} has changed since it was planned: ${why}`]);
    expect(applied.diagnostics[0]?.detail).toContain('Plan again');
    expect(applied.state).toEqual(state);
    expect(await routes()).toEqual(sorted(theirs));
    expect(patches()).toBe(0);
  });

  it.each([
    ['an update', update],
    ['another path', { ...config, prefix: '/b' }],
    ['a deletion', undefined],
  ])('refuses %s if another client changes it directly before the PATCH', async (_, planned) => {
    const { calls, state, set, routes, beforeNextPatch } = await start();
    const plan = await calls.plan(type, planned, state);
    beforeNextPatch(() => set([other, byHand]));
    const applied = await calls.apply(type, planned, state, plan);
    expect(errorsOf(applied.diagnostics)).toEqual([expect.stringContaining(`domain/${name} has changed since`)]);
    expect(applied.state).toEqual(state);
    expect(await routes()).toEqual([byHand, other]);
  });

  it('succeeds if another client made the same change, or deleted the domain of a deletion', async () => {
    const { calls, state, set, remove, patches } = await start();
    const plan = await calls.plan(type, update, state);
    await set([other, { ...asCreated, port: 8080 }]);
    const updated = await calls.apply(type, update, state, plan);
    expect(errorsOf(updated.diagnostics)).toEqual([]);
    expect(updated.state).toMatchObject({ port: 8080 });
    const deletion = await calls.plan(type, undefined, updated.state);
    await set([other]);
    expect(await calls.apply(type, undefined, updated.state, deletion)).toMatchObject({
      state: undefined,
      diagnostics: [],
    });
    await remove();
    expect(await calls.apply(type, undefined, updated.state, deletion)).toMatchObject({
      state: undefined,
      diagnostics: [],
    });
    expect(patches()).toBe(0);
  });

  it('accepts an update of a route as it was imported', async () => {
    const { calls, set, routes } = await start();
    await set([other, byHand]);
    const { state } = await calls.read(type, { domain: name, domain_port: 443, prefix: '/a' });
    const planned = { ...config, replace_prefix: '/new' };
    await calls.run(type, planned, state);
    expect(await routes()).toEqual([{ ...byHand, replacePrefix: '/new' }, other]);
    expect(await calls.run(type, undefined, (await calls.read(type, { ...planned, domain_port: 443 })).state)).toBe(
      undefined,
    );
    expect(await routes()).toEqual([other]);
  });

  it('refuses to create an existing route, even if it appears directly before the PATCH', async () => {
    const { calls, set, routes, beforeNextPatch } = await start();
    const created = { ...config, prefix: '/new' };
    const theirs = { prefix: '/new', workloadLink: link, port: 1 };
    const plan = await calls.plan(type, created);
    beforeNextPatch(() => set([other, theirs]));
    for (let time = 0; time < 2; time += 1) {
      const applied = await calls.apply(type, created, undefined, plan);
      expect(errorsOf(applied.diagnostics)).toEqual([`domain/${name} has this route already`]);
      expect(applied.diagnostics[0]?.detail).toContain(`import it by the id ${name}:443:/new`);
    }
    expect(await routes()).toEqual([theirs, other]);
  });
});

it.each([
  ['an attribute', { ...config, port: 70_000 }, /^port: /],
  ['an item of a list', { ...config, mirror: [{ workload_link: 'web', percent: 5 }] }, /^mirror\[0\]\.workload_link: /],
  ['its domain', { ...config, domain: 'no host' }, /^domain: /],
  ['its port of the domain', { ...config, domain_port: 70_000 }, /^domain_port: /],
  ['the route', { ...config, host_prefix: 'a', host_regex: 'b' }, /^(?:The route|host_prefix): /],
])('a problem with a route is reported at its attributes: %s', async (_, wrong, says) => {
  const calls = await startCalls(folder);
  const errors = errorsOf(await calls.validate(type, wrong));
  expect(errors.filter((each) => says.test(each))).toHaveLength(errors.length);
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.join()).not.toContain('spec.');
});
