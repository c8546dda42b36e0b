import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { disproveAdoption } from '../../../src/change/adopt.ts';
import { manifestYaml, typescriptStack } from '../../../src/gantry/adoptionFiles.ts';
import { normalise } from '../../../src/kinds/normalise.ts';
import { secretTypes } from '../../../src/kinds/secret/fields.ts';
import { loadValidators } from '../../../src/kinds/validators.ts';
import { checkManifests } from '../../../src/manifest/checkManifests.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { creatableKinds, isCreatableKind, isGvcScoped } from '../../../src/schema/record/kinds.ts';
import { contextOf } from '../../../src/schema/record/ref.ts';
import { Dice } from '../../fuzz/dice.ts';
import { validRecord } from '../../fuzz/records.ts';
import { cases } from '../../kinds/rules/tables.ts';
import { changeOf, codes, declare, foreign, live, org, partTag, plan, snapshot } from '../world.ts';
import { adopt, asYaml, contentOf, objections } from './adoption.ts';

/** As the platform stores it: in normal form, with the values that it adds. */
function stored(id: string, record: JsonObject): LiveResource {
  const { ref } = foreign(id);
  const held = normalise(ref.kind, { name: ref.name, ...record }, contextOf(ref, org));
  const links = [{ rel: 'self', href: `/org/${org}/${id}` }];
  return foreign(id, {
    created: '2026-01-01T00:00:00Z',
    lastModified: '2026-01-01T00:00:00Z',
    links,
    status: {},
    ...held,
  });
}

function one(id: string, record: JsonObject): JsonObject {
  const [adopted] = adopt([stored(id, record)]);
  return adopted?.manifest ?? {};
}

describe('the manifest of a live record', () => {
  test('omits defaults and the values that the platform writes', () => {
    const record = {
      spec: {
        type: 'serverless',
        containers: [{ name: 'main', image: 'nginx:1', cpu: '50m', memory: '128Mi', ports: [{ number: 80 }] }],
        defaultOptions: {
          autoscaling: { metric: 'concurrency', target: 95, maxScale: 5 },
          suspend: false,
          spot: false,
        },
        firewallConfig: { external: { inboundAllowCIDR: [] } },
      },
    };
    expect(one('workload/g/web', record)).toEqual({
      kind: 'workload',
      name: 'web',
      gvc: 'g',
      spec: {
        type: 'serverless',
        containers: [{ name: 'main', image: 'nginx:1', ports: [{ number: 80 }] }],
        defaultOptions: { autoscaling: { maxScale: 5 } },
      },
    });
  });

  test('writes short links within its GVC and its org, and full links to others', () => {
    const policy = {
      targetKind: 'secret',
      targetLinks: ['//secret/a', '/org/elsewhere/secret/b'],
      bindings: [{ permissions: ['reveal'], principalLinks: ['//gvc/g/identity/app'] }],
    };
    expect(contentOf(one('policy/p', policy))).toEqual(policy);
    const workload = {
      spec: { type: 'standard', identityLink: '//identity/app', containers: [{ name: 'm', image: 'a' }] },
    };
    expect(contentOf(one('workload/g/web', workload))).toEqual(workload);
  });

  test('omits items in parts of other stacks, which continue to change them', async () => {
    const items = [
      ['spec', 'env', 'THEIRS'],
      ['tags', 'theirs'],
    ];
    const tag = partTag('bank', { kind: 'gvc', name: 'prod' }, items);
    const env = (...names: readonly string[]) => names.map((name) => ({ name, value: 'x' }));
    const record = { tags: { cost: 'a', theirs: 'b', ...tag }, spec: { env: env('OURS', 'THEIRS') } };
    const held = stored('gvc/prod', record);
    const adopted = adopt([held]);
    expect(adopted.map(({ manifest }) => contentOf(manifest))).toEqual([
      { tags: { cost: 'a' }, spec: { env: env('OURS') } },
    ]);
    expect(objections(await asYaml(adopted), [held])).toEqual([]);
  });

  test('of a default domain contains only its name', () => {
    expect(one('domain/shop.example.com', {})).toEqual({ kind: 'domain', name: 'shop.example.com' });
  });

  test('has keys in the order of the schema, and tags in their order', () => {
    const tags = {
      team: 'a',
      owner: 'b',
      'scheme/deployTimestamp': 'x',
      'scheme/protected': 'true',
      'gantry/stack': 'y',
    };
    const manifest = one('gvc/g', {
      spec: { env: [{ name: 'A', value: '1' }], pullSecretLinks: ['//secret/r'] },
      tags,
    });
    expect(Object.keys(manifest)).toEqual(['kind', 'name', 'tags', 'lifecycle', 'spec']);
    expect(Object.keys(manifest['spec'] ?? {})).toEqual(['pullSecretLinks', 'env']);
    expect(Object.entries(manifest['tags'] ?? {})).toEqual([
      ['owner', 'b'],
      ['team', 'a'],
    ]);
    expect(manifest['lifecycle']).toEqual({ protect: true });
  });

  test('contains no secret value, but a placeholder and lifecycle.ignore', async () => {
    const [adopted] = adopt([
      stored('secret/key', { type: 'dictionary', data: { user: 'c4nary-user', pass: 'c4nary-pass' } }),
      stored('workload/g/web', {
        spec: {
          type: 'cron',
          containers: [{ name: 'm', image: 'a', env: [{ name: 'U', value: 'scheme://secret/key.user' }] }],
        },
      }),
    ]);
    if (adopted === undefined) throw new Error('nothing was adopted');
    const text = await manifestYaml(adopted);
    expect(text).not.toContain('c4nary');
    expect(text).toBe(`kind: secret
name: key
lifecycle:
  ignore:
    - data
type: dictionary
# a placeholder: the value on the platform stays (lifecycle.ignore); fill it in only to create the resource again
data:
  user: SET-BEFORE-CREATING
`);
  });

  test('lists an unknown field, which is kept', () => {
    const [adopted] = adopt([stored('gvc/shop', { spec: { futureField: 1 } })]);
    expect(adopted?.unknown).toEqual(['spec.futureField']);
    expect(adopted?.manifest).toEqual({ kind: 'gvc', name: 'shop' });
  });

  test('lists a tag that no patch can write, which is kept (platform/patch.merge)', () => {
    const [adopted] = adopt([stored('group/team', { tags: { $drop: 'x', team: 'a' } })]);
    expect(adopted?.unknown).toEqual(['tags.$drop']);
    expect(adopted?.manifest).toEqual({ kind: 'group', name: 'team', tags: { team: 'a' } });
  });
});

