import { describe, expect, it } from 'vitest';
import { messages } from '../../../src/provider/protocol/messages.ts';
import { codecOf } from '../../../src/provider/protocol/wire.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('the messages of the plugin protocol', () => {
  it('have the bytes of the protocol', () => {
    // severity = 1 (ERROR), summary = 2 "a", attribute = 4 { steps = 1 { attribute_name = 1 "b" } }
    expect(
      hex(codecOf('Diagnostic').encode({ severity: 1, summary: 'a', attribute: { steps: [{ attribute_name: 'b' }] } })),
    ).toBe(['0801', '120161', '2205', '0a03', '0a0162'].join(''));
    // A map is a repeated message of key = 1 and value = 2; resource_schemas = 2, block = 2, description = 4.
    expect(
      hex(codecOf('GetProviderSchema.Response').encode({ resource_schemas: { x: { block: { description: 'y' } } } })),
    ).toBe(['120a', '0a0178', '1205', '1203', '220179'].join(''));
  });

  it('write the first index of a list, although zero is the default', () => {
    expect(hex(codecOf('Step').encode({ element_key_int: 0 }))).toBe('1800');
    expect(codecOf('Step').decode(Buffer.from('1800', 'hex')).element_key_int).toBe(0);
  });

  it('read negative and 64-bit numbers in fields that are small in practice', () => {
    expect(codecOf('Schema').decode(Buffer.from('0807', 'hex')).version).toBe(7);
  });

  it('skip fields that a later version of the protocol adds', () => {
    // Field 15, a text, before the type name.
    const request = codecOf('ReadResource.Request').decode(Buffer.from(`7a017a${'0a0161'}`, 'hex'));
    expect(request.type_name).toBe('a');
  });

  it('refuse bytes that are no such message', () => {
    expect(() => codecOf('Diagnostic').decode(Buffer.from('12ff', 'hex'))).toThrow();
  });

  it('use each field number of a message once', () => {
    for (const [name, fields] of Object.entries(messages)) {
      const numbers = Object.values<string>(fields).map((declared) => declared.split(' ').at(-1));
      expect(new Set(numbers).size, name).toBe(numbers.length);
    }
  });
});
