import { constants, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { stringAt } from '../../../base/json/json.ts';
import { causeText } from '../../../base/thrown.ts';
import { ToolError } from '../../../base/toolError.ts';
import { createFile } from './createFile.ts';
import type { Database } from './row.ts';
import { keyBytes, keyOfText, randomKey, type Seal, sealWith } from './seal.ts';

export interface KeySources {
  /** The passphrase of `GANTRY_SECRET_KEY`. */
  readonly secretKey: string | undefined;
  /** The path of the database's key file; undefined if the database ends with the process. */
  readonly file: string | undefined;
}

/** The fact that identifies a key by a text sealed with it. It belongs to the database, not to a snapshot. */
export const checkFact = 'secretKeyCheck';
const checkText = 'gantry';
const checkOwner = 'key check';

/**
 * Finds the key that opens the secrets of this database: the passphrase if there is one, otherwise the key beside the
 * database, which is created when first needed.
 *
 * Errors: `server.secret-key` if neither key sealed them.
 */
export async function findSeal(database: Database, home: string, { secretKey, file }: KeySources): Promise<Seal> {
  const passphrase = secretKey === undefined || secretKey === '' ? undefined : sealWith(keyOfText(secretKey));
  const known = await knownCheck(database, home);
  if (known === undefined) {
    const first = passphrase ?? sealWith(file === undefined ? randomKey() : await keyIn(file, true));
    const check = checkOf(first);
    const stored = await database.of(home).write((tx) => {
      const other = tx.fact(checkFact);
      if (other === undefined) tx.setFact(checkFact, check);
      return other ?? check;
    });
    if (opens(first, stored)) return first;
    throw wrongKey();
  }
  if (passphrase !== undefined && opens(passphrase, known)) return passphrase;
  // Without a key beside the database, the passphrase is wrong.
  if (file !== undefined && (passphrase === undefined || existsSync(file))) {
    const fileSeal = sealWith(await keyIn(file, false));
    if (opens(fileSeal, known)) return fileSeal;
  }
  throw wrongKey();
}

/** All orgs of a database share one key, whichever org a server was started with. */
async function knownCheck(database: Database, home: string): Promise<string | undefined> {
  for (const org of [home, ...(await database.orgs())]) {
    const check = await database.of(org).read((tx) => tx.fact(checkFact));
    if (check !== undefined) return check;
  }
  return undefined;
}

/** The text to store, which identifies the key. */
export function checkOf(seal: Seal): string {
  return stringAt(seal.seal({ text: checkText }, checkOwner), 'sealed') ?? '';
}

function opens(seal: Seal, check: string): boolean {
  try {
    return stringAt(seal.open({ sealed: check }, checkOwner), 'text') === checkText;
  } catch {
    return false; // sealed with another key
  }
}

function wrongKey(): ToolError {
  return new ToolError({
    code: 'server.secret-key',
    message: 'the secrets of this database were sealed with another key',
    hint: 'Set GANTRY_SECRET_KEY to the text it was made with, or put its key file back beside the database.',
  });
}

/** Reads the key file, which only its owner can access. Creates a missing one if `make` is set. */
async function keyIn(file: string, make: boolean): Promise<Uint8Array> {
  const text = await keyText(file, make).catch((cause: unknown) => Promise.reject(unreadable(file, cause)));
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length !== keyBytes) throw unreadable(file, new Error('it contains no key'));
  return key;
}

async function keyText(file: string, make: boolean): Promise<string> {
  if (make) await createFile(file, `${Buffer.from(randomKey()).toString('base64url')}\n`);
  return await textOf(file);
}

/** Reads regular files only: reading a pipe of this name would block. */
async function textOf(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw new Error('it is not a file');
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function unreadable(file: string, cause: unknown): ToolError {
  return new ToolError({
    code: 'server.secret-key',
    message: `the key of the secrets cannot be read from ${file}: ` + `${causeText(cause)}`,
    hint: 'Put the file back, or set GANTRY_SECRET_KEY.',
    cause,
  });
}
