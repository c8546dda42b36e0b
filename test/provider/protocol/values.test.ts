import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Attributes, AttributeType } from '../../../src/hcl/attribute.ts';
import { type ObjectValue, unknown, type Value } from '../../../src/hcl/value.ts';
import { readJson, readObject, writeObject } from '../../../src/provider/protocol/values.ts';
import { runs } from '../../harness/sampled.ts';

const optional = { description: '', optional: true } as const;
const typed = (type: AttributeType) => ({ ...optional, type });
const bytes = (hex: string) => ({ msgpack: Buffer.from(hex.replaceAll(' ', ''), 'hex') });
const hexOf = (object: ObjectValue | undefined, attributes: Attributes) =>
  Buffer.from(writeObject(object, attributes).msgpack ?? []).toString('hex');

const name = { a: typed('string') };
const count = { n: typed('number') };

describe('values on the wire', () => {
  it.each([
    ['null', '81 a161 c0', null],
    ['a text', '81 a161 a162', 'b'],
    ['unknown', '81 a161 d40000', unknown],
    ['unknown with refinements (ext 12)', '81 a161 c7 02 0c 81c2', unknown],
    ['unknown with an extension that does not exist yet', '81 a161 d47f00', unknown],
  ])('%s is read', (_, hex, expected) => {
    expect(readObject(bytes(hex), name)).toEqual({ a: expected });
  });

  it('unknown is written as extension 0; an absent attribute and an absent object as null', () => {
    expect(hexOf({ a: unknown }, name)).toBe('81a161d40000');
    expect(hexOf({}, name)).toBe('81a161c0');
    expect(hexOf(undefined, name)).toBe('c0');
    expect(readObject(bytes('c0'), name)).toBeUndefined();
    expect(hexOf({ d: null }, { d: typed('dynamic') })).toBe('81a164c0');
    expect(readObject({ msgpack: new Uint8Array(), json: Buffer.from('{"a":"b"}') }, name)).toEqual({ a: 'b' });
  });

  // biome-ignore format: a row is a case
  it.each([
    ['a small integer', '81 a16e 05', 5],
    ['2^32', '81 a16e cf 0000000100000000', 2 ** 32],
    ['2^53 + 1, which is no number of JavaScript', '81 a16e cf 0020000000000001', 2n ** 53n + 1n],
    ['-1', '81 a16e ff', -1],
    ['-2^53 + 1', '81 a16e d3 ffe0000000000001', Number.MIN_SAFE_INTEGER],
    ['-2^53 - 1, which is no number of JavaScript', '81 a16e d3 ffdfffffffffffff', -(2n ** 53n) - 1n],
    ['2^53 - 1', '81 a16e cf 001fffffffffffff', Number.MAX_SAFE_INTEGER],
    ['1.5 as a binary fraction', '81 a16e cb 3ff8000000000000', 1.5],
    ['0.1, sent as a text', '81 a16e a3 302e31', 0.1],
    ['0.0 as a text', '81 a16e a3 302e30', 0],
    ['an integer with 20 digits as a text', `81 a16e b4 ${Buffer.from('12345678901234567890').toString('hex')}`,
      12345678901234567890n],
    ['more digits than a number of JavaScript has',
      `81 a16e b6 ${Buffer.from('0.12345678901234567890').toString('hex')}`, '0.12345678901234567890'],
  ])('%s is a number and is never rounded', (_, hex, expected) => {
    expect(readObject(bytes(hex), count)).toEqual({ n: expected });
  });

  it('a number is written as text, because Terraform would compare its bits with another number in the state', () => {
    expect(hexOf({ n: 0.1 }, count)).toBe('81a16ea3302e31');
    expect(hexOf({ n: 1e-7 }, count)).toBe(`81a16ea4${Buffer.from('1e-7').toString('hex')}`);
    expect(hexOf({ n: 3 }, count)).toBe('81a16ea133');
  });

  it('an attribute that the schema no longer has leaves the state, and a new one is null', () => {
    const state = Buffer.from(JSON.stringify({ a: 'b', gone: 1 }));
    expect(readJson(state, { ...name, ...count })).toEqual({ a: 'b', n: null });
  });

  it('an empty list or map of blocks is null here and empty on the wire', () => {
    const block = (nesting: 'single' | 'list' | 'map') =>
      ({ b: { ...optional, isBlock: true, nesting, attributes: count } }) as const;
    for (const [nesting, none] of [
      ['list', '90'],
      ['map', '80'],
    ] as const) {
      expect(readObject(bytes(`81 a162 ${none}`), block(nesting))).toEqual({ b: null });
      expect(hexOf({ b: null }, block(nesting))).toBe(`81a162${none}`);
    }
    expect(readObject(bytes('81 a162 80'), block('single'))).toEqual({ b: { n: null } });
    expect(hexOf({ b: null }, block('single'))).toBe('81a162c0');
  });

  it('a value of any type carries its type', () => {
    const any = { d: typed('dynamic') };
    const value = { d: { ports: [80, 'http'], on: true } };
    const written = writeObject(value, any);
    expect(readObject(written, any)).toEqual(value);
    const type = ['object', { ports: ['tuple', ['number', 'string']], on: 'bool' }];
    expect(readJson(Buffer.from(JSON.stringify({ d: { value: value.d, type } })), any)).toEqual(value);
  });

  it('every value that is written is read the same, with null and unknown at every depth', () => {
    const attributes: Attributes = {
      text: typed('string'),
      list: typed(['list', 'string']),
      map: typed(['map', ['list', 'number']]),
      one: {
        ...optional,
        nesting: 'single',
        attributes: { deep: { ...optional, nesting: 'list', attributes: { on: typed('bool') } } },
      },
      by: { ...optional, nesting: 'map', attributes: { x: typed('number') } },
    };
    const maybe = <T extends Value>(of: fc.Arbitrary<T>): fc.Arbitrary<Value> =>
      fc.oneof({ weight: 6, arbitrary: of }, fc.constant(null), fc.constant(unknown));
    const key = fc.string().filter((text) => text !== '__proto__');
    const values = fc.record({
      text: maybe(fc.string()),
      list: maybe(fc.array(maybe(fc.string()))),
      map: maybe(
        fc.dictionary(
          key,
          maybe(
            fc.array(
              maybe(
                fc.oneof(
                  fc.maxSafeInteger(),
                  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
                ),
              ),
            ),
          ),
        ),
      ),
      one: maybe(fc.record({ deep: maybe(fc.array(maybe(fc.record({ on: maybe(fc.boolean()) })))) })),
      by: maybe(fc.dictionary(key, maybe(fc.record({ x: maybe(fc.integer()) })))),
    });
    fc.assert(
      fc.property(values, (value) => {
        expect(readObject(writeObject(value, attributes), attributes)).toEqual(value);
      }),
      { numRuns: runs(300) },
    );
  });
});
