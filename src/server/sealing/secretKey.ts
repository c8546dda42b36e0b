import { constants, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { ToolError } from '../../errors/toolError.ts';
import { stringAt } from '../../schema/json/json.ts';
import type { Database } from '../store/row.ts';
import { createFile } from './createFile.ts';
import { keyBytes, keyOfText, randomKey, type Seal, sealWith } from './seal.ts';

export interface KeySources {
  /** A passphrase, of `GANTRY_SECRET_KEY`. */
  readonly secretKey: string | undefined;
  /** Where a key of the database's own is kept; undefined where the database ends with the process. */
  readonly file: string | undefined;
}

/** The fact by which a key is known again: a text that it sealed. It goes with the database, not with a snapshot. */
export const checkFact = 'secretKeyCheck';
const checkText = 'gantry';
const checkOwner = 'key check';

/**
 * What opens the secrets of this database: the passphrase that is given, else the key beside the database, which is
 * made when it is needed for the first time. Errors: `server.secret-key` where none is the one that sealed them.
 */
export async function findSeal(database: Database, home: string, { secretKey, file }: KeySources): Promise<Seal> {
  const given = secretKey === undefined || secretKey === '' ? undefined : sealWith(keyOfText(secretKey));
  const known = await knownCheck(database, home);
  if (known === undefined) {
    const first = given ?? sealWith(file === undefined ? randomKey() : await keyIn(file, true));
    const check = checkOf(first);
    const kept = await database.of(home).write((tx) => {
      const other = tx.fact(checkFact);
      if (other === undefined) tx.setFact(checkFact, check);
      return other ?? check;
    });
    if (fits(first, kept)) return first;
    throw wrongKey();
  }
  if (given !== undefined && fits(given, known)) return given;
  // A passphrase that does not fit is what is wrong, where there is no key beside the database at all.
  if (file !== undefined && (given === undefined || existsSync(file))) {
    const beside = sealWith(await keyIn(file, false));
    if (fits(beside, known)) return beside;
  }
  throw wrongKey();
}

/** All orgs of a database have one key, whichever of them a server was started with. */
async function knownCheck(database: Database, home: string): Promise<string | undefined> {
  for (const org of [home, ...(await database.orgs())]) {
    const check = await database.of(org).read((tx) => tx.fact(checkFact));
    if (check !== undefined) return check;
  }
  return undefined;
}

/** What a database remembers of its key. */
export function checkOf(seal: Seal): string {
  return stringAt(seal.seal({ text: checkText }, checkOwner), 'sealed') ?? '';
}

function fits(seal: Seal, check: string): boolean {
  try {
    return stringAt(seal.open({ sealed: check }, checkOwner), 'text') === checkText;
  } catch {
    return false; // by another key: that is the question
  }
}

function wrongKey(): ToolError {
  return new ToolError({
    code: 'server.secret-key',
    message: 'the secrets of this database were sealed with another key',
    hint: 'Set GANTRY_SECRET_KEY to the text it was made with, or put its key file back beside the database.',
  });
}

/** The key in this file, for its owner only. Made where it is missing and `make` says so. */
async function keyIn(file: string, make: boolean): Promise<Uint8Array> {
  const text = await keyText(file, make).catch((cause: unknown) => Promise.reject(unreadable(file, cause)));
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length !== keyBytes) throw unreadable(file, new Error('it holds no key'));
  return key;
}

async function keyText(file: string, make: boolean): Promise<string> {
  if (make) await createFile(file, `${Buffer.from(randomKey()).toString('base64url')}\n`);
  return await textOf(file);
}

/** Of a file only: a pipe of this name would be waited for. */
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
    message: `the key of the secrets cannot be read from ${file}: ${cause instanceof Error ? cause.message : String(cause)}`,
    hint: 'Put the file back, or set GANTRY_SECRET_KEY.',
    cause,
  });
}
