import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { isObjectValue, type ObjectValue, unknown, type Value } from '../../../src/hcl/value.ts';
import { configOf, dataOf, stateOf } from '../../../src/hcl/values/stateOf.ts';
import { stateAfter } from '../../../src/provider/changes/changeContext.ts';
import { creationOf, patchFor } from '../../../src/provider/plan/patchFor.ts';
import { planResource } from '../../../src/provider/plan/planResource.ts';
import { dataLoss } from '../../../src/provider/plan/refusals.ts';
import { targetOf } from '../../../src/provider/plan/target.ts';
import type { CreatableKind } from '../../../src/schema/record/kinds.ts';
import { type Path, pierced, planned, stored } from '../../hcl/lifecycle.ts';

/** Causes of endless differences in other providers, or of refusals by Terraform; expectations by hand. */
const where = { org: 'acme', gvc: 'shop' };

function workload(spec: JsonObject = {}, container: JsonObject = {}): JsonObject {
  return {
    name: 'web',
    spec: { type: 'standard', containers: [{ name: 'main', image: 'shop:1', ...container }], ...spec },
  };
}

/** The configuration of a manifest, and its state once it is on the platform. */
function live(
  kind: CreatableKind,
  manifest: JsonObject,
): { config: ObjectValue; state: ObjectValue; live: JsonObject } {
  const config = configOf(kind, manifest, where);
  const record = stored(kind, creationOf(kind, config), 1);
  const plan = planned(kind, config, null).planned ?? {};
  return { config, live: record, state: stateAfter(kind, record, plan, where) };
}

function at(value: Value | undefined, ...path: readonly string[]): Value | undefined {
  return path.reduce<Value | undefined>((inside, name) => {
    if (Array.isArray(inside)) return inside[Number(name)];
    return isObjectValue(inside) ? inside[name] : undefined;
  }, value);
}

function errors({ diagnostics }: ReturnType<typeof planResource>): readonly string[] {
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ summary }) => summary);
}

function warnings({ diagnostics }: ReturnType<typeof planResource>): readonly string[] {
  return diagnostics.filter(({ severity }) => severity === 'warning').map(({ summary }) => summary);
}

