import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { At } from '../../../src/base/form/read.ts';
import type { JsonValue } from '../../../src/base/json/json.ts';
import { type ConfigurationFile, type Migration, migrate } from '../../../src/hcl/migration/migrate.ts';
import { namesOf, namesReader } from '../../../src/hcl/migration/names.ts';
import type { Syntax } from '../../../src/hcl/migration/syntax.ts';
import { readDataFile } from '../../../src/project/files/dataFile.ts';
import { blocksOf } from '../../documents/codeBlocks.ts';
import { parserOrReason } from './parser.ts';

const parse = await parserOrReason();
if (typeof parse === 'string') console.warn(`skipped: ${parse}`);

const table = {
  prefix: 'acme',
  provider: { api_url: 'endpoint', debug: null },
  resources: {
    acme_space: { type: 'gantry_gvc', attributes: { labels: 'tags', variable: 'spec.env' } },
    acme_app: {
      type: 'gantry_workload',
      attributes: {
        space: 'gvc',
        options: 'spec.default_options',
        'options.legacy': null,
        'container.variable': { to: 'spec.containers.env', key: 'key', value: 'content' },
        'container.listeners': 'spec.containers.ports',
      },
    },
  },
};

const names = (given: JsonValue = table) => namesReader.read(given, new At());

function migrated(files: readonly ConfigurationFile[], by = names()): Migration {
  if (typeof parse === 'string') throw new Error(parse);
  const result = migrate(files, by, { parse, version: '1.2.0' });
  if ('wrong' in result) throw new Error(JSON.stringify(result.wrong));
  return result;
}

/** One file, without the content of others. */
function one(text: string, by = names()): { readonly text: string; readonly undone: readonly string[] } {
  const { files, undone } = migrated([{ path: 'main.tf', text }], by);
  return {
    text: files.find(({ path }) => path === 'main.tf')?.after ?? text,
    undone: undone.map(({ line, what }) => `${line}: ${what}`),
  };
}

const space = (body: string) => `resource "acme_space" "a" {\n  name = "a"\n${body}}\n`;
const gvc = (body: string) => `resource "gantry_gvc" "a" {\n  name = "a"\n${body}}\n`;

