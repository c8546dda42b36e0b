import { describe, expect, test } from 'vitest';
import { keyOfText, randomKey, sealWith } from '../../../src/server/store/model/seal.ts';

const value = { data: { password: 'hunter2-hunter2' } };

describe('a sealed value', () => {
  const seal = sealWith(randomKey());

  test('can be opened, and does not contain the plain text', () => {
    const sealed = seal.seal(value, 'id-1');
    expect(JSON.stringify(sealed)).not.toContain('hunter2');
    expect(Buffer.from(JSON.stringify(sealed), 'base64url').toString('latin1')).not.toContain('hunter2');
    expect(seal.open(sealed, 'id-1')).toEqual(value);
  });

  test('differs each time', () => {
    expect(seal.seal(value, 'id-1')).not.toEqual(seal.seal(value, 'id-1'));
  });

  test('cannot be opened for another record, with another key, or if one character differs', () => {
    const sealed = seal.seal(value, 'id-1');
    const text = String(sealed['sealed']);
    const damaged = `${text.slice(0, -2)}${text.at(-2) === 'A' ? 'B' : 'A'}${text.slice(-1)}`;
    expect(() => seal.open(sealed, 'id-2')).toThrow();
    expect(() => sealWith(randomKey()).open(sealed, 'id-1')).toThrow();
    expect(() => seal.open({ sealed: damaged }, 'id-1')).toThrow();
    expect(() => seal.open({ sealed: 'v2.a.b.c' }, 'id-1')).toThrow();
    expect(() => seal.open({ sealed: '' }, 'id-1')).toThrow();
  });

  test('is empty for an empty value', () => {
    expect(seal.seal({}, 'id-1')).toEqual({});
    expect(seal.open({}, 'id-1')).toEqual({});
  });
});

test('a passphrase gives the same key on every server, and another passphrase another key', () => {
  const sealed = sealWith(keyOfText('correct horse')).seal(value, 'id-1');
  expect(sealWith(keyOfText('correct horse')).open(sealed, 'id-1')).toEqual(value);
  expect(() => sealWith(keyOfText('correct house')).open(sealed, 'id-1')).toThrow();
});