describe('an attribute that is not configured', () => {
  test('returns to its default after another value is removed', () => {
    const before = live('workload', workload({ defaultOptions: { timeoutSeconds: 60 } }));
    const config = configOf('workload', workload({ defaultOptions: {} }), where);
    const plan = planned('workload', config, before.state).planned;
    expect(at(plan ?? {}, 'spec', 'default_options', 'timeout_seconds')).toBe(5);
    const patch = patchFor({ kind: 'workload', config, prior: before.state, live: before.live, ...where });
    expect(patch?.patch).toEqual({ spec: { '$replace/defaultOptions': {} } });
  });

  test('is unknown in the first plan if the platform chooses it, and then keeps the chosen value', () => {
    const { config } = live('workload', workload({ defaultOptions: { autoscaling: {} } }));
    const first = planned('workload', config, null).planned;
    expect(at(first ?? {}, 'spec', 'default_options', 'autoscaling', 'min_scale')).toBe(unknown);
    const record = stored('workload', workload({ defaultOptions: { autoscaling: { minScale: 1, maxScale: 5 } } }), 1);
    const state = stateAfter('workload', record, first ?? {}, where);
    expect(at(state, 'spec', 'default_options', 'autoscaling', 'min_scale')).toBe(1);
    const next = planned(
      'workload',
      configOf('workload', workload({ defaultOptions: { autoscaling: {}, timeoutSeconds: 9 } }), where),
      state,
    );
    expect(at(next.planned ?? {}, 'spec', 'default_options', 'autoscaling', 'min_scale')).toBe(1);
    expect(at(next.planned ?? {}, 'spec', 'default_options', 'timeout_seconds')).toBe(9);
  });

  test('is unknown while the name is unknown, if it follows from the name', () => {
    const { config } = live('group', { name: 'web' });
    expect(planned('group', { ...config, name: unknown }, null).planned?.['description']).toBe(unknown);
    expect(planned('group', { ...config, tags: unknown }, null).planned?.['description']).toBe('web');
  });

  test('is left to operators if it is a switch', () => {
    const { config, live: record, state } = live('workload', workload({ defaultOptions: { timeoutSeconds: 9 } }));
    expect(at(state, 'spec', 'default_options', 'suspend')).toBe(false);
    const switched = {
      ...record,
      spec: { ...objectAt(workload(), 'spec'), defaultOptions: { timeoutSeconds: 9, suspend: true } },
    };
    const prior = stateOf('workload', switched, { ...where, hint: state });
    expect(at(prior, 'spec', 'default_options', 'suspend')).toBe(true);
    expect(planned('workload', config, prior).planned).toEqual(prior);
  });

  test('is planned to be removed if another client set it', () => {
    const { config, live: record, state } = live('workload', workload());
    const drifted = stored('workload', { ...record, ...workload({}, { command: 'sh' }) }, 2);
    const prior = stateOf('workload', drifted, { ...where, hint: state });
    expect(at(prior, 'spec', 'containers', '0', 'command')).toBe('sh');
    expect(at(planned('workload', config, prior).planned ?? {}, 'spec', 'containers', '0', 'command')).toBeNull();
    expect(patchFor({ kind: 'workload', config, prior, live: drifted, ...where })?.patch).toEqual({
      spec: { '$patch/containers': [{ name: 'main', $drop: ['command'] }] },
    });
  });

  const address = 'https://web.example';
  const reachable = (): ReturnType<typeof live> => {
    const made = live('workload', workload({}, { ports: [{ number: 8080 }] }));
    const record = { ...made.live, status: { parentId: 'g', canonicalEndpoint: address, currentReplicaCount: 1 } };
    return { ...made, live: record, state: stateOf('workload', record, { ...where, hint: made.state }) };
  };

  test('keeps its value in the plan if an update cannot change it', () => {
    const { state } = reachable();
    const image = configOf('workload', workload({}, { image: 'shop:2', ports: [{ number: 8080 }] }), where);
    const plan = planned('workload', image, state).planned ?? {};
    expect({ ...plan, spec: null }).toEqual({ ...state, spec: null });
    expect(at(plan, 'status', 'canonical_endpoint')).toBe(address);
  });

  test('is unknown if it is the address and a port changes, or may change', () => {
    const { config, state } = reachable();
    const other = configOf('workload', workload({}, { ports: [{ number: 9090 }] }), where);
    const plan = planned('workload', other, state).planned ?? {};
    expect([at(plan, 'status', 'canonical_endpoint'), at(plan, 'status', 'parent_id')]).toEqual([unknown, 'g']);
    const open: ObjectValue = JSON.parse(JSON.stringify(config), (key, value) => (key === 'number' ? unknown : value));
    expect(at(planned('workload', open, state).planned ?? {}, 'status', 'canonical_endpoint')).toBe(unknown);
    const tagged = planned('workload', { ...config, tags: unknown }, state).planned ?? {};
    expect(at(tagged, 'status', 'canonical_endpoint')).toBe(address);
  });

  test('is in no state if it changes by itself, so a refresh after a rollout finds nothing', () => {
    const { live: record, state } = reachable();
    const later = {
      ...record,
      version: 7,
      lastModified: '2026-11-21T10:00:00Z',
      health: { readiness: 'ready' },
      status: { parentId: 'g', canonicalEndpoint: address, currentReplicaCount: 3, healthCheck: { active: true } },
    };
    expect(stateOf('workload', later, { ...where, hint: state })).toEqual(state);
    expect(at(dataOf('workload', later, where), 'health', 'readiness')).toBe('ready');
    expect(at(dataOf('workload', later, where), 'status', 'current_replica_count')).toBe(3);
  });

  test('is shown once and kept if it is the bootstrap configuration of an agent', () => {
    const { live: record, state } = live('agent', { name: 'a' });
    const status = { bootstrapConfig: { registrationToken: 'hush', agentId: '1' } };
    const first = stateOf('agent', { ...record, status }, { ...where, hint: state });
    expect(at(first, 'status', 'bootstrap_config', 'registration_token')).toBe('hush');
    expect(stateOf('agent', { ...record, status: {} }, { ...where, hint: first })).toEqual(first);
  });

  test('changes without a new version of the record if it is an instruction to the provider', () => {
    const { config, state, live: record } = live('volumeset', { name: 'data', spec: { initialCapacity: 10 } });
    const next = { ...config, allow_data_loss: true };
    const plan = planned('volumeset', next, state).planned;
    expect(plan).toEqual({ ...state, allow_data_loss: true });
    expect(patchFor({ kind: 'volumeset', config: next, prior: state, live: record, ...where })).toBeUndefined();
  });
});

