import { userCache } from '../../project/files/compileCache.ts';
import { makeFolders } from '../../project/files/writeWhole.ts';
import type { Environment } from '../../project/session/session.ts';
import { type Candidate, completionAt, rootFile, type Tree } from './tree.ts';

/** Lifetime of cached record names. */
const freshMs = 60_000;

/** The options that select the platform, and the `record` that a command line is about. */
export type Connection = Readonly<Record<string, string>>;

interface Surroundings {
  readonly environment: Environment;
  readonly cwd: string;
  /** Ends with `/`; has one tree for each first word (`completionFiles`). */
  readonly folder: URL;
  readonly nowMs: number;
  /** The names of records of a kind, or of another source; undefined if they cannot be read in time. */
  readonly liveNames: (source: string, connection: Connection) => Promise<readonly string[] | undefined>;
}

/** Avoids the module import, which takes 3 ms because it evaluates all exports, such as streams and promises. */
function fs() {
  return process.getBuiltinModule('node:fs');
}

/**
 * The candidates for the last word, one per line, with a description after a tab. Errors are never shown while the user
 * types.
 */
export async function complete(words: readonly string[], surroundings: Surroundings): Promise<string> {
  const tree = treeFor(words, surroundings.folder);
  if (tree === undefined) return '';
  const completion = completionAt(words, tree);
  const current = words.at(-1) ?? '';
  const { names: source, prefix = '', suffix = '', record } = completion;
  const names = source === undefined ? [] : await namesOf(source, { words, record }, surroundings);
  const found = names
    .filter((name) => `${prefix}${name}`.startsWith(current) && isHarmless(name))
    .map((name): Candidate => [`${prefix}${name}${suffix}`, '']);
  return [...completion.candidates, ...found].map(([text, about]) => `${text}\t${about}\n`).join('');
}

/** Whether a shell can insert the name as it is: no character has a special meaning. */
function isHarmless(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.:@+%/-]*$/u.test(name);
}

/** The commands below the first word that names one; before that, all first words. */
function treeFor(words: readonly string[], folder: URL): Tree | undefined {
  for (const word of words.slice(0, -1)) {
    const tree = /^[a-z]+$/.test(word) ? readJson<Tree>(new URL(`${word}.json`, folder)) : undefined;
    if (tree !== undefined) return tree;
  }
  return readJson<Tree>(new URL(rootFile, folder));
}

interface TypedWords {
  readonly words: readonly string[];
  readonly record: string | undefined;
}

/** The names of a source, at most a minute old; empty if the platform does not answer. */
async function namesOf(
  source: string,
  { words, record }: TypedWords,
  surroundings: Surroundings,
): Promise<readonly string[]> {
  const { environment, cwd, nowMs, liveNames } = surroundings;
  const connection = { ...connectionIn(words), ...(source.includes(' ') && record !== undefined ? { record } : {}) };
  const settings = Object.entries(environment).filter(([name]) => name.startsWith('GANTRY_'));
  const file = cacheFile(environment, JSON.stringify([source, cwd, settings.sort(), connection]));
  const cached = file === undefined ? undefined : readCache(file, nowMs - freshMs);
  if (cached !== undefined) return cached;
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
    // If its value contains `=`, --env sets a variable.
    if (name !== undefined && text !== undefined && !(name === 'env' && text.includes('='))) connection[name] = text;
  }
  return connection;
}

/** In the user's cache folder; undefined if there is none. */
function cacheFile(environment: Environment, key: string): string | undefined {
  const { join } = process.getBuiltinModule('node:path');
  const base = userCache(environment);
  return base === undefined ? undefined : join(base, 'gantry', 'completion', `names-${hashOf(key)}.json`);
}

/** FNV-1a with 64 bits: loading `node:crypto` would take as long as everything else. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}

function readJson<Value>(file: string | URL): Value | undefined {
  try {
    return JSON.parse(fs().readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Undefined if the file is missing, too old, or owned by another user. */
function readCache(file: string, notBeforeMs: number): readonly string[] | undefined {
  const found = fs().statSync(file, { throwIfNoEntry: false });
  const isOurs = found !== undefined && found.mtimeMs >= notBeforeMs && found.uid === process.getuid?.();
  return isOurs ? readJson(file) : undefined;
}

/** Atomic; after a failure it is tried again next time. */
function writeCache(file: string | undefined, names: readonly string[]): void {
  if (file === undefined) return;
  try {
    const { renameSync, writeFileSync } = fs();
    makeFolders(process.getBuiltinModule('node:path').dirname(file));
    const draft = `${file}.${process.pid}.tmp`;
    writeFileSync(draft, JSON.stringify(names), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // a full or read-only disk must not disturb typing
  }
}
