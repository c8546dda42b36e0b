import { describe, expect, test } from 'vitest';
import { resourceSchema } from '../../../src/hcl/schema/providerSchema.ts';
import {
  attributeOf,
  isListValue,
  isObjectValue,
  type ObjectValue,
  unknown,
  type Value,
} from '../../../src/hcl/value.ts';
import { configOf } from '../../../src/hcl/values/stateOf.ts';
import { loadValidators } from '../../../src/kinds/validators.ts';
import { validateConfig } from '../../../src/provider/plan/validateConfig.ts';
import { creatableKinds, isCreatableKind } from '../../../src/schema/record/kinds.ts';
import { type Path, pierced } from '../../hcl/lifecycle.ts';
import { context } from '../../kinds/rules/ruleCase.ts';
import { cases } from '../../kinds/rules/tables.ts';

const validators = await loadValidators(creatableKinds);

/** Each record of the tables of rules as a configuration, and its problems: `W24 spec.containers.0.cpu`. */
const configurations = cases.flatMap(({ kind, rule, it, passes, fails, context: of = context }) => {
  if (!isCreatableKind(kind)) return [];
  const found = (config: ObjectValue): readonly string[] =>
    validateConfig({ kind, config, validators, ...of })
      .filter(({ severity }) => severity === 'error')
      .map(({ path = [], detail }) => `${/\((\S+)\)$/.exec(detail)?.[1] ?? detail} ${path.join('.')}`);
  const right = { kind, found, config: configOf(kind, passes, of), name: `${rule} (not ${it})` };
  return [{ ...right, config: configOf(kind, fails, of), name: `${rule} (${it})` }, right];
});

const wrong = configurations
  .map((each) => ({ ...each, whole: each.found(each.config) }))
  .filter(({ whole }) => whole.length > 0);

describe('a problem is found beside an unrelated unknown attribute', () => {
  test('there are many problems, of many kinds', () => {
    expect(wrong.length).toBeGreaterThan(150);
    expect(new Set(wrong.map(({ kind }) => kind)).size).toBeGreaterThan(8);
  });

  test.each(wrong)('$kind: $name', ({ kind, config, found, whole }) => {
    const isAbout = (attribute: string) => (each: string) => each.endsWith(` ${attribute}`);
    const description = whole.filter((each) => !isAbout('description')(each));
    expect(found({ ...config, description: unknown })).toEqual(description);
    if (!Object.hasOwn(resourceSchema(kind).attributes, 'gvc')) return;
    // This rule compares the GVC, so it cannot decide.
    expect(found({ ...config, gvc: unknown })).toEqual(whole.filter((each) => !each.startsWith('link.gvc ')));
  });
});

describe('no problem is reported beside an unknown value that would not be reported beside a known one', () => {
  /** The writable places; only some of those in a large record. */
  function placesIn(kind: (typeof configurations)[number]['kind'], config: ObjectValue): readonly Path[] {
    const { attributes } = resourceSchema(kind);
    const written = Object.entries(attributes).filter(
      ([, { computed, optional }]) => computed !== true || optional === true,
    );
    const all = written.flatMap(([name]) => pathsIn(attributeOf(config, name), [name]));
    const step = Math.ceil(all.length / 12);
    return all.filter((_, index) => index % step === 0);
  }

  test.each([...Map.groupBy(configurations, ({ kind }) => kind)])('%s', (kind, each) => {
    for (const { config, found, name } of each) {
      if (JSON.stringify(config).length > 20_000) continue;
      const whole = found(config);
      for (const place of placesIn(kind, config)) {
        const more = found(pierced(config, place)).filter((problem) => !whole.includes(problem));
        expect(more, `${name}, without ${place.join('.')}`).toEqual([]);
      }
    }
  });
});

function pathsIn(value: Value, path: Path): readonly Path[] {
  if (isListValue(value)) return [path, ...value.flatMap((item, index) => pathsIn(item, [...path, index]))];
  if (!isObjectValue(value)) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]))];
}

test('a secret value that may become null is not counted as a second value', () => {
  const secret = configOf('secret', { name: 'database', type: 'opaque', data: { payload: 'x' } }, context);
  const said = (config: ObjectValue) =>
    validateConfig({ kind: 'secret', config: { ...secret, ...config }, validators, ...context });
  const data = attributeOf(secret, 'data');
  expect(said({ data: { ...(isObjectValue(data) ? data : {}), userpass: unknown } })).toEqual([]);
  expect(said({ data_wo: unknown })).toEqual([]);
});
