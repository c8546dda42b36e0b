import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { isListValue, isObjectValue, type ObjectValue, unknown, type Value } from '../../../src/hcl/value.ts';
import { attributePathOf, pathInAttributes } from '../../../src/hcl/values/attributePath.ts';
import { manifestOf } from '../../../src/hcl/values/manifestOf.ts';
import { configOf } from '../../../src/hcl/values/stateOf.ts';
import { loadValidators } from '../../../src/kinds/validators.ts';
import { planResource } from '../../../src/provider/plan/planResource.ts';
import { validateConfig } from '../../../src/provider/plan/validateConfig.ts';
import { type CreatableKind, creatableKinds } from '../../../src/schema/record/kinds.ts';
import { creatable, withHoles } from '../../hcl/lifecycle.ts';
import { context, recordsOf, subjects } from '../../patch/realRecord.ts';

const validators = await loadValidators(creatableKinds);

function workload(
  spec: { readonly [name: string]: Value },
  container: { readonly [name: string]: Value } = {},
): ObjectValue {
  const base = configOf(
    'workload',
    {
      name: 'web',
      spec: { type: 'standard', containers: [{ name: 'main', image: 'shop:1', ports: [{ number: 8080 }] }] },
    },
    context,
  );
  const old = base['spec'];
  if (!isObjectValue(old)) throw new Error('no spec');
  const [first] = isListValue(old['containers']) ? old['containers'] : [];
  return { ...base, spec: { ...old, containers: [{ ...(isObjectValue(first) ? first : {}), ...container }], ...spec } };
}

/** Path and rule of each error. */
function errors(config: ObjectValue): readonly (readonly [string, string])[] {
  return validateConfig({ kind: 'workload', config, validators, ...context })
    .filter(({ severity }) => severity === 'error')
    .map(({ path = [], detail }) => [path.join('.'), /\((\S+)\)$/.exec(detail)?.[1] ?? detail] as const);
}

describe('problems are shown at their attribute', () => {
  test('a correct configuration has none', () => {
    expect(errors(workload({}))).toEqual([]);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      ['a value that is not allowed', workload({ type: 'lambda' }), [['spec.type', 'shape.enum']]],
      ['a fraction where a whole number belongs', workload({ default_options: { timeout_seconds: 1.5 } }),
        [['spec.default_options.timeout_seconds', 'shape.type']]],
      ['a number out of bounds', workload({ default_options: { timeout_seconds: 4000 } }),
        [['spec.default_options.timeout_seconds', 'shape.range']]],
      ['a rule over two attributes (W3)', workload({}, { port: 80 }), [['spec.containers.0.port', 'W3']]],
      ['a rule of the type (W8.ports)', workload({ type: 'cron', job: { schedule: '0 0 * * *' } }),
        [['spec.containers.0.ports.0.number', 'W8.ports']]],
      ['a null in a list', workload({}, { args: ['a', null] }), [['spec.containers.0.args.1', 'shape.type']]],
      ['text that is not JSON', workload({ extras: { affinity: '{' } }),
        [['spec.extras.affinity', 'Write jsonencode(…) around the value.']]],
      ['a value beside one that is no JSON', workload({ default_options: { timeout_seconds: 4000 }, extras: { affinity: '{' } }),
        [['spec.default_options.timeout_seconds', 'shape.range']]],
      ['a number that would be rounded', workload({ default_options: { timeout_seconds: 2n ** 60n } }),
        [['spec.default_options.timeout_seconds', 'Use a number below 9007199254740992.']]],
      ['two attributes for one field',
        workload({}, { gpu: { nvidia: { model: 't4', model_json: '{}', quantity: 1 } } }),
        [['spec.containers.0.gpu.nvidia.model_json', 'Remove the others.']]],
    ],
  )('%s', (_, config, expected) => {
    expect(errors(config)).toEqual(expect.arrayContaining(expected));
  });

  test('the message names the attribute as Terraform writes it, and has a fix', () => {
    const [found] = validateConfig({ kind: 'workload', config: workload({}, { cpu: '1m' }), validators, ...context });
    expect(found?.summary).toMatch(/^spec\.containers\[0\]\.cpu: /);
    expect(found?.detail).not.toBe('');
  });

  test('a problem with a secret does not contain its value', () => {
    const config = configOf('secret', { name: 'database', type: 'tls', data: { cert: 'hunter2-is-secret' } }, context);
    const found = validateConfig({ kind: 'secret', config, validators, ...context });
    expect(found.length).toBeGreaterThan(0);
    expect(JSON.stringify(found)).not.toContain('hunter2');
    expect(found[0]?.path).toEqual(['data', 'tls', 'cert']);
  });

  test('a secret has exactly one value, of its type', () => {
    const base = configOf('secret', { name: 'database', type: 'dictionary', data: { a: 'b' } }, context);
    const summaries = (config: ObjectValue): readonly string[] =>
      validateConfig({ kind: 'secret', config, validators, ...context }).map(({ summary }) => summary);
    expect(summaries(base)).toEqual([]);
    const data = { ...(isObjectValue(base['data']) ? base['data'] : {}), docker: '{"auths":{}}' };
    expect(summaries({ ...base, data })).toEqual(
      expect.arrayContaining([expect.stringContaining('of dictionary and docker only one may be')]),
    );
    expect(summaries({ ...base, data_wo: base['data'] ?? null })).toEqual(
      expect.arrayContaining([expect.stringContaining('of data and data_wo only one may be')]),
    );
    expect(summaries({ ...base, data: null, data_wo: base['data'] ?? null, data_wo_version: 1 })).toEqual([]);
    expect(summaries({ ...base, data: null, data_wo: base['data'] ?? null })).toEqual(['data_wo_version is missing']);
    expect(summaries({ ...base, data: null, data_wo: base['data'] ?? null, data_wo_version: unknown })).toEqual([]);
    // An existing secret may be imported without its value; only a new one needs it.
    expect(summaries({ ...base, data: null })).toEqual([]);
    const fresh = planResource({ kind: 'secret', config: { ...base, data: null }, prior: null, ...context });
    expect(fresh.diagnostics.map(({ severity, path }) => [severity, path])).toEqual([['error', ['data']]]);
  });
});

