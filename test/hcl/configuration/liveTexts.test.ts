import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json/json.ts';
import { type Configuration, configurationOf, notesOf } from '../../../src/hcl/configuration/configuration.ts';
import { nativeSyntax } from '../../../src/hcl/configurationText.ts';
import type { Output } from '../../../src/manifest/model/manifest.ts';
import { onlyNamed } from '../../../src/schema/record/customKinds.ts';
import { withKinds } from '../../kinds/withKinds.ts';

const gvc = { ref: { kind: 'gvc', name: 'shop' } as const, record: { description: 'a shop' } };

function output(name: string, value: JsonValue, more: Partial<Output> = {}): Output {
  return { name, value, sensitive: false, locate: () => ({ file: 'stack.yaml', line: 1, column: 1 }), ...more };
}

function made(value: JsonValue, more: Partial<Output> = {}): Configuration {
  return configurationOf([gvc], {
    org: 'acme',
    imports: false,
    hideSensitive: true,
    outputs: [output('it', value, more)],
  });
}

withKinds({ widget: onlyNamed });
const text = (configuration: Configuration): string => nativeSyntax(configuration.blocks);

describe('a string that refers to a live value', () => {
  // biome-ignore format: a row is a case
  test.each([
    ['gvc/shop:description', 'value = gantry_gvc.shop.description'],
    ['gvc/shop:version', 'value = data.gantry_gvc.shop.version'],
    ['workload/far/web:spec.containers.main.image',
      'value = one([for each in data.gantry_workload.far_web.spec.containers : each.image if each.name == "main"])'],
    ['workload/far/web:spec.containers.main.args.0',
      'value = one([for each in data.gantry_workload.far_web.spec.containers : each.args[0] if each.name == "main"])'],
    ['workload/far/web:spec.containers.main.env.X.value',
      'value = one([for each in data.gantry_workload.far_web.spec.containers : each.env["X"] if each.name == "main"])'],
    ['domain/a.example:spec.ports.443.protocol',
      'value = one([for each in data.gantry_domain.a_example.spec.ports : each.protocol if each.number == 443])'],
    ['workload/far/web:status.canonicalEndpoint', 'value = data.gantry_workload.far_web.status.canonical_endpoint'],
  ])('is an attribute, of a data source if there is no resource: %s', (reference, expected) => {
    const configuration = made(`\${live.${reference}}`);
    expect([configuration.unresolved, configuration.variables]).toEqual([[], []]);
    expect(text(configuration)).toContain(expected);
  });

  test('reads a declared resource after its creation, and any other by its name', () => {
    expect(text(made('${live.gvc/shop:version}'))).toContain('name = gantry_gvc.shop.name');
    expect(text(made('${live.workload/far/web:spec.type}'))).toMatch(/name = "web"\n\s+gvc\s+= "far"/);
    expect(text(made('${live.workload/shop/web:spec.type}'))).toMatch(/name = "web"\n\s+gvc\s+= gantry_gvc.shop.name/);
    expect(text(made('${live.gvc/far:version}'))).toContain('data "gantry_gvc" "far" {\n  name = "far"\n}');
  });

  test.each([
    ['serviceaccount/ci:keys.deploy.key', 'it is shown once, when it is made, and no attribute has it'],
    ['workload/far/web:spec.containers.main.env.X', 'no attribute of the provider has it'],
    ['workload/far/web:spec.containers.main.env.X.name', 'no attribute of the provider has it'],
    ['workload/far/web:spec.containers.main.args.0th', 'no attribute of the provider has it'],
    ['secret/db:data', 'no attribute of the provider has it'],
    ['domain/a.example:spec.ports.443.cors.allowOrigins.any.exact', 'no attribute of the provider has it'],
    ['widget/one:description', 'the provider has no kinds of your own'],
  ])('without an attribute is reported with its place: %s', (reference, because) => {
    const { unresolved } = made([`a \${live.${reference}}`]);
    expect(unresolved.map((each) => [each.in, each.because])).toEqual([['output it', because]]);
  });

  test('cannot be part of JSON', () => {
    const affinity = { near: ['${live.gvc/shop:description}', 1], far: 'text' };
    const record = { spec: { containers: [], extras: { affinity } } };
    const web = { ref: { kind: 'workload', name: 'web', gvc: 'shop' } as const, record };
    const { unresolved } = configurationOf([web], { org: 'acme', imports: false, hideSensitive: true, outputs: [] });
    expect(unresolved.map((each) => [each.in, each.reference.text, each.because])).toEqual([
      ['workload_shop_web_spec_extras_affinity', '${live.gvc/shop:description}', 'it stands in JSON'],
    ]);
  });

  test('is literal if references to live values are not allowed', () => {
    const record = { description: '${live.gvc/shop:version}' };
    const { blocks } = configurationOf([{ ...gvc, record }], { org: 'acme', imports: false, hideSensitive: true });
    expect(nativeSyntax(blocks)).toContain('$${live.gvc/shop:version}');
  });
});

describe('an output', () => {
  test('is a block with its description, with references in lists, objects and longer strings', () => {
    const value = {
      at: ['${live.gvc/shop:description}'],
      longer: 'a $${live.b} ${live.gvc/shop:description}',
      port: 80,
    };
    const written = text(made(value, { description: 'Where it is.' }));
    expect(written).toContain(`output "it" {
  value = {
    at     = [gantry_gvc.shop.description]
    longer = "a $$\{live.b} $\{gantry_gvc.shop.description}"
    port   = 80
  }
  description = "Where it is."
}
`);
  });

  test('has its own label', () => {
    const outputs = ['a-b', 'a.b', 'a_b'].map((name) => output(name, 1));
    const { blocks } = configurationOf([], { org: 'acme', imports: false, hideSensitive: true, outputs });
    expect(blocks.map(({ labels }) => labels)).toEqual([['a_b'], ['a_b_2'], ['a_b_3']]);
  });

  test('of a sensitive literal is a variable, and of a sensitive reference a sensitive output', () => {
    const literal = made('secret-1', { sensitive: true });
    expect([literal.variables, text(literal).includes('secret-1')]).toEqual([['output_it'], false]);
    expect(made('secret-1 ${live.gvc/shop:description}', { sensitive: true }).variables).toEqual(['output_it']);
    const reference = made('${live.gvc/shop:description}', { sensitive: true });
    expect(text(reference)).toMatch(/value\s+= gantry_gvc\.shop\.description\n\s+sensitive = true/);
  });

  test('that is saved to a file is omitted, with a note', () => {
    const configuration = made('${live.serviceaccount/ci:keys.deploy.key}', { saveTo: { file: 'key' } });
    expect(configuration.unresolved).toEqual([]);
    expect(notesOf(configuration)).toEqual(['the output it is left out: Terraform saves no value to a file']);
  });
});
