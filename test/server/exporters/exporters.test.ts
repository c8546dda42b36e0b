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

describe('the terraform exporter (platform/wire.exporters, platform/clients.output)', () => {
  test('writes a resource of the provider with its import block, without the fields that the platform adds', () => {
    expect(terraform([gvc])).toBe(gvcText);
  });

  test('omits the data of a secret, so that an apply does not change it', () => {
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

  test('writes the GVC of a record as a field and in its label', () => {
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

  test('writes a record that only the platform creates as a data source', () => {
    expect(terraform([exported('user', { name: 'ann@example.com' })])).toBe(`data "gantry_user" "ann_example_com" {
  name = "ann@example.com"
}
`);
  });

  test('writes different labels within one file', () => {
    const records = ['a.b.example.com', 'a_b.example.com'].map((name) => exported('domain', { name }));
    const labels = [...terraform(records).matchAll(/^resource "gantry_domain" "(.*)"/gm)].map(([, label]) => label);
    expect(labels).toEqual(['a_b_example_com', 'a_b_example_com_2']);
  });

  test('encodes free-form JSON, and members that the schema does not declare', () => {
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

  test('writes nothing for no records', () => {
    expect(terraform([])).toBe('');
  });
});

describe('the exporter of custom resources (platform/wire.discovery, platform/clients.output)', () => {
  test('writes one object with apiVersion, kind, metadata and spec', () => {
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

  test('writes top-level fields of a record as the spec, without the data of a secret', () => {
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

  test('writes the GVC of a record', () => {
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