describe('null and empty', () => {
  const forms: readonly (readonly [string, JsonObject])[] = [
    ['null', {}],
    ['[]', { args: [] }],
    ['[] of objects', { env: [] }],
    ['{}', { metrics: { port: 80, dropMetrics: [] } }],
    ['an empty object', { gpu: {} }],
  ];
  test.each(forms.flatMap(([from, a]) => forms.map(([to, b]) => [from, to, a, b] as const)))(
    'from %s to %s',
    (_, __, a, b) => {
      const before = live('workload', workload({}, a));
      const config = configOf('workload', workload({}, b), where);
      const prior = stateOf('workload', before.live, { ...where, hint: before.state });
      expect(prior).toEqual(before.state);
      const plan = planned('workload', config, prior).planned ?? {};
      const record = stored('workload', creationOf('workload', config), 2);
      const state = stateAfter('workload', record, plan, where);
      expect(planned('workload', config, state).planned).toEqual(state);
      for (const name of ['args', 'env', 'gpu']) {
        expect(at(state, 'spec', 'containers', '0', name)).toEqual(at(config, 'spec', 'containers', '0', name));
      }
    },
  );
});

describe('equivalent values', () => {
  // biome-ignore format: a row is a case
  const same: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ['quantities', workload({}, { memory: '1Gi' }), workload({}, { memory: '1024Mi' })],
    ['links', workload({ identityLink: '//identity/i' }), workload({ identityLink: '/org/acme/gvc/shop/identity/i' })],
    ['images of the own registry', workload({}, { image: '//image/a:1' }),
      workload({}, { image: '/org/acme/image/a:1' })],
    ['JSON text', workload({ extras: { affinity: { a: 1, b: [2] } } }),
      workload({ extras: { affinity: '{ "b": [2], "a": 1 }' } })],
  ];
  test.each(same)('%s: no difference', (_, a, b) => {
    const before = live('workload', a);
    const config = configOf('workload', b, where);
    expect(planned('workload', config, before.state).planned).toEqual(before.state);
    expect(patchFor({ kind: 'workload', config, prior: before.state, live: before.live, ...where })).toBeUndefined();
  });

  const tcp = (number: number): JsonObject => ({ protocol: 'tcp', number });
  // biome-ignore format: a row is a case
  const orders: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ['several addresses in another form',
      workload({ firewallConfig: { external: { inboundAllowCIDR: ['10.0.0.2', '10.0.0.1/32'] } } }),
      workload({ firewallConfig: { external: { inboundAllowCIDR: ['10.0.0.1', '10.0.0.2'] } } })],
    ['the order of blocks', workload({ firewallConfig: { external: { outboundAllowPort: [tcp(1), tcp(2)] } } }),
      workload({ firewallConfig: { external: { outboundAllowPort: [tcp(2), tcp(1)] } } })],
  ];
  // While one item of a list is unknown, nothing says whether the list is equivalent, so its order is never hidden.
  test.each(orders)('%s: it is shown, nothing is sent, and the next plan is empty', (_, a, b) => {
    const before = live('workload', a);
    const config = configOf('workload', b, where);
    const plan = planned('workload', config, before.state).planned ?? {};
    expect(plan).toEqual({ ...before.state, spec: plan['spec'] });
    expect(plan['spec']).not.toEqual(before.state['spec']);
    expect(patchFor({ kind: 'workload', config, prior: before.state, live: before.live, ...where })).toBeUndefined();
    const state = stateAfter('workload', before.live, plan, where);
    expect(state).toEqual(plan);
    expect(planned('workload', config, stateOf('workload', before.live, { ...where, hint: state })).planned).toEqual(
      state,
    );
  });

  test('are stored in the state as written, not as the platform normalized them', () => {
    const { state } = live('workload', workload({ identityLink: '//identity/i' }, { image: '//image/a:1' }));
    expect(at(state, 'spec', 'identity_link')).toBe('//identity/i');
    expect(at(state, 'spec', 'containers', '0', 'image')).toBe('//image/a:1');
  });

  test('keep settings of the proxy that the schema does not have', () => {
    const http = [{ name: 'proxy.filters.http.cors', typed_config: { '@type': 't', newer: { a: [1] } } }];
    const { config, state } = live('workload', workload({ sidecar: { proxy: { http } } }));
    const written = at(config, 'spec', 'sidecar', 'proxy', 'http', '0', 'typed_config');
    expect([at(written, 'type'), at(written, 'other_settings')]).toEqual(['t', '{"newer":{"a":[1]}}']);
    expect(planned('workload', config, state).planned).toEqual(state);
  });
});

