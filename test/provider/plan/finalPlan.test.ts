import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../src/base/json/json.ts';
import { isListValue, isObjectValue, type ObjectValue, unknown, type Value } from '../../../src/hcl/value.ts';
import { configOf, stateOf } from '../../../src/hcl/values/stateOf.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import { patchFor } from '../../../src/provider/plan/patchFor.ts';
import type { CreatableKind } from '../../../src/schema/record/kinds.ts';
import { type AnswerForm, answerForms, shownRecord } from '../../../src/server/records/decisions/shownRecord.ts';
import { changeFaults } from '../../hcl/core.ts';
import {
  type Applied,
  contextIn,
  creatable,
  isAmbiguous,
  type Path,
  pierced,
  planned,
  reordered,
  stored,
  terraformOn,
  withHoles,
} from '../../hcl/lifecycle.ts';
import { fullModes } from '../../noise/modes.ts';
import { context, mixed, recordsOf, subjects } from '../../patch/realRecord.ts';

const numRuns = Number(process.env['GANTRY_TERRAFORM_RUNS'] ?? 6);

/**
 * Terraform plans twice: to show the plan, and in the apply, when all values are known. The provider does not get the
 * first plan, so every value that was known in it must follow from the configuration and the state alone.
 */
describe.each(subjects)('$kind $type', ({ kind: each, type }) => {
  const kind = creatable(each);
  const records = recordsOf(kind, type).filter((record) => !isAmbiguous(record));
  const shape = (record: JsonObject) => shapeOf(kind, record);
  const shownAs = (record: JsonObject, forms: readonly AnswerForm[]): JsonObject =>
    shownRecord(shape(record), record, contextIn(kind), new Set(forms));
  const config = (record: JsonObject): ObjectValue => configOf(kind, record, context);
  const forms = fc.constantFrom<readonly AnswerForm[]>([], ...fullModes.map(({ answers }) => answers));

  const anotherForm = (record: JsonObject): fc.Arbitrary<JsonObject> =>
    fc.subarray([...answerForms].filter((form) => form !== 'tagged')).map((chosen) => shownAs(record, chosen));
  const anotherOrder = (value: ObjectValue): fc.Arbitrary<ObjectValue> =>
    fc.oneof(fc.constant(value), reordered(value).filter(isObjectValue));
  const pairs = fc.tuple(records, records).chain(([a, b]) =>
    fc.tuple(
      fc.constant(a),
      fc
        .oneof(fc.constant(a), mixed(a, b).filter(isObject), fc.constant(b))
        .chain((record) => fc.oneof(fc.constant(record), anotherForm(record)))
        .filter((record) => !isAmbiguous(record))
        .chain((record) => anotherOrder(config(record))),
    ),
  );
  const cases = fc.tuple(pairs, forms, fc.boolean()).chain(([[first, second], answers, isImported]) =>
    fc.record({
      first: fc.constant(first),
      second: fc.constant(second),
      early: withHoles(kind, second),
      answers: fc.constant(answers),
      isImported: fc.constant(isImported),
    }),
  );

  function imported(record: JsonObject, answers: readonly AnswerForm[]): Applied {
    const live = stored(kind, record, 1);
    return { live, state: stateOf(kind, shownAs(live, answers), context) };
  }

  test('values that are known in a plan are the same in the apply and after it, and the next plan is empty', () => {
    fc.assert(
      fc.property(cases, ({ first, second, early, answers, isImported }) => {
        const terraform = terraformOn(kind, answers);
        const before = isImported ? imported(first, answers) : terraform.apply(config(first));
        const after = terraform.apply(second, before, early);
        // A platform that hides a derived value shows it when it no longer follows, which takes a second write.
        terraform.expectEmpty(second, answers.includes('bare') ? terraform.apply(second, after) : after);
      }),
      { numRuns },
    );
  });

  test('the same holds for a creation', () => {
    fc.assert(
      fc.property(cases, ({ second, early }) => {
        const [plan, final] = [planned(kind, early, null), planned(kind, second, null)];
        expect(changeFaults(plan.planned, final.planned)).toEqual([]);
      }),
      { numRuns },
    );
  });
});

