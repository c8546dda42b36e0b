import fc from 'fast-check';
import * as gantry from 'gantry';
import { expect, test } from 'vitest';
import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../../src/base/json/json.ts';
import { typescriptStack } from '../../../src/gantry/adoptionFiles.ts';
import { runs } from '../../harness/sampled.ts';
import { foreign } from '../world.ts';
import { adopt, asYaml, objections } from './adoption.ts';

/**
 * Text that a writer of YAML or code may get wrong: line ends, quotes, text that looks like another type, and the rest.
 */
const text = fc.oneof(
  fc.constantFrom(
    '<<',
    'null',
    '~',
    'yes',
    '0x1f',
    '1e3',
    '2020-01-01',
    '- a',
    'a: b',
    '# c',
    "it's",
    '"q"',
    '\\',
    '\\"',
    '$' + '{x}',
    '`',
    '\u2028',
    ' lead',
    'trail ',
    '&a',
    '*a',
    '!t',
    '%',
    '@',
    'constructor',
    'toString',
    '@@iterator',
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }).filter((each) => each.isWellFormed()),
);
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  text,
  fc.boolean(),
  fc.integer(),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
);
const key = text.filter(
  (each) => each !== '' && each !== '__proto__' && !/^(?:gantry|scheme)\//.test(each) && !each.startsWith('$'),
);

const record = fc.record({
  tags: fc.dictionary(key, scalar, { maxKeys: 5 }),
  description: fc.string({ minLength: 1, maxLength: 40 }).map((each) => `d${each}d`),
  value: text,
  metadata: fc.dictionary(fc.constantFrom('a', 'b-c', 'd.e', '<<', 'x y'), text, { maxKeys: 3 }),
});

function live({ tags, description, value, metadata }: typeof record extends fc.Arbitrary<infer T> ? T : never) {
  return foreign('workload/g/web', {
    description,
    tags,
    spec: {
      type: 'standard',
      containers: [{ name: 'main', image: 'nginx:1', env: [{ name: 'A', value }], args: [value, 'b'] }],
      defaultOptions: { autoscaling: { metric: 'keda', keda: { triggers: [{ type: 'cron', metadata }] } } },
    },
  });
}

/** Runs the code with the constructs of this process. */
function synthesized(code: string): readonly JsonObject[] {
  const [imports = '', ...body] = code.replace(/^export default app;$/m, '').split('\n');
  const names = /\{ (.*) \}/.exec(imports)?.[1]?.split(', ') ?? [];
  const values = names.map((name): unknown => Reflect.get(gantry, name));
  const run: unknown = Reflect.construct(Function, [...names, `${body.join('\n')}\nreturn app.synth();`]);
  const documents: unknown = typeof run === 'function' ? run(...values) : undefined;
  return isArray(documents) ? documents.filter(isObject) : [];
}

test('YAML and code preserve any text of a record', async () => {
  const property = fc.asyncProperty(record, async (given) => {
    const held = live(given);
    const adopted = adopt([held]);
    expect(objections(await asYaml(adopted), [held])).toEqual([]);

    const place = { file: 'stack.ts', line: 1, column: 1 };
    const documents = synthesized(typescriptStack(adopted, 'legacy')).map((document) => ({
      value: own(document, 'value') ?? null,
      locate: () => place,
    }));
    expect(objections(documents, [held])).toEqual([]);
  });
  await fc.assert(property, { numRuns: runs(150) });
});