describe('tags', () => {
  test('of others are neither shown nor changed; own ones are removed', () => {
    const { live: record, state } = live('gvc', { name: 'web', tags: { team: 'pay', old: '1' } });
    const tagged = { ...record, tags: { team: 'pay', old: '1', 'other-tool/x': 'y', 'scheme/deployTimestamp': 'now' } };
    const prior = stateOf('gvc', tagged, { ...where, hint: state });
    expect(prior['tags']).toEqual({ team: 'pay', old: '1' });
    const config = configOf('gvc', { name: 'web', tags: { team: 'pay' } }, where);
    expect(patchFor({ kind: 'gvc', config, prior, live: tagged, ...where })?.patch).toEqual({
      tags: { $drop: ['old'] },
    });
  });

  test('include the protection tag as an attribute', () => {
    const { live: record, state, config } = live('gvc', { name: 'web' });
    expect(state['protected']).toBe(false);
    const next = { ...config, protected: true };
    expect(patchFor({ kind: 'gvc', config: next, prior: state, live: record, ...where })?.patch).toEqual({
      tags: { 'scheme/protected': 'true' },
    });
    const guarded = { ...state, protected: true };
    expect(errors(planResource({ kind: 'gvc', config: null, prior: guarded, ...where }))).toEqual([
      'gvc/web is protected',
    ]);
  });
});

describe('unknown values', () => {
  test('leave the object around them known', () => {
    const { config } = live('workload', workload({}, { env: [{ name: 'A', value: 'x' }] }));
    const open: ObjectValue = JSON.parse(JSON.stringify(config), (key, value) => (key === 'A' ? unknown : value));
    const plan = planned('workload', open, null).planned ?? {};
    expect(at(plan, 'spec', 'containers', '0', 'env')).toEqual({ A: unknown });
    expect(at(plan, 'spec', 'containers', '0', 'cpu')).toBe('50m');
  });

  test.each<readonly [string, Path]>([
    ['a text in a list', ['spec', 'containers', 0, 'image']],
    ['one item of the list', ['spec', 'containers', 1]],
    ['all of it', ['spec', 'containers']],
    ['a member of a map in an item', ['spec', 'containers', 1, 'env', 'A']],
    ['a number of a block', ['spec', 'default_options', 'autoscaling', 'max_scale']],
    ['a tag', ['tags', 'team']],
    ['the name', ['name']],
  ])('count as unchanged: %s', (_, path) => {
    const containers = ['main', 'side'].map((name) => ({
      name,
      image: `${name}:1`,
      env: [{ name: 'A', value: name }],
    }));
    const spec = { containers, defaultOptions: { autoscaling: { minScale: 2, maxScale: 8 } } };
    const { config, state } = live('workload', { ...workload(spec), tags: { team: 'a', tier: 'b' } });
    const { before, after } = targetOf('workload', pierced(config, path), state, where);
    expect(after).toBe(before);
  });

  test('are left out of a new record', () => {
    const { config } = live('workload', workload());
    const { desired } = targetOf('workload', pierced(config, ['spec', 'containers', 0, 'image']), null, where);
    expect(desired['spec']).toEqual({ type: 'standard', containers: [{ name: 'main' }] });
  });

  test('do not include the link of a resource whose name is known, so references to it are known', () => {
    const { config } = live('workload', workload());
    expect(planned('workload', config, null).planned?.['link']).toBe('/org/acme/gvc/shop/workload/web');
    expect(planned('workload', { ...config, name: unknown }, null).planned?.['link']).toBe(unknown);
  });
});