describe('the proof', () => {
  test('names the fields that would change, refusals and missing records', async () => {
    const held = stored('group/team', {});
    const documents = await asYaml(adopt([held]));
    const [first] = documents;
    if (first === undefined) throw new Error('nothing was written');
    const other = { ...first, value: { kind: 'group', name: 'team', description: 'another' } };
    expect(objections([other], [held])).toEqual(['group/team: description would change']);
    expect(objections([], [held])).toEqual(['group/team: it is missing from the written manifests']);
    expect(disproveAdoption(plan([], [live('group/team')], { scope: 'partial' }), ['group/team'])).toEqual([
      { id: 'group/team', because: ['it would be kept, not adopted'] },
    ]);
  });
});

test('a placeholder never overwrites an unreadable secret', async () => {
  const held = foreign('secret/key', { type: 'opaque' });
  const [document] = await asYaml(adopt([held]));
  if (document === undefined) throw new Error('nothing was written');
  const { resources } = checkManifests([document], { org, validators: await loadValidators(['secret']) });
  const unread = snapshot([held], { unrevealed: new Set([held.id]) });
  const made = plan(resources, unread, { adopt: true, writeUnknownSecrets: true });
  expect(disproveAdoption(made, [held.id])).toEqual([]);
});

/** Records of rules that are whole manifests. */
async function validCases(): Promise<readonly { readonly it: string; readonly held: LiveResource }[]> {
  const validators = await loadValidators(creatableKinds);
  return cases.flatMap(({ kind, it, rule, passes }) => {
    if (!isCreatableKind(kind)) return [];
    const name = kind === 'domain' ? 'shop.example.com' : 'one';
    const id = isGvcScoped(kind) ? `${kind}/shop/${name}` : `${kind}/${name}`;
    const record = { name, ...passes };
    const [gvc] = isGvcScoped(kind) ? [{ gvc: 'shop' }] : [{}];
    const value = { ...record, kind, name, ...gvc };
    const document = { value, locate: () => ({ file: 'case', line: 1, column: 1 }) };
    const { problems } = checkManifests([document], { org, validators });
    if (problems.some(({ severity }) => severity === 'error')) return [];
    return [{ it: `${rule} ${it}`, held: stored(id, { ...record, name }) }];
  });
}

