import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MessageName, messages } from '../../../src/provider/protocol/messages.ts';
import { codecOf } from '../../../src/provider/protocol/wire.ts';
import { referenceCodecOf } from '../harness/referenceCodec.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('the messages of the plugin protocol', () => {
  it('have the bytes that the protocol says', () => {
    // severity = 1 (ERROR), summary = 2 "a", attribute = 4 { steps = 1 { attribute_name = 1 "b" } }
    expect(
      hex(codecOf('Diagnostic').encode({ severity: 1, summary: 'a', attribute: { steps: [{ attribute_name: 'b' }] } })),
    ).toBe(['0801', '120161', '2205', '0a03', '0a0162'].join(''));
    // A map is a repeated message of key = 1 and value = 2; resource_schemas = 2, block = 2, description = 4.
    expect(
      hex(codecOf('GetProviderSchema.Response').encode({ resource_schemas: { x: { block: { description: 'y' } } } })),
    ).toBe(['120a', '0a0178', '1205', '1203', '220179'].join(''));
  });

  it('write the first place of a list, although zero is the default', () => {
    expect(hex(codecOf('Step').encode({ element_key_int: 0 }))).toBe('1800');
    expect(codecOf('Step').decode(Buffer.from('1800', 'hex')).element_key_int).toBe(0);
  });

  it('read negative and 64-bit numbers of fields that are small in practice', () => {
    expect(codecOf('Schema').decode(Buffer.from('0807', 'hex')).version).toBe(7);
    expect(codecOf('Schema').decode(Buffer.from('08ffffffffffffffffff01', 'hex')).version).toBe(-1);
    expect(codecOf('Schema').decode(Buffer.from('0887ffffffff7f', 'hex')).version).toBe(-121);
  });

  it('skip fields that a later version of the protocol adds', () => {
    // field 15, a text, before the type name
    const request = codecOf('ReadResource.Request').decode(Buffer.from(`7a017a${'0a0161'}`, 'hex'));
    expect(request.type_name).toBe('a');
    // 15 as a number, as eight bytes and as four
    for (const other of ['788001', '790102030405060708', '7d01020304']) {
      expect(codecOf('TypeName').decode(Buffer.from(`${other}0a0161`, 'hex')), other).toEqual({ type_name: 'a' });
    }
  });

  it('refuse what is not such a message', () => {
    // a text without its end, with a length of 4 GiB, without its length; a number for a text; one of 11 bytes; a group
    for (const bytes of ['12ff', '12ffffffff0f61', '12', '1001', `08${'ff'.repeat(10)}01`, '7b']) {
      expect(() => codecOf('Diagnostic').decode(Buffer.from(bytes, 'hex')), bytes).toThrow();
    }
  });

  it('are not written with a value of another type', () => {
    const version: number = JSON.parse('"7"');
    expect(() => codecOf('Schema').encode({ version })).toThrow('version has a value of another type');
    expect(() => codecOf('Schema').encode({ version: -1 })).toThrow('-1 is no number of a message');
  });

  it('use each number of a message once', () => {
    for (const [name, fields] of Object.entries(messages)) {
      const numbers = Object.values<string>(fields).map((declared) => declared.split(' ').at(-1));
      expect(new Set(numbers).size, name).toBe(numbers.length);
    }
  });
});

describe('messages of any content', () => {
  const names = Object.keys(messages).filter(isName);
  const depth = 3;

  it.each(names)('%s means the same to protobufjs', (name) => {
    fc.assert(
      fc.property(messageOf(name, depth), (message) => {
        const written = codecOf(name).encode(message);
        expect(referenceCodecOf(name).decode(written)).toEqual(normal(name, message));
        const reference = referenceCodecOf(name).encode(message);
        expect(normal(name, codecOf(name).decode(reference))).toEqual(normal(name, message));
      }),
      { numRuns: 50 },
    );
  });
});

function isName(name: string): name is MessageName {
  return name in messages;
}

/** Short and long, with every number of bytes that a length may take, and names of `Object.prototype`. */
const scalars: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('__proto__', 'x'.repeat(127), 'x'.repeat(128), 'ä'.repeat(9000)),
  ),
  bytes: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  bool: fc.boolean(),
  int32: fc.oneof(fc.nat(300), fc.nat(2 ** 31 - 1)),
};

function messageOf(name: MessageName, depth: number): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const fields = Object.entries<string>(messages[name]).flatMap(([field, declared]) => {
    const { form, type } = partsOf(declared);
    if (isName(type) && depth === 0) return [];
    const value = isName(type) ? messageOf(type, depth - 1) : (scalars[type] ?? fc.constant(undefined));
    if (form === 'repeated') return [[field, fc.array(value, { maxLength: 3 })] as const];
    return [[field, form === 'map' ? fc.dictionary(fc.string(), value, { maxKeys: 3 }) : value] as const];
  });
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
}

function partsOf(declared: string): { readonly form: string; readonly type: string } {
  const words = declared.split(' ');
  return { form: words.length === 3 ? (words[0] ?? '') : 'plain', type: words.at(-2) ?? '' };
}

/** Without fields that have the default of their type, which need not be written. */
function normal(name: MessageName, message: object): Readonly<Record<string, unknown>> {
  const given = new Map<string, unknown>(Object.entries(message));
  return Object.fromEntries(
    Object.entries<string>(messages[name]).flatMap(([field, declared]) => {
      const { form, type } = partsOf(declared);
      const value = given.get(field);
      const inner = (each: unknown) => (isName(type) && isObject(each) ? normal(type, each) : each);
      if (value === undefined) return [];
      if (form === 'repeated') return Array.isArray(value) && value.length > 0 ? [[field, value.map(inner)]] : [];
      if (form === 'map' && isObject(value)) {
        const entries = Object.entries(value).map(([key, each]) => [key, inner(each)]);
        return entries.length === 0 ? [] : [[field, Object.fromEntries(entries)]];
      }
      const isDefault =
        value === '' || value === 0 || value === false || (value instanceof Uint8Array && value.length === 0);
      return isDefault && form !== 'optional' ? [] : [[field, inner(value)]];
    }),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