describe('secrets', () => {
  const plain = configOf('secret', { name: 'database', type: 'dictionary', data: { url: 'x' } }, where);
  const hidden: ObjectValue = { ...plain, data: null, data_wo: plain['data'] ?? null, data_wo_version: 1 };

  test('a write-only value is in no plan and no state', () => {
    const plan = planned('secret', hidden, null).planned ?? {};
    const record = stored('secret', creationOf('secret', hidden), 1);
    expect(record['data']).toEqual({ url: 'x' });
    const state = stateAfter('secret', record, plan, where);
    expect([state['data'], state['data_wo_version']]).toEqual([null, 1]);
    // The block exists, as in the configuration, and contains no values.
    expect(Object.values(state['data_wo'] ?? {}).filter((value) => value !== null)).toEqual([]);
    expect(JSON.stringify([plan, state])).not.toContain('"url"');
    expect(planned('secret', hidden, state).planned).toEqual(state);
  });

  test('a write-only value is written again only with another version', () => {
    const record = stored('secret', creationOf('secret', hidden), 1);
    const state = stateAfter('secret', record, planned('secret', hidden, null).planned ?? {}, where);
    const changed =
      configOf('secret', { name: 'database', type: 'dictionary', data: { url: 'y' } }, where)['data'] ?? null;
    const input = { kind: 'secret', prior: state, live: record, ...where } as const;
    expect(patchFor({ ...input, config: { ...hidden, data_wo: changed } })).toBeUndefined();
    const next: ObjectValue = { ...hidden, data_wo: changed, data_wo_version: 2 };
    expect(patchFor({ ...input, config: next })?.patch).toEqual({ data: { url: 'y' } });
  });

  test('a value that the platform does not show is the value that was written', () => {
    const record = stored('secret', creationOf('secret', plain), 1);
    const state = stateAfter('secret', record, planned('secret', plain, null).planned ?? {}, where);
    const { data: _data, ...unrevealed } = record;
    expect(stateOf('secret', unrevealed, { ...where, hint: state })).toEqual(state);
    const input = { kind: 'secret', prior: state, live: unrevealed, ...where } as const;
    expect(patchFor({ ...input, config: plain })).toBeUndefined();
    const config = configOf('secret', { name: 'database', type: 'dictionary', data: { url: 'y' } }, where);
    expect(patchFor({ ...input, config })?.patch).toEqual({ data: { url: 'y' } });
  });
});

describe('a replacement', () => {
  test('is planned for a value that cannot be changed in place', () => {
    const { state } = live('workload', workload());
    const config = configOf('workload', workload({ type: 'stateful' }), where);
    const plan = planResource({ kind: 'workload', config, prior: state, ...where });
    expect(plan.requiresReplace).toEqual([['spec', 'type']]);
    expect(warnings(plan)).toEqual(['The change may cause downtime']);
  });

  test('warns that another name is not a renaming', () => {
    const { state, config } = live('workload', workload());
    const plan = planResource({ kind: 'workload', config: { ...config, name: 'api' }, prior: state, ...where });
    expect(plan.requiresReplace).toEqual([['name']]);
    expect(warnings(plan)).toContain('workload/shop/web is renamed by deleting it and creating another one');
  });

  test('of a volume set with data needs allow_data_loss', () => {
    const manifest = { name: 'data', spec: { initialCapacity: 10, performanceClass: 'general-purpose-ssd' } };
    const { config, live: record, state } = live('volumeset', manifest);
    const full = { ...record, status: { locations: [{ name: 'a', volumes: [{ lifecycle: 'bound' }] }] } };
    const next = configOf('volumeset', { ...manifest, spec: { ...manifest.spec, fileSystemType: 'xfs' } }, where);
    const { requiresReplace: paths } = planResource({ kind: 'volumeset', config: next, prior: state, ...where });
    expect(paths).toEqual([['spec', 'file_system_type']]);
    const lost = (allowedBy: ObjectValue, by: typeof paths, of: JsonObject): readonly string[] =>
      dataLoss({ kind: 'volumeset', prior: state, allowedBy, paths: by, live: of }).map(({ summary }) => summary);
    const refusal = ['The data of volumeset/shop/data would be lost'];
    expect([lost(next, paths, full), lost(state, [], full)]).toEqual([refusal, refusal]);
    expect([
      lost({ ...next, allow_data_loss: true }, paths, full),
      lost(state, [], { ...full, status: { locations: [] } }),
    ]).toEqual([[], []]);
    const prior = state;
    expect(planned('volumeset', config, prior).requiresReplace).toEqual([]);
  });

  test('is planned if the value of such an attribute is unknown', () => {
    const { state, config } = live('workload', workload());
    const spec = config['spec'];
    const open: ObjectValue = { ...config, spec: { ...(isObjectValue(spec) ? spec : {}), type: unknown } };
    expect(planned('workload', open, state).requiresReplace).toEqual([['spec', 'type']]);
  });

  test('is refused for a kind that the platform never deletes, and a deletion only forgets it', () => {
    const { state, config } = live('auditctx', { name: 'web' });
    const deletion = planResource({ kind: 'auditctx', config: null, prior: state, ...where });
    expect([errors(deletion), warnings(deletion)]).toEqual([[], ['auditctx/web is not deleted, only forgotten']]);
    const renamed = planResource({ kind: 'auditctx', config: { ...config, name: 'other' }, prior: state, ...where });
    expect(errors(renamed)).toEqual(['auditctx/web cannot be replaced']);
  });
});

