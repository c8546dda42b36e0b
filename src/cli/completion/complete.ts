import { userCache } from '../../project/files/compileCache.ts';
import { makeFolders } from '../../project/files/writeWhole.ts';
import type { Environment } from '../../project/session/session.ts';
import { type Candidate, firstOf, type Tree, wantedAt } from './tree.ts';

/** Names of records are asked for again after this. */
const freshMs = 60_000;

/** The options of a command line that say which platform is meant, and the `record` that it is about. */
export type Connection = Readonly<Record<string, string>>;

interface Surroundings {
  readonly environment: Environment;
  readonly cwd: string;
  /** Ends with `/`: a tree for each first word (`completionFiles`). */
  readonly folder: URL;
  readonly nowMs: number;
  /** The names of records of a kind, or of another source; undefined where they cannot be read in time. */
  readonly liveNames: (source: string, connection: Connection) => Promise<readonly string[] | undefined>;
}

/** Imported as a module it costs 3 ms: all that it exports is evaluated, streams and promises too. */
function fs() {
  return process.getBuiltinModule('node:fs');
}

/**
 * The candidates for the last word, one a line, with a description behind a tab. Errors are never shown: somebody is
 * typing.
 */
export async function complete(words: readonly string[], surroundings: Surroundings): Promise<string> {
  const tree = treeFor(words, surroundings.folder);
  if (tree === undefined) return '';
  const wanted = wantedAt(words, tree);
  const current = words.at(-1) ?? '';
  const { names: source, before = '', after = '', record } = wanted;
  const names = source === undefined ? [] : await namesOf(source, { words, record }, surroundings);
  const found = names
    .filter((name) => `${before}${name}`.startsWith(current) && isHarmless(name))
    .map((name): Candidate => [`${before}${name}${after}`, '']);
  return [...wanted.candidates, ...found].map(([text, about]) => `${text}\t${about}\n`).join('');
}

/** A shell writes it on the command line as it is, so nothing in it may mean something there. */
function isHarmless(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.:@+%/-]*$/u.test(name);
}

/** The commands below the first word that is one; where there is none yet, all first words. */
function treeFor(words: readonly string[], folder: URL): Tree | undefined {
  for (const word of words.slice(0, -1)) {
    const tree = /^[a-z]+$/.test(word) ? read<Tree>(new URL(`${word}.json`, folder)) : undefined;
    if (tree !== undefined) return tree;
  }
  return read<Tree>(new URL(firstOf, folder));
}

interface Typed {
  readonly words: readonly string[];
  readonly record: string | undefined;
}

/** The names of a source, not older than a minute; none where the platform does not answer. */
async function namesOf(
  source: string,
  { words, record }: Typed,
  surroundings: Surroundings,
): Promise<readonly string[]> {
  const { environment, cwd, nowMs, liveNames } = surroundings;
  const connection = { ...connectionIn(words), ...(source.includes(' ') && record !== undefined ? { record } : {}) };
  const settings = Object.entries(environment).filter(([name]) => name.startsWith('GANTRY_'));
  const file = cacheFile(environment, JSON.stringify([source, cwd, settings.sort(), connection]));
  const known = file === undefined ? undefined : readCache(file, nowMs - freshMs);
  if (known !== undefined) return known;
  const names = await liveNames(source, connection);
  if (names === undefined) return [];
  writeCache(file, names);
  return names;
}

function connectionIn(words: readonly string[]): Connection {
  const connection: Record<string, string> = {};
  for (const [index, word] of words.slice(0, -1).entries()) {
    const [, name, value] = /^--(profile|org|env|gvc|endpoint|token|token-file)(?:=(.*))?$/s.exec(word) ?? [];
    const text = value ?? words[index + 1];
    // With `=` in its value --env is a variable.
    if (name !== undefined && text !== undefined && !(name === 'env' && text.includes('='))) connection[name] = text;
  }
  return connection;
}

/** Below the caches of this user; undefined: there is no such folder. */
function cacheFile(environment: Environment, key: string): string | undefined {
  const { join } = process.getBuiltinModule('node:path');
  const base = userCache(environment);
  return base === undefined ? undefined : join(base, 'gantry', 'completion', `names-${hashOf(key)}.json`);
}

/** FNV-1a of 64 bits: `node:crypto` would take as long to load as all the rest. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}

function read<Value>(file: string | URL): Value | undefined {
  try {
    return JSON.parse(fs().readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Undefined: there is none, it is too old, or it is not ours. */
function readCache(file: string, notBeforeMs: number): readonly string[] | undefined {
  const found = fs().statSync(file, { throwIfNoEntry: false });
  const isOurs = found !== undefined && found.mtimeMs >= notBeforeMs && found.uid === process.getuid?.();
  return isOurs ? read(file) : undefined;
}

/** Whole or not at all; where it cannot be written it is made again the next time. */
function writeCache(file: string | undefined, names: readonly string[]): void {
  if (file === undefined) return;
  try {
    const { renameSync, writeFileSync } = fs();
    makeFolders(process.getBuiltinModule('node:path').dirname(file));
    const draft = `${file}.${process.pid}.tmp`;
    writeFileSync(draft, JSON.stringify(names), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // a full or read-only disk does not stop anybody from typing
  }
}