describe('the value of a secret of another type', () => {
  const base = configOf('secret', { name: 'database', type: 'opaque', data: { payload: 'x' } }, context);
  const found = (config: ObjectValue) =>
    validateConfig({ kind: 'secret', config: { ...base, ...config }, validators, ...context });

  test.each(['data', 'data_wo'])('%s: one message, at the attribute, with the fix', (name) => {
    const config: ObjectValue = { type: 'userpass', data: null, data_wo_version: 1, [name]: base['data'] ?? null };
    expect(found(config)).toEqual([
      {
        severity: 'error',
        summary: `${name}.opaque does not belong to the type "userpass"`,
        detail: `Write userpass in ${name}, or type = "opaque".`,
        path: [name],
      },
    ]);
  });

  test("is reported with the platform's word for the type and Terraform's name of the attribute", () => {
    const [only] = found({ type: 'azure-sdk' });
    expect(only?.detail).toBe('Write azure_sdk in data, or type = "opaque".');
  });

  test('is not reported if the type is invalid or unknown', () => {
    expect(found({ type: 'password' }).map(({ path }) => path)).toContainEqual(['type']);
    expect(found({ type: unknown })).toEqual([]);
  });
});

describe('no rule concludes anything from unknown values', () => {
  test.each([
    ['the type decides what is allowed', workload({ type: unknown, job: { schedule: '0 0 * * *' } })],
    ['a required value', workload({}, { image: unknown, name: unknown })],
    ['the ports of a serverless workload', workload({ type: 'serverless' }, { ports: unknown })],
    ['one container', workload({ containers: [unknown] })],
    ['everything', workload({ containers: unknown, type: unknown })],
  ])('%s', (_, config) => {
    expect(errors(config)).toEqual([]);
  });

  test('problems elsewhere are still reported', () => {
    expect(errors(workload({ default_options: { timeout_seconds: 4000 } }, { image: unknown }))).toEqual([
      ['spec.default_options.timeout_seconds', 'shape.range'],
    ]);
  });

  test('the index of an item is its position in the configuration, beside unknown items too', () => {
    const config = workload({}, { args: [unknown, 'a', unknown, 'b'] });
    expect(manifestOf('workload', config).unknowns).toEqual([
      { pointer: ['spec', 'containers', 0, 'args'], members: true },
    ]);
    expect(attributePathOf('workload', ['spec', 'containers', 0, 'args', 1], config)).toEqual([
      'spec',
      'containers',
      0,
      'args',
      3,
    ]);
  });

  const env = { spec: { containers: [{ env: { A: 'x', B: null, C: 'y' } }] } };
  // biome-ignore format: a row is a case
  test.each<[CreatableKind, Parameters<typeof attributePathOf>[1], ObjectValue, string]>([
    ['workload', ['gvc'], {}, 'gvc'],
    ['workload', ['id'], {}, 'id'],
    ['workload', [], {}, ''],
    ['workload', ['spec', 'none'], {}, 'spec'],
    ['workload', ['spec', 'containers', 0, 'env', 1, 'value'], env, 'spec.containers.0.env.C'], // null declares none
    ['workload', ['spec', 'containers', 0, 'env', 'x'], env, 'spec.containers.0.env'],
    ['workload', ['spec', 'containers', 0, 'args', 1], {}, 'spec.containers.0.args.1'],
    ['workload', ['spec', 'containers', 'main'], {}, 'spec.containers'],
    ['group', ['tags', 'team'], {}, 'tags.team'],
    ['secret', ['data', 'username'], { data: { userpass: { username: 'a' } } }, 'data.userpass.username'],
    ['secret', ['data', 'username'], { data_wo: { userpass: { username: 'a' } } }, 'data_wo.userpass.username'],
    ['secret', ['data', 'username'], {}, 'data'],
  ])('of a %s: the place %o in %o is at "%s"', (kind, pointer, config, path) => {
    expect(attributePathOf(kind, pointer, config).join('.')).toBe(path);
  });

  test.each<[CreatableKind, string, string]>([
    ['workload', 'spec.containers.main.minCpu', 'spec.containers["main"].min_cpu'],
    ['workload', 'spec.containers.main.env.A', 'spec.containers["main"].env["A"]'],
    ['workload', 'spec.containers.main.env.A.value', 'spec.containers["main"].env["A"]'],
    ['gvc', 'spec.tracing.customTags.a.literal.value', 'spec.tracing.custom_tags["a"].literal.value'],
    ['group', 'tags.team', 'tags["team"]'],
    ['group', 'none.of', '["none"]["of"]'],
  ])('of a %s: the path %s is %s for people', (kind, path, expected) => {
    expect(pathInAttributes(kind, path)).toBe(expected);
  });

  describe.each(subjects)('$kind $type', (subject) => {
    const kind = creatable(subject.kind);
    test('every error beside unknown values is also reported when all values are known', () => {
      const records = recordsOf(kind, subject.type).map((record: JsonObject) => configOf(kind, record, context));
      const partly = records.chain((config) => fc.tuple(fc.constant(config), withHoles(kind, config)));
      const found = (config: ObjectValue): readonly string[] =>
        validateConfig({ kind, config, validators, ...context })
          .filter(({ severity }) => severity === 'error')
          .map(({ path = [], detail }) => `${path.join('.')} ${/\((\S+)\)$/.exec(detail)?.[1] ?? detail}`);
      fc.assert(
        fc.property(partly, ([whole, partial]) => {
          const all = new Set(found(whole));
          expect(found(partial).filter((each) => !all.has(each))).toEqual([]);
        }),
        { numRuns: Number(process.env['GANTRY_TERRAFORM_RUNS'] ?? 20) },
      );
    });
  });
});

describe('a message', () => {
  const of = (spec: JsonObject): ObjectValue => configOf('volumeset', { name: 'files', spec }, context);
  const said = (config: ObjectValue): readonly string[] =>
    validateConfig({ kind: 'volumeset', config, validators, ...context }).map(
      ({ summary, detail }) => `${summary}. ${detail}`,
    );

  test('uses the names of attributes, in the rule as well as in its fix', () => {
    const wrong = of({
      initialCapacity: 50,
      performanceClass: 'general-purpose-ssd',
      autoscaling: { maxCapacity: 20 },
    });
    expect(said(wrong)).toEqual([
      'spec.initial_capacity: initial_capacity 50 GB must not be more than max_capacity 20 GB. ' +
        'Raise max_capacity, or lower initial_capacity. (V3)',
    ]);
  });

  test('appears once for an invalid value', () => {
    const config = of({ initialCapacity: 10, performanceClass: 'general-purpose-ssd' });
    const spec = isObjectValue(config['spec']) ? config['spec'] : {};
    expect(said({ ...config, spec: { ...spec, initial_capacity: 10n ** 30n } })).toEqual([
      'spec.initial_capacity is too large. Use a number below 9007199254740992.',
    ]);
  });
});