describe('risk', () => {
  const before = live('workload', workload({ defaultOptions: { autoscaling: { minScale: 2, maxScale: 4 } } }));
  const fewer = configOf(
    'workload',
    workload({ defaultOptions: { autoscaling: { minScale: 2, maxScale: 3 } } }),
    where,
  );

  test('is a warning that names the attribute', () => {
    const plan = planResource({ kind: 'workload', config: fewer, prior: before.state, ...where });
    expect(warnings(plan)).toEqual(['The change may cause capacity-down']);
    expect(plan.diagnostics[0]?.detail).toBe('workload/shop/web: spec.default_options.autoscaling.max_scale.');
  });

  test('is refused beyond max_risk of the provider block', () => {
    const input = { kind: 'workload', config: fewer, prior: before.state, ...where } as const;
    expect(errors(planResource({ ...input, maxRisk: 'rolling-restart' }))).toEqual([
      'The risk of the change is capacity-down, greater than rolling-restart',
    ]);
    expect(errors(planResource({ ...input, maxRisk: 'capacity-down' }))).toEqual([]);
    expect(errors(planResource({ ...input, config: before.config, maxRisk: 'none' }))).toEqual([]);
    const deletion = planResource({ ...input, config: null, maxRisk: 'exposure' });
    expect(errors(deletion)).toEqual(['The risk of the change is downtime, greater than exposure']);
    expect(deletion.diagnostics.map(({ detail }) => detail)).toContain(
      'workload/shop/web: the change as a whole. To allow it, set max_risk = "downtime" in the provider block.',
    );
  });

  test('includes a location that is taken from a GVC that others use too', () => {
    const placed = (...names: readonly string[]): JsonObject => ({
      name: 'web',
      spec: { staticPlacement: { locationLinks: names.map((name) => `//location/${name}`) } },
    });
    const gvc = live('gvc', placed('a', 'b'));
    const plan = planResource({ kind: 'gvc', config: configOf('gvc', placed('a'), where), prior: gvc.state, ...where });
    expect(plan.takes).toEqual([{ what: 'location', name: 'b' }]);
  });
});

test('a resource without a GVC is an error at that attribute', () => {
  const config = { ...configOf('workload', workload(), { org: 'acme' }), gvc: null };
  const plan = planResource({ kind: 'workload', config, prior: null, org: 'acme' });
  expect(plan.diagnostics.map(({ summary, path }) => [summary, path])).toEqual([['gvc is missing', ['gvc']]]);
});

test('a concurrent write by others, without a change of ours, does not contradict the plan', () => {
  const { config, state, live: record } = live('volumeset', { name: 'data', spec: { initialCapacity: 10 } });
  const plan = planned('volumeset', { ...config, allow_data_loss: true }, state).planned ?? {};
  const later = { ...record, version: 7, tags: { 'other-tool/x': 'y' } };
  expect(stateAfter('volumeset', later, plan, where)).toEqual(plan);
});
