import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json/json.ts';
import { lifecycleNames, parseLifecycle } from '../../../src/manifest/lifecycleBlock.ts';

test.each([
  {},
  { protect: true, retain: false, replace: true, wait: false, part: true },
  { waitTimeout: '1h30m' },
  { adopt: true },
  { adopt: false },
  { adopt: { from: 'other' } },
  { handOver: 'other' },
  { handOver: 'other', adopt: true },
  { previously: 'old' },
  { ignore: [], untyped: ['spec.x'], sensitive: ['spec.*.env', 'tags."a.b"'], dependsOn: ['gvc/a', 'a..b'] },
])('%j is accepted unchanged', (block) => {
  expect(parseLifecycle(block)).toEqual({ lifecycle: block, problems: [] });
});

test('no block is an empty one', () => {
  expect(parseLifecycle(undefined)).toEqual({ lifecycle: {}, problems: [] });
});

describe('a problem is reported at its place, and the field is omitted', () => {
  const [flag, time, adopt, handOver, previously, paths, ids] = [
    'must be true or false',
    'lifecycle.waitTimeout must be a duration with a unit',
    'lifecycle.adopt must be true, false or {from: STACK}',
    'lifecycle.handOver must be the name of the stack that takes it over',
    'lifecycle.previously must be the name that the resource had',
    'must be a list of paths (spec.containers.main.cpu)',
    'lifecycle.dependsOn must be a list of resource ids (kind/[gvc/]name)',
  ];
  test.each<{ block: JsonValue; rule?: string; at: string; message: string; hint?: string }>(
    // biome-ignore format: a row is a case
    [
      { block: [], at: 'lifecycle', message: 'lifecycle must be an object',
        hint: `Its fields: ${lifecycleNames.join(', ')}.` },
      { block: null, at: 'lifecycle', message: 'lifecycle must be an object',
        hint: `Its fields: ${lifecycleNames.join(', ')}.` },
      { block: { protekt: true }, rule: 'shape.unknown-field', at: 'lifecycle.protekt',
        message: 'lifecycle has no field "protekt"', hint: 'Did you mean "protect"?' },
      { block: { nothing: 1 }, rule: 'shape.unknown-field', at: 'lifecycle.nothing',
        message: 'lifecycle has no field "nothing"' },
      ...['protect', 'retain', 'replace', 'wait', 'part'].flatMap((name) => ['yes', null, 1].map((value) => ({
            block: { [name]: value },
            at: `lifecycle.${name}`,
            message: `lifecycle.${name} ${flag}`,
            hint: 'Write it without quotes.',
          }))),
      ...[300, '300', '5 min', '', null].map((waitTimeout) => ({ block: { waitTimeout }, at: 'lifecycle.waitTimeout',
          message: time, hint: 'Write 30s, 5m or 1h30m.' })),
      ...['other', {}, { from: '' }, { from: 5 }, { from: 'a', more: 1 }, { stack: 'a' }, null].map((value) => ({
          block: { adopt: value },
          at: 'lifecycle.adopt',
          message: adopt,
          hint: 'STACK is the current value of the tag gantry/stack.',
        })),
      ...['', true, null].map((value) => ({ block: { handOver: value }, at: 'lifecycle.handOver', message: handOver,
          hint: 'Write the name of the other stack, which is the value of its tag gantry/stack.' })),
      ...['', 5, 'gvc/a', null].map((value) => ({ block: { previously: value }, at: 'lifecycle.previously',
          message: previously, hint: 'Write the name alone, without kind and GVC.' })),
      ...['ignore', 'untyped', 'sensitive'].flatMap((name) => ['tags', ['tags', 5], ['tags', ''], null].map(
          (value) => ({ block: { [name]: value }, at: `lifecycle.${name}`, message: `lifecycle.${name} ${paths}` }))),
      ...['gvc/a', [5], ['']].map((dependsOn) => ({ block: { dependsOn }, at: 'lifecycle.dependsOn', message: ids })),
    ],
  )('$block', ({ block, rule = 'shape.type', at, message, hint }) => {
    const pointer = at.split('.');
    const problem = { rule, path: at, pointer, message, severity: 'error', ...(hint === undefined ? {} : { hint }) };
    expect(parseLifecycle(block)).toEqual({ lifecycle: {}, problems: [problem] });
  });

  test.each(['ignore', 'untyped', 'sensitive'])('an invalid path of %s', (name) => {
    const long = `.${'x'.repeat(200)}`;
    const { problems } = parseLifecycle({ [name]: ['tags.a', 'a..b', long] });
    expect(problems.map(({ rule, path, pointer, message, hint }) => ({ rule, path, pointer, message, hint }))).toEqual(
      [
        ['a..b', 1],
        [`.${'x'.repeat(119)}`, 2],
      ].map(([shown, index]) => ({
        rule: 'manifest.path',
        path: `lifecycle.${name}.${index}`,
        pointer: ['lifecycle', name, index],
        message: `"${shown}" is not a path`,
        hint: 'Write it dotted, unusual names in quotes: tags."a.b".',
      })),
    );
  });

  test('fields without a meaning beside handOver', () => {
    const { lifecycle, problems } = parseLifecycle({ handOver: 'a', previously: 'b', adopt: { from: 'c' } });
    expect(lifecycle).toEqual({ handOver: 'a', previously: 'b', adopt: { from: 'c' } });
    expect(problems.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'manifest.hand-over lifecycle.previously',
      'manifest.hand-over lifecycle.adopt',
    ]);
  });

  test('all problems of a block are reported, and the other fields are used', () => {
    const { lifecycle, problems } = parseLifecycle({
      wait: 'no',
      retain: true,
      adopt: 'x',
      ignore: 'x',
      previously: 'a',
    });
    expect(lifecycle).toEqual({ retain: true, previously: 'a' });
    expect(problems.map(({ path }) => path)).toEqual(['lifecycle.wait', 'lifecycle.adopt', 'lifecycle.ignore']);
  });
});
