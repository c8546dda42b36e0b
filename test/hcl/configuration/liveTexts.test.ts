import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json/json.ts';
import { type Configuration, configurationOf } from '../../../src/hcl/configuration/configuration.ts';
import { notesOf } from '../../../src/hcl/configuration/notes.ts';
import { nativeSyntax } from '../../../src/hcl/nativeSyntax.ts';
import type { Output } from '../../../src/manifest/model/output.ts';

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

const text = (configuration: Configuration): string => nativeSyntax(configuration.blocks);

describe('a text that refers to a live value', () => {
  test.each([
    ['gvc/shop:description', 'value = gantry_gvc.shop.description'],
    ['gvc/shop:version', 'value = data.gantry_gvc.shop.version'],
    [
      'workload/far/web:spec.containers.main.image',
      'value = one([for each in data.gantry_workload.far_web.spec.containers : each.image if each.name == "main"])',
    ],
    ['workload/far/web:status.canonicalEndpoint', 'value = data.gantry_workload.far_web.status.canonical_endpoint'],
  ])('is an attribute, of a data source where no resource has it: %s', (reference, expected) => {
    const configuration = made(`\${live.${reference}}`);
    expect(configuration.unresolved).toEqual([]);
    expect(text(configuration)).toContain(expected);
  });

  test('reads what is declared here after it is made, and anything else by its name', () => {
    expect(text(made('${live.gvc/shop:version}'))).toContain('name = gantry_gvc.shop.name');
    expect(text(made('${live.workload/far/web:spec.type}'))).toMatch(/name = "web"\n\s+gvc\s+= "far"/);
  });

  test.each([
    ['serviceaccount/ci:keys.deploy.key', 'it is shown once, when it is made, and no attribute has it'],
    ['workload/far/web:spec.containers.main.env.X', 'no attribute of the provider has it'],
  ])('that no attribute has is named, with its place: %s', (reference, because) => {
    const { unresolved } = made([`a \${live.${reference}}`]);
    expect(unresolved.map((each) => [each.in, each.because])).toEqual([['output it', because]]);
  });

  test('is text where nothing may refer to live values', () => {
    const record = { description: '${live.gvc/shop:version}' };
    const { blocks } = configurationOf([{ ...gvc, record }], { org: 'acme', imports: false, hideSensitive: true });
    expect(nativeSyntax(blocks)).toContain('$${live.gvc/shop:version}');
  });
});

describe('an output', () => {
  test('of a sensitive literal is a variable, and of a sensitive reference a sensitive output', () => {
    const literal = made('secret-1', { sensitive: true });
    expect([literal.variables, text(literal).includes('secret-1')]).toEqual([['output_it'], false]);
    const reference = made('${live.gvc/shop:description}', { sensitive: true });
    expect(text(reference)).toMatch(/value\s+= gantry_gvc\.shop\.description\n\s+sensitive = true/);
  });

  test('that is saved to a file is left out, with a note', () => {
    const configuration = made('${live.serviceaccount/ci:keys.deploy.key}', { saveTo: { file: 'key' } });
    expect(configuration.unresolved).toEqual([]);
    expect(notesOf(configuration)).toEqual(['the output it is left out: Terraform saves no value to a file']);
  });
});
