import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { manifestsOfState } from '../../../src/gantry/terraform/manifestsOfState.ts';
import type { AttributePath } from '../../../src/hcl/diagnostic.ts';

const options = {
  hash: (text: string) => createHash('sha256').update(text).digest('hex'),
  org: 'local',
  reveal: false,
};

type More = Partial<typeof options & { from: string; sensitive: readonly AttributePath[] }>;

function manifests(type: string, values: JsonObject, { sensitive = [], ...more }: More = {}) {
  return manifestsOfState([{ address: `${type}.x`, type, values, sensitive }], { ...options, ...more });
}

test('the fields that must be declared, under their own names', () => {
  const values = {
    id: 'u-1',
    version: 3,
    link: '/org/acme/gvc/shop/workload/web',
    name: 'web',
    gvc: 'shop',
    description: 'web',
    tags: { team: 'a', 'gantry/stack': 'theirs' },
    protected: true,
    timeouts: { create: '5m', update: null, delete: null },
    spec: {
      type: 'standard',
      identity_link: '/org/acme/gvc/shop/identity/backend',
      containers: [
        { name: 'main', image: 'shop:2', cpu: '250m', http_get: null, ports: [{ number: 80, protocol: 'http' }] },
      ],
      default_options: null,
    },
  };
  expect(manifests('gantry_workload', values).manifests).toEqual([
    {
      id: 'workload/shop/web',
      manifest: {
        kind: 'workload',
        name: 'web',
        gvc: 'shop',
        tags: { team: 'a' },
        lifecycle: { protect: true },
        spec: {
          type: 'standard',
          identityLink: '//identity/backend',
          containers: [{ name: 'main', image: 'shop:2', cpu: '250m', ports: [{ number: 80 }] }],
        },
      },
      placeholders: [],
      unknown: [],
    },
  ]);
});

test('the tags of the provider block are declared with those of the resource', () => {
  const values = { name: 'shop', tags: { own: 'x' }, tags_all: { own: 'x', team: 'a' } };
  expect(manifests('gantry_gvc', values).manifests[0]?.manifest).toMatchObject({ tags: { own: 'x', team: 'a' } });
});

test('resources are adopted from the owner in the tags of Terraform', () => {
  const [made] = manifests('gantry_gvc', { name: 'shop', protected: true }, { from: 'terraform.x' }).manifests;
  expect(made?.manifest).toEqual({
    kind: 'gvc',
    name: 'shop',
    lifecycle: { protect: true, adopt: { from: 'terraform.x' } },
  });
});

test('settings for the provider are declared in the manifest', () => {
  const timeouts = { create: '5m', update: '9m', delete: null };
  const workload = { name: 'web', gvc: 'shop', spec: { type: 'standard', containers: [] }, timeouts };
  const lifecycle = (values: JsonObject): unknown =>
    manifests('gantry_workload', values).manifests[0]?.manifest['lifecycle'];
  expect(lifecycle({ ...workload, wait_for_ready: true })).toEqual({ wait: true, waitTimeout: '5m' });
  expect(lifecycle({ ...workload, wait_for_ready: true, timeouts: null })).toEqual({ wait: true });
  expect(lifecycle({ ...workload, wait_for_ready: false })).toBeUndefined();
  const [data] = manifests('gantry_volumeset', { name: 'data', gvc: 'shop', allow_data_loss: true }).manifests;
  expect(data?.manifest['lifecycle']).toEqual({ replace: true });
});

describe('secret values', () => {
  const secret = { name: 's', type: 'opaque', data: { opaque: { payload: 'hunter2', encoding: null }, tls: null } };

  test('are placeholders that are never applied over a value', () => {
    const [made] = manifests('gantry_secret', secret).manifests;
    expect(JSON.stringify(made)).not.toContain('hunter2');
    expect(made).toMatchObject({ placeholders: ['data'], manifest: { lifecycle: { ignore: ['data'] } } });
  });

  test('are written with reveal', () => {
    expect(manifests('gantry_secret', secret, { reveal: true }).manifests).toEqual([
      {
        id: 'secret/s',
        manifest: { kind: 'secret', name: 's', type: 'opaque', data: { payload: 'hunter2' } },
        placeholders: [],
        unknown: [],
      },
    ]);
  });

  test('that are not in the state are placeholders anyway', () => {
    const [made] = manifests('gantry_secret', { name: 's', type: 'opaque', data: null }, { reveal: true }).manifests;
    expect(made?.placeholders).toEqual(['data']);
  });
});

test.each([
  ['aws_instance', { name: 'x' }, 'aws_instance is not a resource of this provider'],
  ['gantry_nothing', { name: 'x' }, 'gantry_nothing is not a resource of this provider'],
  ['gantry_gvc', {}, 'it has no name'],
])('%s is omitted, with a note', (type, values, because) => {
  expect(manifests(type, values)).toEqual({ manifests: [], addresses: [], left: [{ id: `${type}.x`, because }] });
});

describe('a value that Terraform marks as sensitive', () => {
  const values = {
    name: 'web',
    gvc: 'shop',
    spec: { type: 'standard', containers: [{ name: 'a', image: 'i', env: { TOKEN: 'hush' } }] },
  };
  const path = ['spec', 'containers', 0, 'env', 'TOKEN'];

  test('is not written in plain text, except with reveal', () => {
    const hidden = manifests('gantry_workload', values, { sensitive: [path] });
    expect(hidden.manifests).toEqual([]);
    expect(hidden.left).toEqual([
      {
        id: 'gantry_workload.x',
        because:
          'spec.containers[0].env.TOKEN is sensitive in the state, and a manifest would have it in clear: ' +
          '--reveal writes it',
      },
    ]);
    const shown = manifests('gantry_workload', values, { sensitive: [path], reveal: true });
    expect(JSON.stringify(shown.manifests)).toContain('hush');
  });

  test('has no effect if a manifest does not contain it: no value, a placeholder, a read-only field', () => {
    const none = [['spec', 'default_options'], ['status'], ['spec', 'containers', 3]];
    expect(manifests('gantry_workload', { ...values, status: '{}' }, { sensitive: none }).left).toEqual([]);
    const secret = { name: 'db', type: 'opaque', data: { opaque: { payload: 'hush' } } };
    const made = manifests('gantry_secret', secret, { sensitive: [['data']] });
    expect(made.left).toEqual([]);
    expect(JSON.stringify(made.manifests)).not.toContain('hush');
  });
});
