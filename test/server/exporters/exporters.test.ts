import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Exported } from '../../../src/server/api/exporterRoutes.ts';
import { customResource, terraformOf } from '../../../src/server/api/exporterRoutes.ts';

function exported(kind: Exported['kind'], record: JsonObject & { readonly name: string }, gvc?: string): Exported {
  return { kind, name: record.name, org: 'acme', record, ...(gvc === undefined ? {} : { gvc }) };
}

const gvc = exported('gvc', {
  name: 'shop',
  description: `The "shop" \${x}`,
  tags: { team: 'a', 'a/b.c': true, n: null },
  spec: {
    staticPlacement: { locationLinks: ['/org/acme/location/aws-us-east-1', '/org/acme/location/gcp-us-east1'] },
    env: [
      { name: 'A', value: '1' },
      { name: 'B', value: 'x\ny' },
    ],
    loadBalancer: { dedicated: true, trustedProxies: 1 },
  },
  alias: 'server-made',
});

const gvcText = `import {
  to = gantry_gvc.shop
  id = "shop"
}

resource "gantry_gvc" "shop" {
  name        = "shop"
  description = "The \\"shop\\" $\${x}"
  tags = {
    "a/b.c" = "true"
    team    = "a"
  }

  spec {
    env = {
      A = "1"
      B = "x\\ny"
    }

    static_placement {
      location_links = ["//location/aws-us-east-1", "//location/gcp-us-east1"]
    }

    load_balancer {
      dedicated       = true
      trusted_proxies = 1
    }
  }
}
`;

function terraform(records: readonly Exported[]): string {
  const textOf = terraformOf('acme');
  return records.map(textOf).join('\n');
}

describe('terraform (platform/wire.exporters, platform/clients.output)', () => {
  test('a resource of the provider with its import block; what the platform adds is left out', () => {
    expect(terraform([gvc])).toBe(gvcText);
  });

  test('the data of a secret is left out, whatever the record holds: it stays as it is', () => {
    const secret = exported('secret', { name: 'key', type: 'opaque', data: { payload: 'hunter2' } });
    expect(terraform([secret])).toBe(`import {
  to = gantry_secret.key
  id = "key"
}

resource "gantry_secret" "key" {
  name = "key"
  type = "opaque"
}
`);
  });

  test('a record of a GVC says its GVC, and has it in its label', () => {
    const text = terraform([exported('identity', { name: 'main' }, 'shop')]);
    expect(text).toBe(`import {
  to = gantry_identity.shop_main
  id = "shop/main"
}

resource "gantry_identity" "shop_main" {
  name = "main"
  gvc  = "shop"
}
`);
  });

  test('what only the platform creates is a data source', () => {
    expect(terraform([exported('user', { name: 'ann@example.com' })])).toBe(`data "gantry_user" "ann_example_com" {
  name = "ann@example.com"
}
`);
  });

  test('labels of one file differ', () => {
    const records = ['a.b.example.com', 'a_b.example.com'].map((name) => exported('domain', { name }));
    const labels = [...terraform(records).matchAll(/^resource "gantry_domain" "(.*)"/gm)].map(([, label]) => label);
    expect(labels).toEqual(['a_b_example_com', 'a_b_example_com_2']);
  });

  test('free-form JSON is encoded, and so are members that the schema does not declare', () => {
    const clusters = [{ name: 'c', health_checks: ['x', { b: `\${c}` }], of_ours: { d: 1 } }];
    const made = exported('gvc', { name: 'shop', spec: { sidecar: { proxy: { clusters } } } });
    expect(terraform([made])).toContain(`        clusters {
          name = "c"
          health_checks = jsonencode([
            "x",
            {
              b = "$\${c}"
            },
          ])
          other_settings = jsonencode({
            of_ours = {
              d = 1
            }
          })
        }
`);
  });

  test('nothing is nothing', () => {
    expect(terraform([])).toBe('');
  });
});

describe('custom resources (platform/wire.discovery, platform/clients.output)', () => {
  test('one object with apiVersion, kind, metadata and spec', () => {
    expect(customResource(gvc)).toEqual({
      apiVersion: 'scheme/v1',
      kind: 'gvc',
      metadata: { name: 'shop' },
      org: 'acme',
      description: `The "shop" \${x}`,
      tags: { team: 'a', 'a/b.c': true, n: null },
      spec: gvc.record['spec'],
    });
  });

  test('fields at the top level of a record are the spec; secret data is left out', () => {
    const secret = exported('secret', { name: 'key', tags: {}, type: 'opaque', data: { payload: 'hunter2' } });
    expect(customResource(secret)).toEqual({
      apiVersion: 'scheme/v1',
      kind: 'secret',
      metadata: { name: 'key' },
      org: 'acme',
      tags: {},
      spec: { type: 'opaque' },
    });
  });

  test('a GVC-scoped record says its GVC', () => {
    const made = customResource(exported('volumeset', { name: 'disk', spec: { initialCapacity: 10 } }, 'shop'));
    expect(made).toEqual({
      apiVersion: 'scheme/v1',
      kind: 'volumeset',
      metadata: { name: 'disk' },
      org: 'acme',
      gvc: 'shop',
      spec: { initialCapacity: 10 },
    });
  });
});
