import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ed25519KeyOf, publicKeyOf } from '../../src/signing/publicKey.ts';
import { readOpensshKey, readSigningKey } from '../../src/signing/signingKey.ts';
import { parseTrustedKeys } from '../../src/signing/trustedKeys.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import {
  openssh,
  opensshEncrypted,
  opensshFingerprint,
  opensshPublic,
  pkcs8,
  pkcs8Encrypted,
  pkcs8Public,
  rsaPublic,
} from './keyFiles.ts';

const folder = temporaryFolder('keys');
const file = 'key';
const notes: string[] = [];

function read(text: string, { mode = 0o600, passphrase }: { mode?: number; passphrase?: string } = {}) {
  const path = join(folder, `${file}-${notes.length}-${Math.abs(mode)}`);
  writeFileSync(path, text, { mode });
  return readSigningKey(path, {
    cwd: folder,
    environment: passphrase === undefined ? {} : { GANTRY_SIGN_PASSPHRASE: passphrase },
    tell: (notice) => void notes.push(notice.type === 'note' ? notice.text : notice.type),
  });
}

describe('a private key', () => {
  test('of OpenSSH has the fingerprint that ssh-keygen prints, and signs what its public key verifies', async () => {
    const { privateKey, fingerprint } = await read(openssh);
    expect(fingerprint).toBe(opensshFingerprint);
    const [trusted] = parseTrustedKeys(opensshPublic, 'keys');
    expect(trusted).toMatchObject({ fingerprint, name: 'planner@example.com' });
    const message = Buffer.from('x');
    expect(trusted && verify(null, message, trusted.key, sign(null, message, privateKey))).toBe(true);
  });

  test('in PKCS #8 matches its public key, even if encrypted', async () => {
    const [trusted] = parseTrustedKeys(pkcs8Public, 'keys');
    expect((await read(pkcs8)).fingerprint).toBe(trusted?.fingerprint);
    expect((await read(pkcs8Encrypted, { passphrase: 'open sesame' })).fingerprint).toMatch(/^SHA256:[\w+/]{43}$/);
  });

  test('makes the signature of RFC 8032, 7.1, test 2', () => {
    const seed = Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex');
    const raw = Buffer.from('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', 'hex');
    const signature = Buffer.from(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
      'hex',
    );
    const read = readOpensshKey(opensshFile(seed, raw));
    if (read.is !== 'key') throw new Error(read.is);
    expect(sign(null, Buffer.from('72', 'hex'), read.key)).toEqual(signature);
    expect(verify(null, Buffer.from('72', 'hex'), publicKeyOf(raw).key, signature)).toBe(true);
  });

  test('with parts that do not match is refused, because it could sign for another key', () => {
    const other = publicKeyOf(Buffer.alloc(32, 7)).key.export({ format: 'der', type: 'spki' }).subarray(12);
    expect(readOpensshKey(opensshFile(Buffer.alloc(32, 1), other))).toEqual({
      is: 'damaged',
      why: 'its parts do not match',
    });
  });

  test.each(Array.from({ length: 8 }, (_, index) => Math.floor((openssh.length * index) / 8)))(
    'of OpenSSH that ends after %i characters is refused',
    async (length) => {
      await expect(read(openssh.slice(0, length))).rejects.toMatchObject({ code: 'saved.key-format' });
    },
  );

  const rsa = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const ec = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

  // biome-ignore format: a row is a case
  test.each([
    { it: 'RSA', text: rsa.privateKey, code: 'saved.key-type', says: 'of the type rsa; plans are signed with Ed25519' },
    { it: 'ECDSA', text: ec.privateKey, code: 'saved.key-type', says: 'of the type ec' },
    { it: 'a public key', text: opensshPublic, code: 'saved.key-format', says: 'it is a public key' },
    { it: 'a public key in PEM', text: pkcs8Public, code: 'saved.key-format', says: 'it is a public key' },
    { it: 'empty', text: '', code: 'saved.key-format', says: 'it is not a private key' },
    { it: 'half of PEM', text: pkcs8.slice(0, 60), code: 'saved.key-format', says: 'it is not a whole private key' },
    { it: 'encrypted by OpenSSH', text: opensshEncrypted, code: 'saved.key-passphrase',
      says: 'the key is encrypted in the OpenSSH format' },
    { it: 'encrypted', text: pkcs8Encrypted, code: 'saved.key-passphrase', says: 'the key is encrypted' },
  ])('that is $it is refused with a hint, and without its content', async ({ text, code, says }) => {
    const error = await read(text).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringContaining(says), hint: expect.stringMatching(/\w{4}/) });
    const lines = text.split('\n').filter((line) => line.length > 20 && !line.startsWith('-----'));
    for (const line of lines) expect(JSON.stringify(error)).not.toContain(line);
  });

  test('with another passphrase is refused', async () => {
    await expect(read(pkcs8Encrypted, { passphrase: 'wrong' })).rejects.toMatchObject({ code: 'saved.key-passphrase' });
  });

  test('that others can read is used, with a note', async () => {
    notes.length = 0;
    await read(pkcs8);
    expect(notes).toEqual([]);
    await read(pkcs8, { mode: 0o644 });
    expect(notes).toEqual([expect.stringMatching(/^note: .*: others may read this private key/)]);
  });

  test('that is missing, or a folder, is an error that names the file', async () => {
    const session = { cwd: folder, environment: {}, tell: () => {} };
    await expect(readSigningKey('none', session)).rejects.toMatchObject({ code: 'saved.key-file' });
    await expect(readSigningKey('.', session)).rejects.toMatchObject({ code: 'saved.key-file' });
  });
});

