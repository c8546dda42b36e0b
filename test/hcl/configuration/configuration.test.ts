import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { configurationOf, eachConfiguration, notesOf } from '../../../src/hcl/configuration/configuration.ts';
import type { ConfiguredRecord } from '../../../src/hcl/configuration/linkTexts.ts';
import { nativeSyntax } from '../../../src/hcl/configurationText.ts';
import { customKind, onlyNamed } from '../../../src/schema/record/customKinds.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';
import type { Ref } from '../../../src/schema/record/ref.ts';
import { withKinds } from '../../kinds/withKinds.ts';

const options = { org: 'acme', imports: false, hideSensitive: true } as const;

function record(kind: Kind, name: string, fields: JsonObject = {}, gvc?: string): ConfiguredRecord {
  return { ref: gvc === undefined ? { kind, name } : { kind, name, gvc }, record: fields };
}

function text(records: readonly ConfiguredRecord[], more: Partial<Parameters<typeof configurationOf>[1]> = {}): string {
  return nativeSyntax(configurationOf(records, { ...options, ...more }).blocks);
}

const gvc = record('gvc', 'shop');
const backend = record('identity', 'backend', {}, 'shop');

function workload(name: string, spec: JsonObject, lifecycle: JsonObject = {}): ConfiguredRecord {
  return record('workload', name, { spec, lifecycle }, 'shop');
}