const where = { org: 'acme', gvc: 'shop' };

describe('an equivalent configuration that is partly unknown', () => {
  const container = (fields: JsonObject): JsonObject => ({
    name: 'web',
    spec: { type: 'standard', containers: [{ name: 'main', image: 'shop:1', ...fields }] },
  });
  const [a, b] = [
    { name: 'A', value: '1' },
    { name: 'B', value: '2' },
  ];
  const placed = (...links: readonly string[]): JsonObject => ({
    name: 'web',
    spec: { staticPlacement: { locationLinks: links } },
  });
  const inContainer = (...path: Path): Path => ['spec', 'containers', 0, ...path];
  const inLinks = (index: number): Path => ['spec', 'static_placement', 'location_links', index];
  // biome-ignore format: one case a line
  const cases: readonly (readonly [string, CreatableKind, JsonObject, JsonObject, Path])[] = [
    ['another order', 'workload', container({ env: [a, b] }), container({ env: [b, a] }), inContainer('env', 1, 'value')],
    ['another order of texts', 'gvc', placed('//location/a', '//location/b'), placed('//location/b', '//location/a'),
      inLinks(0)],
    ['another form of a text', 'gvc', placed('//location/a', '//location/b'),
      placed('/org/acme/location/a', '//location/b'), inLinks(1)],
    ['another quantity', 'workload', container({ memory: '1Gi' }), container({ memory: '1024Mi' }), inContainer('name')],
  ];
  test.each(cases)('%s is planned the same when all values are known', (_, kind, before, after, hole) => {
    const prior = stateOf(kind, stored(kind, before, 1), where);
    const config = configOf(kind, after, where);
    const [plan, final] = [planned(kind, pierced(config, hole), prior), planned(kind, config, prior)];
    expect(changeFaults(plan.planned, final.planned)).toEqual([]);
    expect(patchFor({ kind, config, prior, live: stored(kind, before, 1), ...where })).toBeUndefined();
  });
});

describe('an attribute that is not configured', () => {
  const at = (value: Value | undefined, ...path: readonly string[]): Value | undefined =>
    path.reduce<Value | undefined>((inside, name) => (isObjectValue(inside) ? inside[name] : undefined), value);
  const workload = (autoscaling: JsonObject): JsonObject => ({
    name: 'web',
    spec: {
      type: 'standard',
      containers: [{ name: 'main', image: 'shop:1' }],
      defaultOptions: { autoscaling: { metric: 'cpu', ...autoscaling } },
    },
  });

  test('is unknown if the platform may choose another value, because a neighbour that excludes it is unknown', () => {
    const prior = stateOf('workload', stored('workload', workload({ target: 80 }), 1), where);
    const config = configOf('workload', workload({}), where);
    const target = (open: ObjectValue): Value | undefined =>
      at(planned('workload', open, prior).planned ?? {}, 'spec', 'default_options', 'autoscaling', 'target');
    expect(target(config)).toBe(80);
    expect(target(pierced(config, ['spec', 'containers', 0, 'image']))).toBe(80);
    expect(target(pierced(config, ['spec', 'default_options', 'autoscaling', 'multi']))).toBe(unknown);
  });

  test('is null if it is a block, which Terraform cannot compute, whatever its neighbours are', () => {
    const domain = { name: 'shop.example.com', spec: { ports: [{ number: 443, protocol: 'http2', tls: {} }] } };
    const prior = stateOf('domain', stored('domain', domain, 1), where);
    const config = configOf('domain', { ...domain, spec: { ports: [{ number: 443, protocol: 'http2' }] } }, where);
    const tls = (open: ObjectValue): Value | undefined => {
      const ports = at(planned('domain', open, prior).planned ?? {}, 'spec', 'ports');
      return isListValue(ports) ? at(ports[0], 'tls') : undefined;
    };
    expect(tls(config)).toBeNull();
    expect(tls(pierced(config, ['spec', 'ports', 0, 'protocol']))).toBeNull();
  });
});