describe('a file of public keys', () => {
  const blob = opensshPublic.split(' ')[1] ?? '';

  test.each([
    { it: 'authorized_keys', text: opensshPublic, name: 'planner@example.com' },
    { it: 'allowed_signers', text: `ci@example.com ssh-ed25519 ${blob}`, name: 'ci@example.com' },
    { it: 'a name of several words', text: `ssh-ed25519 ${blob} the  night job\r\n`, name: 'the night job' },
    { it: 'no name', text: `# planners\n\nssh-ed25519 ${blob}\n`, name: undefined },
    { it: 'the same key twice', text: `${opensshPublic}\nssh-ed25519 ${blob} again`, name: 'planner@example.com' },
  ])('is read as $it', ({ text, name }) => {
    expect(parseTrustedKeys(text, 'keys').map((key) => [key.fingerprint, key.name])).toEqual([
      [opensshFingerprint, name],
    ]);
  });

  test('may contain lines and PEM', () => {
    const keys = parseTrustedKeys(`${pkcs8Public}${opensshPublic}\n`, 'keys');
    expect(keys.map(({ name }) => name).sort()).toEqual(['planner@example.com', undefined]);
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'RSA', text: `\n${rsaPublic}`, code: 'saved.key-type', says: 'keys:2: this is a key of the type ssh-rsa' },
      { it: 'a private key', text: pkcs8, code: 'saved.key-format', says: 'keys:1: this is a private key' },
      { it: 'options', text: `valid-before="20200101" ${opensshPublic}`, code: 'saved.key-format',
        says: 'options before a key' },
      { it: 'an extra word', text: `a b ${opensshPublic}`, code: 'saved.key-format', says: 'options before a key' },
      { it: 'an authority', text: `cert-authority ${opensshPublic}`, code: 'saved.key-format',
        says: 'options before a key' },
      { it: 'half a key', text: `ssh-ed25519 ${blob.slice(0, 40)}`, code: 'saved.key-format',
        says: 'this key is not whole' },
      { it: 'another type inside', text: `ssh-ed25519 ${rsaPublic.split(' ')[1]}`, code: 'saved.key-format',
        says: 'not whole' },
      { it: 'text', text: 'hello', code: 'saved.key-format', says: 'this is not a public key' },
    ],
  )('with $it is refused, with its line', ({ text, code, says }) => {
    const parse = () => parseTrustedKeys(text, 'keys');
    expect(parse).toThrow(expect.objectContaining({ code, message: expect.stringContaining(says) }));
  });

  test('a key has the same fingerprint in every form', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    expect(ed25519KeyOf(publicKey)?.fingerprint).toBe(ed25519KeyOf(privateKey)?.fingerprint);
  });
});

/** From the description of openssh-key-v1 in `PROTOCOL.key`. */
function opensshFile(seed: Buffer, raw: Buffer): string {
  const string = (bytes: Buffer | string): Buffer => {
    const content = Buffer.from(bytes);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    return Buffer.concat([length, content]);
  };
  const one = Buffer.from([0, 0, 0, 1]);
  const secret = Buffer.concat([
    one,
    one,
    string('ssh-ed25519'),
    string(raw),
    string(Buffer.concat([seed, raw])),
    string('c'),
  ]);
  const bytes = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...[string('none'), string('none'), string(''), one],
    string(Buffer.concat([string('ssh-ed25519'), string(raw)])),
    string(secret),
  ]);
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}