describe.skipIf(typeof parse === 'string')('a configuration of another provider', () => {
  // biome-ignore format: a row is a case
  test.each([
    { it: 'keeps comments, empty lines and the order',
      before: space('\n  # why\n  labels = { a = "b" } # what\n\n  // more\n  description = "x"\n'),
      after: gvc('\n  # why\n  tags = { a = "b" } # what\n\n  // more\n  description = "x"\n') },
    {
      it: 'moves attributes into a block that the other provider does not have',
      before: space('  domain = "a.example.com"\n\n  # of the company\n  pull_secret_links = ["//secret/x"]\n'),
      after: gvc(
        '  spec {\n    domain = "a.example.com"\n\n    # of the company\n    pull_secret_links = ["//secret/x"]\n  }\n',
      ),
    },
    { it: 'moves them into an existing block',
      before: space('\n  domain = "a.example.com"\n  spec {\n    endpoint_naming_format = "org"\n  }\n'),
      after: gvc('  spec {\n    endpoint_naming_format = "org"\n    domain                 = "a.example.com"\n  }\n') },
    { it: 'expands a block of one line', before: 'resource "acme_volume_set" "a" { initial_capacity = 10 }\n',
      after: 'resource "gantry_volumeset" "a" {\n  spec {\n    initial_capacity = 10\n  }\n}\n' },
    { it: 'keeps the lines of a heredoc', before: space('  domain = <<EOT\n one\nEOT\n'),
      after: gvc('  spec {\n    domain = <<EOT\n one\nEOT\n  }\n') },
    {
      it: 'makes a map of blocks, with their comments',
      before: space(
        '  variable {\n    name  = "A"\n    value = "1" # one\n  }\n\n  # two\n  variable {\n    name  = var.key\n    value = 2\n  }\n',
      ),
      after: gvc('  spec {\n    env = {\n      # one\n      A = "1"\n      # two\n      (var.key) = 2\n    }\n  }\n'),
    },
    {
      it: 'makes a loop of dynamic blocks',
      before: space(
        '  dynamic "variable" {\n    for_each = local.all\n    content {\n      name  = upper(variable.key)\n      value = variable.value.text\n    }\n  }\n',
      ),
      after: gvc(
        '  spec {\n    env = { for variable_key, variable_value in local.all : upper(variable_key) => variable_value.text }\n  }\n',
      ),
    },
    {
      it: 'keeps the name of the items of other dynamic blocks',
      before:
        'resource "acme_policy" "a" {\n  dynamic "binding" {\n    for_each = var.all\n    content {\n      permissions = binding.value\n    }\n  }\n}\n',
      after:
        'resource "gantry_policy" "a" {\n  dynamic "bindings" {\n    iterator = binding\n    for_each = var.all\n    content {\n      permissions = binding.value\n    }\n  }\n}\n',
    },
    {
      it: 'renames references, also in data sources and in lifecycle',
      before: [
        'resource "acme_app" "a" {',
        '  gvc = data.acme_space.x.name',
        '  lifecycle {',
        '    ignore_changes = [container[0].image, all]',
        '  }',
        '}',
        'output "a" {',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Terraform's
        '  value = "${acme_app.a.container[0].image}-${acme_app.b["x"].options[0].timeout_seconds}"',
        '}',
        '',
      ].join('\n'),
      after: [
        'resource "gantry_workload" "a" {',
        '  gvc = data.gantry_gvc.x.name',
        '  lifecycle {',
        '    ignore_changes = [spec.containers[0].image, all]',
        '  }',
        '}',
        'output "a" {',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Terraform's
        '  value = "${gantry_workload.a.spec.containers[0].image}-${gantry_workload.b["x"].spec.default_options.timeout_seconds}"',
        '}',
        '',
      ].join('\n'),
    },
    {
      it: 'does not change other providers and resources',
      before:
        'resource "other_space" "a" {\n  labels = other_space.b.labels\n}\nlocals {\n  acme_space = acme_space_x\n}\n',
      after:
        'resource "other_space" "a" {\n  labels = other_space.b.labels\n}\nlocals {\n  acme_space = acme_space_x\n}\n',
    },
  ])('$it', ({ before, after }) => {
    const found = one(before);
    expect(found.text).toBe(after);
    expect(one(found.text).text).toBe(found.text);
  });

  test('constructs without a counterpart are listed with their line, and commented out if the table says so', () => {
    const { text, undone } = one(
      [
        'resource "acme_app" "a" {',
        '  name = "a"',
        '  colour = "red"',
        '  container = var.containers',
        '  options {',
        '    legacy = <<-EOT',
        '      x',
        '    EOT',
        '  }',
        '}',
        'resource "acme_thing" "t" {}',
        'output "o" {',
        '  value = acme_app.a.options[*].spot',
        '}',
        '',
      ].join('\n'),
    );
    expect(undone).toEqual([
      '3: colour has no counterpart in gantry_workload: write its equivalent',
      '4: spec.containers is a block in gantry_workload: write its attributes, or a dynamic block',
      '6: options.legacy has no counterpart in gantry_workload: it is a comment now',
      '11: acme_thing has no counterpart: it stays with its provider',
      '13: spec.default_options is one block, not a list: write the reference without [*]',
    ]);
    expect(text).toContain('# legacy = <<-EOT\n#       x\n#     EOT\n');
    expect(text).toContain('  colour = "red"\n');
    expect(text).toContain('resource "acme_thing" "t" {}');
  });

  test('the data source of a check is renamed with its references and its provider', () => {
    const { text, undone } = one(
      'check "c" {\n  data "acme_space" "s" {\n    provider = acme.eu\n    name     = "s"\n  }\n  assert {\n    condition = data.acme_space.s.labels == {}\n  }\n}\n',
    );
    expect(text).toBe(
      'check "c" {\n  data "gantry_gvc" "s" {\n    provider = gantry.eu\n    name     = "s"\n  }\n  assert {\n    condition = data.gantry_gvc.s.tags == {}\n  }\n}\n',
    );
    expect(undone).toEqual([]);
  });

  test('attributes of an item in a for expression are renamed', () => {
    const { text, undone } = one(
      'output "o" {\n  value = [for k, a in acme_app.web : a.container[0].image if a.space != k]\n}\n',
    );
    expect(text).toContain('[for k, a in gantry_workload.web : a.spec.containers[0].image if a.gvc != k]');
    expect(undone).toEqual([]);
  });

  test('whole resources and map items by position are listed; names of resources are not', () => {
    const { text, undone } = one(
      [
        'output "o" {',
        '  value      = { for k, a in { x = acme_app.web } : k => a.space }',
        '  depends_on = [acme_app.web]',
        '}',
        'output "p" {',
        '  value = [acme_app.web.container[0].variable[0].content, [for a in acme_app.web : a]]',
        '}',
        'output "q" {',
        '  value = acme_space.a.variable["x"]',
        '}',
        '',
      ].join('\n'),
    );
    expect(undone).toEqual([
      '2: acme_app.web is read as a whole: its attributes have other names now',
      '6: spec.containers.env is a map, not a list: write the reference with a key, not with [0]',
      '6: acme_app.web is read as a whole: its attributes have other names now',
    ]);
    expect(text).toContain('gantry_workload.web.spec.containers[0].env[0].content');
    expect(text).toContain('gantry_gvc.a.spec.env["x"]');
  });

  test('without a table, names are found in another spelling and in enclosing blocks', () => {
    const { text, undone } = one(
      'resource "acme_workload" "a" {\n  name = "a"\n  container {\n    name = "a"\n    minCpu = "1"\n    port {\n      number = 1\n    }\n  }\n}\n',
      namesOf('acme'),
    );
    expect(text).toContain('  spec {\n    containers {\n      name = "a"\n      min_cpu = "1"\n');
    // There is `port`, a number, beside `ports`.
    expect(undone).toEqual(['6: spec.containers.port is an attribute in gantry_workload, not a block']);
  });

  /* biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is Terraform's */
  const linked = names({
    prefix: 'acme',
    attributes: { self_link: 'link' },
    resources: {
      acme_space: {
        type: 'gantry_gvc',
        attributes: {
          places: { to: 'spec.static_placement.location_links', link: '//location/' },
          pulls: { to: 'spec.pull_secret_links', link: '//secret/' },
          tracing: 'spec.tracing',
          'tracing.endpoint': 'spec.tracing.provider.otel.endpoint',
          own_tracing: { to: 'spec.tracing', block: 'provider.controlplane' },
          'tracing.marks': { to: 'spec.tracing.custom_tags', value: 'literal.value' },
        },
      },
      acme_group: {
        attributes: {
          users: { to: 'member_links', link: '//user/' },
          robots: { to: 'member_links', link: '//serviceaccount/' },
        },
      },
      acme_policy: { attributes: { targets: { to: 'target_links', link: '//{target_kind}/' } } },
      acme_domain_route: { attributes: { domain_link: { to: 'domain', name: true } } },
      acme_secret: {
        attributes: {
          uri: { to: 'name', text: 'x://secret/{}' },
          opaque: { to: 'data.opaque', with: { type: 'opaque' } },
          docker: { to: 'data.docker', with: { type: 'docker' } },
        },
      },
      acme_settings: {
        type: 'gantry_org',
        with: { name: 'acme' },
        attributes: { timeout: 'spec.session_timeout_seconds' },
      },
    },
  });

  test.each([
    {
      it: 'names become links: strings, templates, computed values, and names of resources',
      before:
        'resource "acme_space" "a" {\n  places = ["one", "${var.x}-two", var.three, "//location/four"]\n  pulls  = [acme_secret.s.name, data.acme_secret.d["x"].name, acme_secret.s.self_link, other_secret.s.name]\n}\n',
      after:
        'resource "gantry_gvc" "a" {\n  spec {\n    static_placement {\n      location_links = ["//location/one", "//location/${var.x}-two", "//location/${var.three}", "//location/four"]\n    }\n    pull_secret_links = [gantry_secret.s.link, data.gantry_secret.d["x"].link, gantry_secret.s.link, "//secret/${other_secret.s.name}"]\n  }\n}\n',
    },
    {
      it: 'a computed list of names becomes a list of links',
      before: 'resource "acme_space" "a" {\n  places = var.places\n}\n',
      after:
        'resource "gantry_gvc" "a" {\n  spec {\n    static_placement {\n      location_links = [for name in var.places : "//location/${name}"]\n    }\n  }\n}\n',
    },
    {
      it: 'two attributes become one list, with their comments',
      before:
        'resource "acme_group" "a" {\n  users = ["a@b.example"]\n\n  # those of the pipeline\n  robots = [acme_service_account.ci.name]\n}\n',
      after:
        'resource "gantry_group" "a" {\n  member_links = concat(["//user/a@b.example"], [gantry_serviceaccount.ci.link])\n\n  # those of the pipeline\n}\n',
    },
    {
      it: 'an attribute beside it determines the kind of a link',
      before: 'resource "acme_policy" "a" {\n  target_kind = "group"\n  targets     = ["x", acme_group.a.name]\n}\n',
      after:
        'resource "gantry_policy" "a" {\n  target_kind  = "group"\n  target_links = ["//group/x", gantry_group.a.link]\n}\n',
    },
    {
      it: 'a referenced attribute becomes a string around another one',
      before:
        'locals {\n  b = [for s in acme_secret.all : s.uri]\n  a = [acme_secret.s.uri, "${acme_secret.s[0].uri}.key"]\n}\n',
      after:
        'locals {\n  b = [for s in gantry_secret.all : "x://secret/${s.name}"]\n  a = ["x://secret/${gantry_secret.s.name}", "${"x://secret/${gantry_secret.s[0].name}"}.key"]\n}\n',
    },
    {
      it: 'links become names',
      before: ['acme_domain.d.self_link', '"/org/o/domain/a.example"', 'var.link']
        .map((link, at) => `resource "acme_domain_route" "r${at}" {\n  domain_link = ${link}\n}\n`)
        .join(''),
      after: ['gantry_domain.d.name', '"a.example"', 'basename(var.link)']
        .map((name, at) => `resource "gantry_domain_route" "r${at}" {\n  domain = ${name}\n}\n`)
        .join(''),
    },
    {
      it: 'a value that only this provider requires is added',
      before:
        'resource "acme_secret" "a" {\n  name = "a"\n  opaque {\n    payload = "x"\n  }\n}\nresource "acme_secret" "b" { docker = "{}" }\nresource "acme_settings" "o" { timeout = 900 }\n',
      after:
        'resource "gantry_secret" "a" {\n  type = "opaque"\n  name = "a"\n  data {\n    opaque {\n      payload = "x"\n    }\n  }\n}\nresource "gantry_secret" "b" {\n  type = "docker"\n  data {\n    docker = "{}"\n  }\n}\nresource "gantry_org" "o" {\n  name = "acme"\n  spec {\n    session_timeout_seconds = 900\n  }\n}\n',
    },
    {
      it: 'an existing value is kept, and one line becomes several',
      before:
        'resource "acme_settings" "o" { description = "x" }\nresource "acme_settings" "e" {}\nresource "acme_settings" "p" {\n  name = "other"\n}\n',
      after:
        'resource "gantry_org" "o" {\n  name        = "acme"\n  description = "x"\n}\nresource "gantry_org" "e" {\n  name = "acme"\n}\nresource "gantry_org" "p" {\n  name = "other"\n}\n',
    },
    {
      it: 'a map becomes blocks',
      before:
        'resource "acme_space" "a" {\n  tracing {\n    endpoint = "x:1"\n    marks = {\n      team = var.team\n    }\n  }\n}\n',
      after:
        'resource "gantry_gvc" "a" {\n  spec {\n    tracing {\n      provider {\n        otel {\n          endpoint = "x:1"\n        }\n      }\n      custom_tags "team" {\n        literal {\n          value = var.team\n        }\n      }\n    }\n  }\n}\n',
    },
    {
      it: 'a block without a counterpart is moved into another one',
      before: ['{\n    sampling = 50\n  }', '{ sampling = 50 }', '{}']
        .map((body, at) => `resource "acme_space" "r${at}" {\n  own_tracing ${body}\n}\n`)
        .join(''),
      after: ['\n      sampling = 50', '\n      sampling = 50', '']
        .map(
          (rest, at) =>
            `resource "gantry_gvc" "r${at}" {\n  spec {\n    tracing {\n      provider {\n        controlplane {}\n      }${rest}\n    }\n  }\n}\n`,
        )
        .join(''),
    },
    {
      it: 'names that differ by an underscore are equal, and attributes of a data source are found in its objects',
      before:
        'output "o" {\n  value = [data.acme_workload.w.container[0].image, data.acme_location.l.geo, acme_gvc.g.load_balancer[0].ipset]\n}\n',
      after:
        'output "o" {\n  value = [data.gantry_workload.w.spec.containers[0].image, data.gantry_location.l.status.geo, gantry_gvc.g.spec.load_balancer.ip_set]\n}\n',
    },
  ])('$it', ({ before, after }) => {
    const found = one(before, linked);
    expect(found.text).toBe(after);
    expect(found.undone.filter((each) => !each.includes('import block') && !each.includes('as a whole'))).toEqual([]);
    expect(one(found.text, linked).text).toBe(found.text);
  });

  test('routes are imported by domain, port and path; a key by a value that only the platform knows', () => {
    const { files, undone } = migrated(
      [
        {
          path: 'main.tf',
          text: [
            'resource "acme_domain" "d" {\n  name = "shop.example"\n}',
            'resource "acme_domain_route" "a" {\n  domain_link = acme_domain.d.self_link\n  prefix = "/api"\n}',
            'resource "acme_domain_route" "b" {\n  domain_link = "/org/o/domain/b.example"\n  domain_port = 80\n}',
            'resource "acme_domain_route" "c" {\n  domain_link = var.d\n  regex = "/${var.x}"\n}',
            'resource "acme_service_account_key" "k" {\n  serviceaccount = "s"\n}',
          ].join('\n'),
        },
      ],
      linked,
    );
    const moves = files.find(({ path }) => path === 'gantry-moves.tf')?.after ?? '';
    expect([...moves.matchAll(/id = (.*)/g)].map(([, id]) => id)).toEqual([
      '"shop.example"',
      '"shop.example:443:/api"',
      '"b.example:80:/"',
      '"${basename(var.d)}:443:/${var.x}"',
    ]);
    expect(undone.map(({ what }) => what)).toEqual([
      'write the import block of gantry_service_account_key.k: the platform alone knows its name',
    ]);
  });

  test('a name of an unknown kind is kept, and a resource whose name is in the table is imported', () => {
    const { undone } = one('resource "acme_policy" "a" {\n  name    = "a"\n  targets = [var.x]\n}\n', linked);
    expect(undone).toEqual(['3: targets: write links in gantry_policy (//{target_kind}/NAME)']);
    expect(one('locals {\n  a = acme_secret.all[*].uri\n}\n', linked).undone).toEqual([
      '2: uri is a text here (x://secret/{}): write a for expression in place of [*]',
    ]);
    expect(one('resource "acme_space" "a" {\n  places = null\n}\n', linked).text).toContain('location_links = null\n');
    const { files } = migrated([{ path: 'main.tf', text: 'resource "acme_settings" "o" {\n}\n' }], linked);
    expect(files.find(({ path }) => path === 'gantry-moves.tf')?.after).toContain('to = gantry_org.o\n  id = "acme"\n');
  });

  test('attributes of a block in a for expression are renamed, also in nested loops', () => {
    const { text, undone } = one(
      [
        'output "o" {',
        '  value = [for c in acme_app.web.container : "${c.image} ${c.listeners[0].number}"]',
        '}',
        'output "p" {',
        '  value = flatten([for a in acme_app.web : [for c in a.container : c.listeners]])',
        '}',
        'output "q" {',
        '  value = [length(acme_app.web.container), [for c in acme_app.web.container : c], [for o in acme_app.web.options : o]]',
        '}',
        'resource "other_thing" "t" {',
        '  dynamic "x" {',
        '    for_each = acme_app.web.container',
        '    content {',
        '      image = x.value.image',
        '    }',
        '  }',
        '  depends_on = [acme_app.web]',
        '}',
        '',
      ].join('\n'),
    );
    expect(text).toContain('[for c in gantry_workload.web.spec.containers : "${c.image} ${c.ports[0].number}"]');
    expect(text).toContain('[for a in gantry_workload.web : [for c in a.spec.containers : c.ports]]');
    expect(undone).toEqual([
      '5: acme_app.web is read as a whole: its attributes have other names now',
      '8: acme_app.web.container is read as a whole: its attributes have other names now',
      '8: spec.default_options is one block, not a list: read its attributes',
      '12: acme_app.web.container is read as a whole: its attributes have other names now',
    ]);
  });
  /* biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is Terraform's */

  test('a module with only data sources requires the provider too', () => {
    const { files } = migrated([{ path: 'main.tf', text: 'data "acme_space" "s" {\n  name = "s"\n}\n' }]);
    expect(files.map(({ path }) => path)).toEqual(['gantry-provider.tf', 'main.tf']);
  });

  test('kept lines are counted: unchanged, and with other names', () => {
    const { lines } = migrated([
      {
        path: 'main.tf',
        text: [
          'resource "acme_app" "a" {',
          '  name = "a"',
          '',
          '  space = acme_space.s.name', // another name, and another reference
          '  # why',
          '  container {', // in a block now, and further to the right
          '    image = "x"',
          '  }',
          '  colour = {', // left to a person
          '    red = 1',
          '  }',
          '  options {',
          '    legacy = 1', // a comment now
          '  }',
          '}',
          '',
        ].join('\n'),
      },
    ]);
    expect(lines).toEqual({ all: 14, same: 6, renamed: 4 });
  });

  test('literal objects become blocks, with their comments', () => {
    const { text } = one(
      'resource "acme_app" "a" {\n  container {\n    listeners = [\n      # first\n      { number = 1, protocol = "http" },\n      { "number" = 2 },\n    ]\n  }\n}\n',
    );
    expect(text).toContain(
      '      ports {\n        number   = 1\n        protocol = "http"\n      }\n      ports {\n        number = 2\n      }\n',
    );
  });

  test('the new provider is declared beside the old one, which the state requires', () => {
    const { files } = migrated([
      {
        path: 'main.tf',
        text: 'terraform {\n  required_providers {\n    acme = { source = "x.example/acme/acme" }\n  }\n}\n\nprovider "acme" {\n  alias   = "eu"\n  api_url = var.url\n  debug   = true\n}\n\nmodule "m" {\n  source    = "./m"\n  providers = { acme = acme.eu }\n}\n\nresource "acme_space" "a" {\n  provider = acme.eu\n  name     = "a"\n}\n',
      },
      { path: 'm/main.tf', text: 'resource "acme_space" "b" {\n  name = var.name\n}\n' },
    ]);
    const after = Object.fromEntries(files.map((file) => [file.path, file.after]));
    expect(Object.keys(after)).toEqual([
      'gantry-moves.tf',
      'm/gantry-moves.tf',
      'm/gantry-provider.tf',
      'm/main.tf',
      'main.tf',
    ]);
    expect(after['main.tf']).toContain(
      '    gantry = {\n      source  = "gantry.local/gantry/gantry"\n      version = "~> 1.2.0"\n    }\n',
    );
    expect(after['main.tf']).toContain('provider "gantry" {\n  alias    = "eu"\n  endpoint = var.url\n}\n');
    expect(after['main.tf']).toContain('providers = { gantry = gantry.eu, acme = acme.eu }');
    expect(after['main.tf']).toContain('  provider = gantry.eu\n');
    expect(after['gantry-moves.tf']).toContain('  to       = gantry_gvc.a\n  id       = "a"\n  provider = gantry.eu\n');
    expect(after['gantry-moves.tf']).not.toContain('gantry_gvc.b'); // Terraform takes import blocks in the root only
    expect(after['m/gantry-moves.tf']).toBe(
      'removed {\n  from = acme_space.b\n  lifecycle {\n    destroy = false\n  }\n}\n',
    );
  });

  test('a moved block is kept, as the state may have the old address', () => {
    const move = 'moved {\n  from = acme_space.old\n  to   = acme_space.a\n}\n';
    expect(one(`${move}\n${space('')}`)).toEqual({ text: `${move}\n${gvc('')}`, undone: [] });
  });

  /* biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is Terraform's */
  test.each([
    { it: 'a name', body: 'name = "a"', id: 'id = "a"' },
    { it: 'a template', body: 'name = "a-${var.x}"', id: 'id = "a-${var.x}"' },
    { it: 'a count', body: 'count = 2\n  name = "a-${count.index}"', id: 'id       = "a-${each.value}"' },
    {
      it: 'a name in a GVC that is imported too',
      type: 'app',
      body: 'name = var.n\n  space = acme_space.s.name',
      id: 'id = "s/${var.n}"',
    },
    /* biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is Terraform's */
  ])('is imported by $it', ({ type = 'space', body, id }) => {
    const text = `resource "acme_space" "s" {\n  name = "s"\n}\nresource "acme_${type}" "a" {\n  ${body}\n}\n`;
    const moves =
      migrated([{ path: 'main.tf', text }]).files.find(({ path }) => path === 'gantry-moves.tf')?.after ?? '';
    expect(moves).toMatch(new RegExp(`from = acme_${type}\\.a\\n`));
    expect(moves.replaceAll(/ +=/g, ' =')).toContain(id.replaceAll(/ +=/g, ' ='));
  });

  test('the other provider removes resources that are imported or have no name here, each once', () => {
    const { files, undone } = migrated([
      {
        path: 'main.tf',
        text: 'import {\n  to = acme_space.a\n  id = "a"\n}\nresource "acme_space" "a" {\n  name = "a"\n}\nresource "acme_space" "b" {\n}\nresource "acme_space" "c" {\n  name = "c"\n}\nremoved {\n  from = acme_space.c\n  lifecycle {\n    destroy = false\n  }\n}\n',
      },
      { path: 'm/main.tf', text: 'removed {\n  from = acme_space.a\n}\n' },
    ]);
    expect(undone.map(({ line, what }) => `${line}: ${what}`)).toEqual([
      '5: gantry_gvc.a has an import block already: check its id',
      '8: write the import block of gantry_gvc.b: its name is not an attribute here',
      '10: acme_space.c has a removed block already: check that it has destroy = false',
    ]);
    const forgotten = (label: string) =>
      `removed {\n  from = acme_space.${label}\n  lifecycle {\n    destroy = false\n  }\n}\n`;
    expect(files.find(({ path }) => path === 'gantry-moves.tf')?.after).toBe(
      `${forgotten('a')}\n${forgotten('b')}\nimport {\n  to = gantry_gvc.c\n  id = "c"\n}\n`,
    );
  });

  test('a second run changes nothing, except for additions since', async () => {
    const folder = join(import.meta.dirname, 'acme');
    const { value } = await readDataFile(join(folder, 'names.yaml'), { most: 10_000 });
    const before = ['apps.tf', 'main.tf'].map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
    const first = migrated(before, names(value));
    expect(first.undone).toEqual([]);
    const after = first.files.map(({ path, after: text }) => ({ path, text }));
    expect(migrated(after, names(value))).toMatchObject({ files: [], resources: [], undone: [] });
    const more = migrated([...after, { path: 'more.tf', text: space('') }], names(value));
    expect(more.files.map(({ path }) => path)).toEqual(['gantry-moves.tf', 'more.tf']);
    const [moves] = more.files;
    expect(moves?.after.startsWith(moves.before?.trimEnd() ?? '-')).toBe(true);
  });

  test('an invalid result is rejected', () => {
    if (typeof parse === 'string') return;
    const strict = {
      parse: (text: string) => (text.includes('gantry_') ? { errorOffset: text.length } : parse(text)),
      version: '1.2.0',
    };
    expect(migrate([{ path: 'main.tf', text: space('') }], names(), strict)).toMatchObject({
      wrong: { isRewritten: true },
    });
  });

  test('an invalid file is reported with its line', () => {
    if (typeof parse === 'string') return;
    const files = [{ path: 'main.tf', text: 'locals {\n  a = 1\n  b = = 2\n}\n' }];
    expect(migrate(files, names(), { parse, version: '1.2.0' })).toEqual({
      wrong: { file: 'main.tf', line: 3, isRewritten: false },
    });
  });
});

