import { describe, expect, test } from 'vitest';
import { keyOfText, randomKey, sealWith } from '../../../src/server/store/model/seal.ts';

const value = { data: { password: 'hunter2-hunter2' } };

describe('what is sealed', () => {
  const seal = sealWith(randomKey());

  test('opens to what it was, and shows nothing of it', () => {
    const sealed = seal.seal(value, 'id-1');
    expect(JSON.stringify(sealed)).not.toContain('hunter2');
    expect(Buffer.from(JSON.stringify(sealed), 'base64url').toString('latin1')).not.toContain('hunter2');
    expect(seal.open(sealed, 'id-1')).toEqual(value);
  });

  test('is never the same twice', () => {
    expect(seal.seal(value, 'id-1')).not.toEqual(seal.seal(value, 'id-1'));
  });

  test('cannot be opened for another record, by another key, or when one character differs', () => {
    const sealed = seal.seal(value, 'id-1');
    const text = String(sealed['sealed']);
    const damaged = `${text.slice(0, -2)}${text.at(-2) === 'A' ? 'B' : 'A'}${text.slice(-1)}`;
    expect(() => seal.open(sealed, 'id-2')).toThrow();
    expect(() => sealWith(randomKey()).open(sealed, 'id-1')).toThrow();
    expect(() => seal.open({ sealed: damaged }, 'id-1')).toThrow();
    expect(() => seal.open({ sealed: 'v2.a.b.c' }, 'id-1')).toThrow();
    expect(() => seal.open({ sealed: '' }, 'id-1')).toThrow();
  });

  test('is nothing where there is nothing to hide', () => {
    expect(seal.seal({}, 'id-1')).toEqual({});
    expect(seal.open({}, 'id-1')).toEqual({});
  });
});

test('one passphrase gives one key on every server, another gives another', () => {
  const sealed = sealWith(keyOfText('correct horse')).seal(value, 'id-1');
  expect(sealWith(keyOfText('correct horse')).open(sealed, 'id-1')).toEqual(value);
  expect(() => sealWith(keyOfText('correct house')).open(sealed, 'id-1')).toThrow();
});
