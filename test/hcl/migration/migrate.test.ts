import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { At } from '../../../src/base/form/read.ts';
import type { JsonValue } from '../../../src/base/json/json.ts';
import { type ConfigurationFile, type Migration, migrate } from '../../../src/hcl/migration/migrate.ts';
import { namesOf, namesReader } from '../../../src/hcl/migration/names.ts';
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

/** One file, without what stands in others. */
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
  test.each([
    {
      it: 'keeps comments, empty lines and an order',
      before: space('\n  # why\n  labels = { a = "b" } # what\n\n  // more\n  description = "x"\n'),
      after: gvc('\n  # why\n  tags = { a = "b" } # what\n\n  // more\n  description = "x"\n'),
    },
    {
      it: 'puts attributes into a block that the other provider does not have',
      before: space('  domain = "a.example.com"\n\n  # of the company\n  pull_secret_links = ["//secret/x"]\n'),
      after: gvc(
        '  spec {\n    domain = "a.example.com"\n\n    # of the company\n    pull_secret_links = ["//secret/x"]\n  }\n',
      ),
    },
    {
      it: 'puts them into one that is there',
      before: space('\n  domain = "a.example.com"\n  spec {\n    endpoint_naming_format = "org"\n  }\n'),
      after: gvc('  spec {\n    endpoint_naming_format = "org"\n    domain                 = "a.example.com"\n  }\n'),
    },
    {
      it: 'opens a block that is one line',
      before: 'resource "acme_volume_set" "a" { initial_capacity = 10 }\n',
      after: 'resource "gantry_volumeset" "a" {\n  spec {\n    initial_capacity = 10\n  }\n}\n',
    },
    {
      it: 'leaves the lines of a heredoc where they are',
      before: space('  domain = <<EOT\n one\nEOT\n'),
      after: gvc('  spec {\n    domain = <<EOT\n one\nEOT\n  }\n'),
    },
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
      it: 'renames references, those of data sources, and what lifecycle names',
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
      it: 'leaves other providers and resources alone',
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

  test('what has no counterpart is listed with its line, and a comment where the table says so', () => {
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
      '3: colour has no counterpart in gantry_workload: write what stands for it',
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

  test('what for calls an item of a resource has its attributes renamed', () => {
    const { text, undone } = one(
      'output "o" {\n  value = [for k, a in acme_app.web : a.container[0].image if a.space != k]\n}\n',
    );
    expect(text).toContain('[for k, a in gantry_workload.web : a.spec.containers[0].image if a.gvc != k]');
    expect(undone).toEqual([]);
  });

  test('what is read as a whole, and an item of a map by its place, are listed; the names of resources are not', () => {
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

  test('without a table, names are found in another spelling and in blocks around them', () => {
    const { text, undone } = one(
      'resource "acme_workload" "a" {\n  name = "a"\n  container {\n    name = "a"\n    minCpu = "1"\n    port {\n      number = 1\n    }\n  }\n}\n',
      namesOf('acme'),
    );
    expect(text).toContain('  spec {\n    containers {\n      name = "a"\n      min_cpu = "1"\n');
    // There is `port`, a number, beside `ports`.
    expect(undone).toEqual(['6: spec.containers.port is an attribute in gantry_workload, not a block']);
  });

  test('literal objects become blocks, with their comments', () => {
    const { text } = one(
      'resource "acme_app" "a" {\n  container {\n    listeners = [\n      # first\n      { number = 1, protocol = "http" },\n      { "number" = 2 },\n    ]\n  }\n}\n',
    );
    expect(text).toContain(
      '      ports {\n        number   = 1\n        protocol = "http"\n      }\n      ports {\n        number = 2\n      }\n',
    );
  });

  test('the new provider is declared beside the old one, which the state needs', () => {
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

  test('a moved block stays, as the state may have the old address', () => {
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

  test('the other provider forgets what has an import block already, or no name here, and what it forgot is not forgotten twice', () => {
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

  test('a second run changes nothing, and adds what has come since', async () => {
    const folder = join(import.meta.dirname, 'acme');
    const { value } = await readDataFile(join(folder, 'names.yaml'), { most: 10_000 });
    const before = ['apps.tf', 'main.tf'].map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
    const first = migrated(before, names(value));
    expect(first.undone).toEqual([]);
    const after = first.files.map(({ path, after: text }) => ({ path, text }));
    expect(migrated(after, names(value))).toEqual({ files: [], resources: [], undone: [] });
    const more = migrated([...after, { path: 'more.tf', text: space('') }], names(value));
    expect(more.files.map(({ path }) => path)).toEqual(['gantry-moves.tf', 'more.tf']);
    const [moves] = more.files;
    expect(moves?.after.startsWith(moves.before?.trimEnd() ?? '-')).toBe(true);
  });

  test('a result that is no configuration is not taken', () => {
    if (typeof parse === 'string') return;
    const strict = {
      parse: (text: string) => (text.includes('gantry_') ? { wrongAt: text.length } : parse(text)),
      version: '1.2.0',
    };
    expect(migrate([{ path: 'main.tf', text: space('') }], names(), strict)).toMatchObject({ wrong: { isOurs: true } });
  });

  test('a file that is no configuration is named with its line', () => {
    if (typeof parse === 'string') return;
    const files = [{ path: 'main.tf', text: 'locals {\n  a = 1\n  b = = 2\n}\n' }];
    expect(migrate(files, names(), { parse, version: '1.2.0' })).toEqual({
      wrong: { file: 'main.tf', line: 3, isOurs: false },
    });
  });
});

test('the table in the document names what this provider has', () => {
  const [block] = blocksOf('docs/terraform.md').filter(({ mark }) => mark === 'acme.yaml');
  expect(names(Object(load(block?.text ?? ''))).prefix).toBe('acme');
});

test.each([
  { wrong: {}, message: 'prefix is missing' },
  { wrong: { prefix: 'Acme_' }, message: 'prefix must be the beginning of its types' },
  {
    wrong: { prefix: 'acme', resources: { acme_x: { type: 'gantry_x' } } },
    message: 'must be a type of this provider',
  },
  {
    wrong: { prefix: 'acme', resources: { acme_x: { type: 'gantry_gvc', attributes: { a: 'spec.nothing' } } } },
    message: 'names spec.nothing, which this provider does not have',
  },
  { wrong: { prefix: 'acme', resources: { acme_x: { attributes: { a: 1 } } } }, message: 'must be a path as' },
  { wrong: { prefix: 'acme', recources: {} }, message: 'no field "recources"' },
])('a table of names with $message is refused', ({ wrong, message }) => {
  expect(() => names(wrong)).toThrow(message);
});