describe('law: an adopted record is planned to change only in our two tags', () => {
  test('for a valid record of every rule', async () => {
    const valid = await validCases();
    expect(valid.length).toBeGreaterThan(100);
    for (const { it, held } of valid) {
      expect({ it, objections: objections(await asYaml(adopt([held])), [held]) }).toEqual({ it, objections: [] });
    }
  });

  test('for generated records of every kind', async () => {
    const ground = { gvc: 'g', secret: 'key', identity: 'app', volumeSet: 'rows' };
    for (const [index, kind] of Array.from({ length: 6 }, () => creatableKinds)
      .flat()
      .entries()) {
      const name = kind === 'domain' ? `d${index}.example.com` : `${kind}-${index}`;
      const id = isGvcScoped(kind) ? `${kind}/g/${name}` : `${kind}/${name}`;
      const held = stored(id, validRecord(kind, name, new Dice(`adopt ${index}`), ground));
      expect(objections(await asYaml(adopt([held])), [held])).toEqual([]);
    }
  });

  test('for a secret of every type, without its values', async () => {
    for (const type of secretTypes) {
      const held = foreign(`secret/${type}`, { type });
      expect(objections(await asYaml(adopt([held])), [held])).toEqual([]);
    }
  });
});

test('TypeScript: one construct for each record, a GVC first, unused ids, and quoted text', () => {
  const adopted = adopt([
    stored('gvc/shop', { spec: { staticPlacement: { locationLinks: ['//location/aws-us-east-1'] } } }),
    stored('identity/shop/api', { description: "it's" }),
    stored('secret/shop', { type: 'opaque', data: { payload: 'c4nary' } }),
    stored('workload/shop/api', {
      spec: { type: 'standard', identityLink: '//identity/api', containers: [{ name: 'main', image: 'nginx:1' }] },
    }),
    stored('workload/other/api', { spec: { type: 'standard', containers: [{ name: 'main', image: 'nginx:1' }] } }),
  ]);
  expect(typescriptStack(adopted, 'legacy')).toBe(`import { App, Stack, Gvc, Identity, Secret, Workload } from 'gantry';

const app = new App();
const stack = new Stack(app, 'legacy');

const shop = new Gvc(stack, 'shop', {
  staticPlacement: {
    locationLinks: ['//location/aws-us-east-1'],
  },
});

new Identity(shop, 'api', {
  description: 'it\\'s',
});

new Secret(stack, 'secret-shop', {
  name: 'shop',
  lifecycle: {
    ignore: ['data'],
  },
  type: 'opaque',
  // a placeholder: the value on the platform stays (lifecycle.ignore); fill it in only to create the resource again
  data: {
    payload: 'SET-BEFORE-CREATING',
  },
});

new Workload(shop, 'workload-api', {
  name: 'api',
  type: 'standard',
  identity: '//identity/api',
  containers: [
    {
      name: 'main',
      image: 'nginx:1',
    },
  ],
});

new Workload(stack, 'api', {
  gvc: 'other',
  type: 'standard',
  containers: [
    {
      name: 'main',
      image: 'nginx:1',
    },
  ],
});

export default app;
`);
});

test.each(secretTypes)('the placeholder of a secret of type %s is never written as its value', (type) => {
  const [adopted] = adopt([foreign('secret/key', { type })]);
  const data = adopted?.manifest['data'] ?? {};
  const declared = declare('secret/key', { type, data });
  expect(codes(plan([declared], []))).toEqual(['adopt.placeholder']);
  const held = live('secret/key', { type, data: 'the value' });
  expect(codes(plan([declared], [held]))).toEqual(['adopt.placeholder']);
  expect(codes(plan([declare('secret/key', { type, data }, { ignore: ['data'] })], [held]))).toEqual([]);
});

test('a placeholder never replaces a whole value either', () => {
  const data = adopt([foreign('secret/key', { type: 'dictionary' })])[0]?.manifest['data'] ?? {};
  const values = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`KEY_${index}`, 'the value']));
  const made = plan(
    [declare('secret/key', { type: 'dictionary', data })],
    [live('secret/key', { type: 'dictionary', data: values })],
  );
  expect(Object.keys(changeOf(made, 'secret/key').patch?.expose() ?? {})).toContain('$replace/data');
  expect(codes(made)).toEqual(['adopt.placeholder']);
});
