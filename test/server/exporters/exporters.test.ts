import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/schema/json/json.ts';
import { customResource } from '../../../src/server/rules/exporters/customResource.ts';
import type { Exported } from '../../../src/server/rules/exporters/exported.ts';
import { hclLabel, hclName, quoted } from '../../../src/server/rules/exporters/hcl.ts';
import { terraform } from '../../../src/server/rules/exporters/terraform.ts';

describe('HCL strings mean exactly the text', () => {
  test.each([
    ['plain', '"plain"'],
    ['', '""'],
    ['say "hi"', '"say \\"hi\\""'],
    ['a\\b', '"a\\\\b"'],
    ['two\nlines\r\n\t', '"two\\nlines\\r\\n\\t"'],
    [`\${var.x}`, `"$\${var.x}"`],
    ['%{ if true }', '"%%{ if true }"'],
    ['$$' + '{x', '"$$$' + '{x"'],
    ['100 % $5 {a}', '"100 % $5 {a}"'],
    ['\u0000\u001b\u2028', '"\\u0000\\u001b\\u2028"'],
    ['naïve 日本 😀', '"naïve 日本 😀"'],
    ['\ud800', '"\\ud800"'],
  ])('%j', (text, hcl) => {
    expect(quoted(text)).toBe(hcl);
  });
});

test.each([
  ['httpGet', 'http_get'],
  ['containers', 'containers'],
  ['FQDN', 'fqdn'],
  ['IPs', 'ips'],
  ['resolverIP', 'resolver_ip'],
  ['status5xx', 'status5xx'],
  ['inheritEnv', 'inherit_env'],
  ['@type', '_type'],
  ['5x', '_5x'],
])('the field %s has the HCL name %s', (field, name) => {
  expect(hclName(field)).toBe(name);
});

test.each([
  ['web', 'web'],
  ['www.example.com', 'www_example_com'],
  ['ann+x@example.com', 'ann_x_example_com'],
  ['1st', '_1st'],
])('the record %s has the label %s', (name, label) => {
  expect(hclLabel(name)).toBe(label);
});

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

const gvcText = `resource "scheme_gvc" "shop" {
  name        = "shop"
  description = "The \\"shop\\" $\${x}"
  tags        = {
    "team" = "a"
    "a/b.c" = true
    "n" = null
  }

  spec {
    static_placement {
      location_links = ["/org/acme/location/aws-us-east-1", "/org/acme/location/gcp-us-east1"]
    }

    env {
      name  = "A"
      value = "1"
    }

    env {
      name  = "B"
      value = "x\\ny"
    }

    load_balancer {
      dedicated       = true
      trusted_proxies = 1
    }
  }
}
`;

describe('terraform (platform/wire.discovery, platform/clients.output)', () => {
  test('objects are blocks, lists of objects repeat theirs, maps stay maps; what the platform adds is left out', () => {
    expect(terraform([gvc])).toBe(gvcText);
  });

  test('the data of a secret is a variable without a value, whatever the record holds', () => {
    const secret = exported('secret', { name: 'key', type: 'opaque', data: { payload: 'hunter2' } });
    expect(terraform([secret])).toBe(`resource "scheme_secret" "key" {
  name = "key"
  type = "opaque"
  data = var.secret_key_data
}

variable "secret_key_data" {
  sensitive = true
}
`);
  });

  test('a record of a GVC says its GVC, and has it in its label', () => {
    const text = terraform([exported('identity', { name: 'main' }, 'shop')]);
    expect(text).toBe(`resource "scheme_identity" "shop_main" {
  name = "main"
  gvc  = "shop"
}
`);
  });

  test('labels of one file differ', () => {
    const records = ['a.b.example.com', 'a_b.example.com'].map((name) => exported('domain', { name }));
    const labels = [...terraform(records).matchAll(/^resource "scheme_domain" "(.*)"/gm)].map(([, label]) => label);
    expect(labels).toEqual(['a_b_example_com', 'a_b_example_com_2']);
  });

  test('free-form JSON is encoded', () => {
    const workload = exported('workload', { name: 'w', spec: { extras: { a: ['x', { b: `\${c}` }] } } }, 'shop');
    expect(terraform([workload])).toContain(`extras = jsonencode({
      "a" = [
        "x",
        {
          "b" = "$\${c}"
        },
      ]
    })`);
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