test('live values are written as an import reads them, even if their absence would mean the same', () => {
  const env = [{ name: 'EMPTY', value: '' }];
  const containers = [{ name: 'main', image: 'shop:2', cpu: '50m', env }];
  const { live, ...said } = {
    ...workload('api', { containers: [{ name: 'main', image: 'shop:2', env: [{ name: 'EMPTY' }] }] }),
    live: { name: 'api', spec: { containers } },
  };
  const written = text([{ ...said, live }]);
  expect(written).toMatch(/env += \{\n +EMPTY = ""\n/);
  expect(written).not.toContain('cpu'); // It is planned anyway.
});

test('names of other resources in links and URIs are references; missing ones remain strings', () => {
  const database = record('secret', 'shop-db', { type: 'userpass', data: { username: 'app', password: 'x' } });
  const api = workload('api', {
    identityLink: '//identity/backend',
    containers: [
      {
        name: 'main',
        image: 'shop:2',
        env: [
          { name: 'USER', value: 'scheme://secret/shop-db.username' },
          { name: 'KEY', value: 'scheme://secret/other.key' },
          { name: 'TEXT', value: 'shop-db' },
        ],
        volumes: [{ uri: 'scheme://volumeset/files', path: '/data' }],
      },
    ],
  });
  const files = record('volumeset', 'files', { spec: { initialCapacity: 10 } }, 'shop');
  expect(text([gvc, backend, database, api, files])).toBe(`resource "gantry_gvc" "shop" {
  name = "shop"
}

resource "gantry_identity" "shop_backend" {
  name = "backend"
  gvc  = gantry_gvc.shop.name
}

resource "gantry_secret" "shop_db" {
  name = "shop-db"
  type = "userpass"

  data {
    userpass {
      username = var.secret_shop_db_data_userpass_username
      password = var.secret_shop_db_data_userpass_password
    }
  }
}

variable "secret_shop_db_data_userpass_username" {
  description = "A sensitive value of gantry_secret.shop_db."
  sensitive   = true
}

variable "secret_shop_db_data_userpass_password" {
  description = "A sensitive value of gantry_secret.shop_db."
  sensitive   = true
}

resource "gantry_workload" "shop_api" {
  name = "api"
  gvc  = gantry_gvc.shop.name

  spec {
    identity_link = "//identity/\${gantry_identity.shop_backend.name}"

    containers {
      name  = "main"
      image = "shop:2"
      env = {
        USER = "scheme://secret/\${gantry_secret.shop_db.name}.username"
        KEY  = "scheme://secret/other.key"
        TEXT = "shop-db"
      }

      volumes {
        uri  = "scheme://volumeset/\${gantry_volumeset.shop_files.name}"
        path = "/data"
      }
    }
  }
}

resource "gantry_volumeset" "shop_files" {
  name = "files"
  gvc  = gantry_gvc.shop.name

  spec {
    initial_capacity = 10
  }
}
`);
});

describe('references', () => {
  function admits(name: string, other: string): ConfiguredRecord {
    const inboundAllowWorkload = [`//gvc/shop/workload/${other}`];
    return workload(name, {
      firewallConfig: { internal: { inboundAllowType: 'workload-list', inboundAllowWorkload } },
    });
  }

  test('that would form a cycle remain strings: the first one is a reference', () => {
    const made = text([admits('a', 'b'), admits('b', 'a')]);
    expect(made).toContain(`inbound_allow_workload = ["//gvc/shop/workload/$\{gantry_workload.shop_b.name}"]`);
    expect(made).toContain('inbound_allow_workload = ["//gvc/shop/workload/a"]');
  });

  test('of an IP set and a workload: the IP set depends on the workload, which uses its addresses', () => {
    const set = record('ipset', 'entry', { spec: { link: '//gvc/shop/workload/web' } });
    const loadBalancer = { direct: { enabled: true, ipSet: '//ipset/entry', ports: [] } };
    const web = record('workload', 'web', { spec: { type: 'standard', containers: [], loadBalancer } }, 'shop');
    const made = text([set, web]);
    expect(made).toContain(`ip_set  = "//ipset/$\{gantry_ipset.entry.name}"`);
    expect(made).toContain('link = "//gvc/shop/workload/web"');
  });

  test('to itself remain strings', () => {
    expect(text([admits('a', 'a')])).toContain('["//gvc/shop/workload/a"]');
  });

  test('of a GVC to its children remain strings, also through an IP set', () => {
    const keda = { identityLink: '//gvc/shop/identity/backend' };
    const owner = record('gvc', 'shop', { spec: { keda, loadBalancer: { ipSet: '//ipset/entry' } } });
    const set = record('ipset', 'entry', { spec: { link: '//gvc/shop/workload/web' } });
    const made = text([owner, backend, workload('web', {}), set]);
    expect(made).toContain('identity_link = "//gvc/shop/identity/backend"');
    expect(made).toContain(`ip_set = "//ipset/$\{gantry_ipset.entry.name}"`);
    expect(made).toContain('link = "//gvc/shop/workload/web"');
  });

  test('by name only remain strings, which are ambiguous', () => {
    expect(text([backend, workload('web', { identityLink: 'backend' })])).toContain('identity_link = "backend"');
  });

  test('to another org remain strings', () => {
    const policy = record('policy', 'p', {
      targetKind: 'gvc',
      targetLinks: ['/org/other/gvc/shop', '/org/acme/gvc/shop'],
    });
    expect(text([gvc, policy])).toContain(
      `target_links = ["/org/other/gvc/shop", "/org/acme/gvc/$\{gantry_gvc.shop.name}"]`,
    );
  });
});

test('blocks of a map are labelled, unknown members are JSON, an empty object is an empty block', () => {
  const regions = { 'aws-us-west-2': { keyId: 'k-1' }, 'aws-eu-central-1': { keyId: 'k-2' } };
  const files = record('volumeset', 'files', { spec: { customEncryption: { regions } } }, 'shop');
  expect(text([files])).toContain(`    custom_encryption {
      regions "aws-us-west-2" {
        key_id = "k-1"
      }

      regions "aws-eu-central-1" {
        key_id = "k-2"
      }
    }
`);
  const accessLog = [{ name: 'file', later: { x: [1] } }];
  const logged = text([record('gvc', 'shop', { spec: { sidecar: { proxy: { accessLog } } } })]);
  expect(logged).toMatch(/other_settings = jsonencode\(\{\s+later = \{\s+x = \[1\]/);
  const trustPolicy = { Version: '2012-10-17', Statement: [{ Effect: 'Allow' }] };
  const trusting = text([
    record('identity', 'app', { aws: { cloudAccountLink: '//cloudaccount/a', trustPolicy } }, 'shop'),
  ]);
  expect(trusting).toMatch(/statement += \[\s*jsonencode\(\{\s*Effect = "Allow"/);
  expect(text([record('secret', 's', { type: 'opaque' })])).not.toContain('data');
  expect(text([record('gvc', 'shop', { spec: { staticPlacement: {} } })])).toContain('static_placement {}');
});

test('import blocks precede their resources, with the id [gvc/]name', () => {
  expect(text([gvc, backend], { imports: true })).toBe(`import {
  to = gantry_gvc.shop
  id = "shop"
}

resource "gantry_gvc" "shop" {
  name = "shop"
}

import {
  to = gantry_identity.shop_backend
  id = "shop/backend"
}

resource "gantry_identity" "shop_backend" {
  name = "backend"
  gvc  = gantry_gvc.shop.name
}
`);
});

test('a record that only the platform creates is a data source', () => {
  const user = configurationOf([record('user', 'ann@example.com')], { ...options, imports: true });
  expect(nativeSyntax(user.blocks)).toBe(`data "gantry_user" "ann_example_com" {
  name = "ann@example.com"
}
`);
  expect([user.variables, user.unsupported, user.unknown]).toEqual([[], [], []]);
  expect([...user.addresses.values()]).toEqual(['data.gantry_user.ann_example_com']);
});

test('sensitive values are written with reveal', () => {
  const secret = record('secret', 's', { type: 'opaque', data: { payload: `a$\{b}` } });
  expect(text([secret], { hideSensitive: false })).toBe(`resource "gantry_secret" "s" {
  name = "s"
  type = "opaque"

  data {
    opaque {
      payload = "a$$\{b}"
    }
  }
}
`);
});

describe('lifecycle settings of a manifest', () => {
  test('have their counterparts', () => {
    const lifecycle = {
      protect: true,
      replace: true,
      wait: true,
      waitTimeout: '10m',
      ignore: ['spec.containers.main.image', 'tags.team', 'tags."${a}"', 'description', 'tags.*', 'later'],
      dependsOn: ['identity/shop/backend', 'identity/shop/other'],
    };
    const api = workload('api', { containers: [{ name: 'main', image: 'x' }] }, lifecycle);
    expect(text([backend, api])).toContain(`  protected      = true
  wait_for_ready = true
  depends_on     = [gantry_identity.shop_backend]

  spec {
    containers {
      name  = "main"
      image = "x"
    }
  }

  timeouts {
    create = "10m"
    update = "10m"
  }

  lifecycle {
    ignore_changes = [spec.containers[0].image, tags.team, tags["$$\{a}"], description, tags]
  }
}
`);
  });

  test('on protection override the equivalent tag', () => {
    const tagged = record('gvc', 'a', { tags: { 'scheme/protected': true }, lifecycle: { protect: false } });
    expect(text([tagged]).match(/protected.*/g)).toEqual(['protected = false']);
  });

  test('on data have no effect on a kind without data', () => {
    const files = record('volumeset', 'files', { lifecycle: { replace: true, wait: true } }, 'shop');
    expect(text([files])).toContain('  allow_data_loss = true\n');
    expect(text([workload('w', {}, { replace: true })])).not.toContain('allow_data_loss');
  });

  test('without a counterpart are reported; a part of a resource is omitted', () => {
    const lifecycle = { retain: true, previously: 'old', protect: false, handOver: false };
    const made = configurationOf(
      [record('gvc', 'a', { lifecycle }), record('gvc', 'b', { lifecycle: { part: true } })],
      options,
    );
    expect(notesOf(made)).toEqual([
      'gvc/b is left out: Terraform owns a resource as a whole, not a part of it',
      'gvc/a: lifecycle.retain has no counterpart in Terraform',
      'gvc/a: lifecycle.previously has no counterpart in Terraform',
    ]);
    expect(nativeSyntax(made.blocks)).toBe(`resource "gantry_gvc" "a" {
  name      = "a"
  protected = false
}
`);
    expect([...made.addresses]).toEqual([['gvc/a', 'gantry_gvc.a']]);
  });
});

describe('values marked as sensitive', () => {
  const api = (sensitive: readonly string[]): ConfiguredRecord => {
    const env = [
      { name: 'TOKEN', value: 'hunter2-hunter2' },
      { name: 'A-B', value: 'one' },
      { name: 'A_B', value: 'two' },
      { name: 'A.B', value: 'three' },
    ];
    const args = ['--token=hunter2-hunter2', '--verbose'];
    const extras = { affinity: { far: 'away', near: 'hunter2-hunter2' } };
    return workload('api', { containers: [{ name: 'main', image: 'shop:2', args, env }], extras }, { sensitive });
  };

  test('become variables, also in strings that contain them', () => {
    const made = configurationOf([api(['spec.containers.main.env.TOKEN.value'])], options);
    const written = nativeSyntax(made.blocks);
    expect(written).not.toContain('hunter2');
    const variable = 'workload_shop_api_spec_containers_1_env_TOKEN';
    const repeating = ['workload_shop_api_spec_containers_1_args_1', 'workload_shop_api_spec_extras_affinity'];
    expect(made.variables.toSorted()).toEqual([...repeating, variable].toSorted());
    expect(written).toMatch(new RegExp(`TOKEN += var\\.${variable}\n`));
    expect(written).toContain(
      `variable "${variable}" {\n  description = "A sensitive value of gantry_workload.shop_api."\n  sensitive   = true\n}`,
    );
    expect(written).toMatch(/A-B +=\s"one"/);
  });

  test.each([
    ['their parent', ['spec.containers']],
    ['every item', ['spec.containers.*.env.*.value', 'spec.containers.*.args']],
  ])('are hidden by a mark on %s, each with its own variable', (_, marks) => {
    const { blocks, variables } = configurationOf([api(marks)], options);
    expect(nativeSyntax(blocks)).not.toMatch(/hunter2|"one"|"two"|"three"|verbose/);
    expect(new Set(variables).size).toBe(variables.length);
    expect(variables.length).toBeGreaterThan(3);
  });

  test('have numbered variables where their keys have the same label', () => {
    const { variables } = configurationOf([api(['spec.containers.*.env.*.value'])], options);
    const ofKeys = variables.filter((name) => name.includes('A_B'));
    expect(ofKeys).toEqual(['', '_2', '_3'].map((end) => `workload_shop_api_spec_containers_1_env_A_B${end}`));
  });

  test('in JSON hide all of it', () => {
    const trustPolicy = { Version: '2012', Statement: [{ Effect: 'hunter2-hunter2' }] };
    const aws = { cloudAccountLink: '//cloudaccount/a', trustPolicy };
    const identity = record(
      'identity',
      'app',
      { aws, lifecycle: { sensitive: ['aws.trustPolicy.Statement'] } },
      'shop',
    );
    const { blocks, variables } = configurationOf([identity], options);
    expect([nativeSyntax(blocks).includes('hunter2'), variables.length]).toEqual([false, 1]);
  });

  test('are written with reveal', () => {
    const given = api(['spec.containers.main.env.TOKEN.value']);
    const { blocks, variables } = configurationOf([given], { ...options, hideSensitive: false });
    expect(variables).toEqual([]);
    expect(nativeSyntax(blocks)).toMatch(/TOKEN += "hunter2-hunter2"/);
  });
});

test('labels in one file are unique, also for one record at a time', () => {
  const domains = ['a.b.example.com', 'a-b.example.com', 'a-b-example.com'].map((name) => record('domain', name));
  const one = eachConfiguration(options);
  const labels = ['a_b_example_com', 'a_b_example_com_2', 'a_b_example_com_3'];
  expect(domains.flatMap(one).map((block) => block.labels?.[1])).toEqual(labels);
  expect([...configurationOf(domains, options).addresses.values()]).toEqual(
    labels.map((name) => `gantry_domain.${name}`),
  );
});

test('without records there are no blocks', () => {
  expect(configurationOf([], options)).toEqual({
    blocks: [],
    addresses: new Map(),
    variables: [],
    unsupported: [],
    unknown: [],
    unresolved: [],
    unsupportedOutputs: [],
  });
});

test('unknown fields are omitted, with a note', () => {
  const gvc = {
    ref: { kind: 'gvc', name: 'shop' },
    record: { spec: { staticPlacement: {}, later: { x: 1 } } },
  } as const;
  const group = { ref: { kind: 'group', name: 'ops' }, record: {}, unknown: ['memberQuery."od\nd"'] } as const;
  const made = configurationOf([gvc, group], options);
  expect(made.unknown).toEqual([
    { id: 'gvc/shop', paths: ['spec.later'] },
    { id: 'group/ops', paths: ['memberQuery."od\nd"'] },
  ]);
  expect(notesOf(made)[0]).toBe('gvc/shop: not known to the provider, and left out: spec.later');
  const written = nativeSyntax(made.blocks);
  expect(written).not.toContain('later =');
  expect(written).toContain(
    '# Not known to this provider, and left as it is on the platform: "spec.later"\nresource "gantry_gvc" "shop" {',
  );
  expect(written).toContain('"memberQuery.\\"od\\nd\\""');
});

withKinds({ widget: onlyNamed });
test('a custom kind is omitted, with a note', () => {
  const ref: Ref = { kind: customKind('widget') ?? 'gvc', name: 'one' };
  const widget = { ref, record: {} };
  const made = configurationOf([widget], options);
  expect(made.blocks).toEqual([]);
  expect(notesOf(made)).toEqual(['widget/one is left out: the provider has no kinds of your own']);
  expect(eachConfiguration(options)(widget)).toEqual([]);
});