test('the tables in the document contain names of this provider', () => {
  const tables = blocksOf('docs/terraform.md').filter(({ mark }) => mark?.startsWith('acme'));
  expect(tables.map(({ text }) => names(Object(load(text))).prefix)).toEqual(['acme', 'acme']);
});

test.each(
  // biome-ignore format: a row is a case
  [
    { wrong: {}, message: 'prefix is missing' },
    { wrong: { prefix: 'Acme_' }, message: 'prefix must be the beginning of its types' },
    { wrong: { prefix: 'acme', resources: { acme_x: { type: 'gantry_x' } } },
      message: 'must be a type of this provider' },
    { wrong: { prefix: 'acme', resources: { acme_x: { type: 'gantry_gvc', attributes: { a: 'spec.nothing' } } } },
      message: 'names spec.nothing, which this provider does not have' },
    { wrong: { prefix: 'acme', attributes: { self_link: 'nothing' } }, message: 'names nothing, which this provider' },
    { wrong: { prefix: 'acme', resources: { acme_x: { type: 'gantry_gvc', with: { spec: 'x' } } } },
      message: 'names spec, which is no text of this resource' },
    { wrong: { prefix: 'acme',
      resources: { acme_x: { type: 'gantry_gvc', attributes: { a: { to: 'tags', link: 'location' } } } } },
      message: 'must be the beginning of a link' },
    { wrong: { prefix: 'acme', resources: { acme_x: { attributes: { a: 1 } } } }, message: 'must be a path as' },
    { wrong: { prefix: 'acme', recources: {} }, message: 'no field "recources"' },
  ],
)('a table of names with $message is refused', ({ wrong, message }) => {
  expect(() => names(wrong)).toThrow(message);
});

/** The number of times that children of nodes are read, for a file with this number of resources. */
function looksFor(count: number): number {
  if (typeof parse === 'string') throw new Error(parse);
  let looks = 0;
  const watched = (node: Syntax): Syntax => {
    const children = node.children.map(watched);
    return {
      ...node,
      get children() {
        looks += 1;
        return children;
      },
    };
  };
  const watchedParse = (text: string) => {
    const tree = parse(text);
    return 'root' in tree ? { root: watched(tree.root) } : tree;
  };
  const resources = Array.from(
    { length: count },
    (_, at) => `resource "acme_space" "s${at}" {\n  name = "s${at}"\n}\n`,
  );
  const result = migrate([{ path: 'main.tf', text: resources.join('\n') }], names(), {
    parse: watchedParse,
    version: '1.2.0',
  });
  expect('resources' in result && result.resources).toHaveLength(count);
  return looks;
}

test.skipIf(typeof parse === 'string')('the work for a configuration grows as the configuration does', () => {
  expect(looksFor(200)).toBeLessThan(5 * looksFor(50));
});
