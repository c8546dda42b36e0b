import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { isObject, type JsonObject, type JsonValue, stringAt } from '../../../base/json/json.ts';

/**
 * Encrypts values that must be unreadable in a database and its backups. `owner` is the id of the record: a value
 * sealed for one record cannot be opened for another.
 */
export interface Seal {
  /** An empty object stays empty. */
  seal(value: JsonObject, owner: string): JsonObject;
  /**
   * Returns a value that was never sealed unchanged. Throws a plain Error if the value is damaged or was sealed with
   * another key.
   */
  open(sealed: JsonObject, owner: string): JsonObject;
}

const algorithm = 'aes-256-gcm';
const version = 'v1';
export const keyBytes = 32;

/** `key` has 32 bytes. */
export function sealWith(key: Uint8Array): Seal {
  return {
    seal(value, owner) {
      if (Object.keys(value).length === 0) return value;
      const nonce = randomBytes(12);
      const cipher = createCipheriv(algorithm, key, nonce);
      cipher.setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      const parts = [nonce, cipher.getAuthTag(), text].map((part) => part.toString('base64url'));
      return { sealed: [version, ...parts].join('.') };
    },
    open(sealed, owner) {
      const text = stringAt(sealed, 'sealed');
      if (text === undefined) return sealed;
      const value = openSealed(text, key, owner);
      return isObject(value) ? value : {};
    },
  };
}

function openSealed(text: string, key: Uint8Array, owner: string): JsonValue {
  const [form, ...parts] = text.split('.');
  const [nonce, tag, cipherText] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (form !== version || nonce === undefined || tag === undefined || cipherText === undefined) {
    throw new Error('a value was sealed in a form that this version does not know');
  }
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: 16 });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(tag);
  const value: JsonValue = JSON.parse(Buffer.concat([decipher.update(cipherText), decipher.final()]).toString('utf8'));
  return value;
}

/** Derives a key from a passphrase, such as `GANTRY_SECRET_KEY`: the same text gives the same key on every server. */
export function keyOfText(text: string): Uint8Array {
  return scryptSync(text, 'gantry serve: secrets at rest', keyBytes);
}

export function randomKey(): Uint8Array {
  return randomBytes(keyBytes);
}
