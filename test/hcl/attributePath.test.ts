import { describe, expect, test } from 'vitest';
import type { Pointer } from '../../src/base/json/pointer.ts';
import type { AttributePath } from '../../src/hcl/diagnostic.ts';
import { type ObjectValue, unknown, type Value } from '../../src/hcl/value.ts';
import { attributePathOf, pathInAttributes } from '../../src/hcl/values/attributePath.ts';
import { manifestOf } from '../../src/hcl/values/manifestOf.ts';
import type { KnownKind } from '../../src/schema/record/kinds.ts';

const container = (fields: ObjectValue): ObjectValue => ({ spec: { containers: [{ name: 'main', ...fields }] } });
const filter = (other_settings: Value): ObjectValue => ({
  spec: { sidecar: { proxy: { http: [{ name: 'f', typed_config: { other_settings } }] } } },
});
const inFilter: AttributePath = ['spec', 'sidecar', 'proxy', 'http', 0, 'typed_config', 'other_settings'];
const term = (value: ObjectValue): ObjectValue => ({
  spec: { static_placement: { location_query: { spec: { terms: [value] } } } },
});
const inTerm: AttributePath = ['spec', 'static_placement', 'location_query', 'spec', 'terms', 0];

// biome-ignore format: a row is a case
test.each<readonly [string, KnownKind, Pointer, ObjectValue, AttributePath]>([
  ['its GVC', 'workload', ['gvc'], {}, ['gvc']],
  ['a field', 'workload', ['spec', 'containers', 0, 'minCpu'], {}, ['spec', 'containers', 0, 'min_cpu']],
  ['a read-only field', 'workload', ['status', 'endpoint'], {}, ['status']],
  ['a field without an attribute', 'workload', ['spec', 'nothing'], {}, ['spec']],
  ['a variable by its name: null counts as absent', 'workload', ['spec', 'containers', 0, 'env', 1, 'value'],
    container({ env: { A: 'x', B: null, C: 'y' } }), ['spec', 'containers', 0, 'env', 'C']],
  ['a variable that is not in the configuration', 'workload', ['spec', 'containers', 0, 'env', 1, 'value'],
    container({ env: { A: 'x' } }), ['spec', 'containers', 0, 'env']],
  ['an item of a list, after an unknown one', 'workload', ['spec', 'containers', 0, 'args', 1],
    container({ args: ['a', unknown, 'b'] }), ['spec', 'containers', 0, 'args', 2]],
  ['an item of a set, which has no position', 'group', ['memberLinks', 1], { member_links: ['a', 'b'] },
    ['member_links']],
  ['a member of a map', 'gvc', ['spec', 'tracing', 'customTags', 'a', 'literal', 'value'], {},
    ['spec', 'tracing', 'custom_tags', 'a', 'literal', 'value']],
  ['one of several attributes of a field: the one that is set', 'gvc',
    ['spec', 'staticPlacement', 'locationQuery', 'spec', 'terms', 0, 'value'], term({ value_bool: true }),
    [...inTerm, 'value_bool']],
  ['a setting without its own attribute', 'gvc',
    ['spec', 'sidecar', 'proxy', 'http', 0, 'typed_config', 'newer'], {}, inFilter],
  ['the value of a secret', 'secret', ['data', 'payload'], { data: { opaque: { payload: 'x' } } },
    ['data', 'opaque', 'payload']],
  ['the value of a write-only secret', 'secret', ['data', 'payload'],
    { data: null, data_wo: { opaque: { payload: 'x' } } }, ['data_wo', 'opaque', 'payload']],
  ['a missing secret value', 'secret', ['data', 'payload'], {}, ['data']],
])('the attribute of %s', (_, kind, pointer, config, expected) => {
  expect(attributePathOf(kind, pointer, config)).toEqual(expected);
});

test.each<readonly [KnownKind, string, string]>([
  ['workload', 'spec.containers.main.minCpu', 'spec.containers["main"].min_cpu'],
  ['workload', 'spec.containers.main.env.A.value', 'spec.containers["main"].env["A"]'],
  ['gvc', 'spec.tracing.customTags.a.literal.value', 'spec.tracing.custom_tags["a"].literal.value'],
  ['gvc', 'tags.team', 'tags["team"]'],
])('a path of a %s in a message: %s', (kind, path, expected) => {
  expect(pathInAttributes(kind, path)).toBe(expected);
});

describe('a configuration as a manifest', () => {
  // biome-ignore format: a row is a case
  test.each<readonly [string, KnownKind, ObjectValue, AttributePath, string]>([
    ['a value of another type', 'group', { name: ['x'] }, ['name'], 'has the wrong type'],
    ['a number that is too large', 'volumeset', { spec: { initial_capacity: 9007199254740993n } },
      ['spec', 'initial_capacity'], 'is too large'],
    ['other settings that are not JSON', 'gvc', filter('{'), inFilter, 'is no JSON'],
    ['other settings that are a list', 'gvc', filter('[1]'), inFilter, 'is no JSON object'],
    ['other settings that contain an attribute', 'gvc', filter('{"failure_mode_allow":true}'), inFilter,
      'sets failure_mode_allow, which is an attribute of its own'],
    ['two attributes of one field', 'gvc', term({ value: 'x', value_bool: true }), [...inTerm, 'value_bool'],
      'cannot be set: of value and value_bool only one may be'],
    ['a secret value twice', 'secret',
      { type: 'opaque', data: { opaque: { payload: 'x' } }, data_wo: { opaque: { payload: 'y' } } }, ['data_wo'],
      'cannot be set: of data and data_wo only one may be'],
    ['no secret value', 'secret', { type: 'opaque', data: {} }, ['data'], 'has no value'],
  ])('%s is refused', (_, kind, config, path, what) => {
    const { diagnostics } = manifestOf(kind, config);
    expect(diagnostics.map((each) => [each.path, each.summary.replace(/^\S+ /, '')])).toEqual([[path, what]]);
  });

  // biome-ignore format: a row is a case
  test.each<readonly [string, KnownKind, ObjectValue, readonly object[]]>([
    ['its GVC', 'identity', { gvc: unknown }, [{ pointer: ['gvc'] }]],
    ['a value', 'group', { description: unknown }, [{ pointer: ['description'] }]],
    ['an item of a list of values', 'workload', container({ args: ['a', unknown] }),
      [{ pointer: ['spec', 'containers', 0, 'args'], members: true }]],
    ['other settings', 'gvc', filter(unknown),
      [{ pointer: ['spec', 'sidecar', 'proxy', 'http', 0, 'typed_config'], members: true }]],
    ['a write-only secret value', 'secret', { type: 'opaque', data_wo: unknown },
      [{ pointer: ['data'] }]],
    ['nothing, beside a known value', 'secret',
      { type: 'opaque', data: { opaque: { payload: 'x' } }, data_wo: unknown }, []],
  ])('unknown values: %s', (_, kind, config, expected) => {
    expect(manifestOf(kind, config)).toMatchObject({ unknowns: expected, diagnostics: [] });
  });
});
