import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Command } from 'commander';
import type { Environment } from '../../automation/session/session.ts';
import { version } from '../process/version.ts';
import { type Candidate, type Tree, wantedAt } from './tree.ts';

/** Names of records are asked for again after this. */
const freshMs = 60_000;

interface Surroundings {
  readonly environment: Environment;
  readonly cwd: string;
  /** The file of the program: another one has other commands. */
  readonly file: string;
  readonly program: () => Promise<Command>;
  readonly nowMs: number;
}

/**
 * What may come in place of the last word, one a line, with what it is behind a tab. Nothing is ever said of what goes
 * wrong: somebody is typing.
 */
export async function complete(words: readonly string[], surroundings: Surroundings): Promise<string> {
  const wanted = wantedAt(words, await treeOf(surroundings));
  const current = words.at(-1) ?? '';
  const typed = current.startsWith('--') ? current.replace(/^[^=]*=?/, '') : current;
  const before = current.slice(0, current.length - typed.length);
  const names = wanted.names === undefined ? [] : await namesOf(wanted.names, words, surroundings);
  const found = names.filter((name) => name.startsWith(typed)).map((name): Candidate => [`${before}${name}`, '']);
  return [...wanted.candidates, ...found].map(([text, about]) => `${text}\t${about}\n`).join('');
}

async function treeOf(surroundings: Surroundings): Promise<Tree> {
  const made = statSync(surroundings.file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const cache = cacheFile(surroundings, 'commands', `${version} ${surroundings.file} ${made}`);
  const known = cache === undefined ? undefined : readCache<Tree>(cache);
  if (known !== undefined) return known;
  const { makeTree } = await import('./makeTree.ts');
  const tree = makeTree(await surroundings.program());
  writeCache(cache, tree);
  return tree;
}

/** The names of a kind, not older than a minute; none where the platform does not answer. */
async function namesOf(kind: string, words: readonly string[], surroundings: Surroundings): Promise<readonly string[]> {
  const { environment, cwd, nowMs } = surroundings;
  const settings = Object.entries(environment).filter(([name]) => name.startsWith('GANTRY_'));
  const file = cacheFile(surroundings, 'names', JSON.stringify([kind, cwd, settings.sort(), connection(words)]));
  const known = file === undefined ? undefined : readCache<readonly string[]>(file, nowMs - freshMs);
  if (known !== undefined) return known;
  const { liveNames } = await import('./liveNames.ts');
  const names = await liveNames(kind, connection(words), { environment, cwd });
  if (names === undefined) return [];
  writeCache(file, names);
  return names;
}

/** The options of a command line that say which platform is meant. */
function connection(words: readonly string[]): Readonly<Record<string, string>> {
  const given: Record<string, string> = {};
  for (const [index, word] of words.slice(0, -1).entries()) {
    const [, name, value] = /^--(profile|org|gvc|endpoint|token|token-file)(?:=(.*))?$/s.exec(word) ?? [];
    const text = value ?? words[index + 1];
    if (name !== undefined && text !== undefined) given[name] = text;
  }
  return given;
}

/** Below the caches of this user; undefined: there is no such folder. */
function cacheFile({ environment }: Surroundings, name: string, key: string): string | undefined {
  const [cache, home] = [environment['XDG_CACHE_HOME'], environment['HOME']];
  const base =
    cache !== undefined && isAbsolute(cache)
      ? cache
      : home !== undefined && isAbsolute(home)
        ? join(home, '.cache')
        : undefined;
  if (base === undefined) return undefined;
  return join(base, 'gantry', 'completion', `${name}-${hashOf(key)}.json`);
}

/** FNV-1a of 64 bits: `node:crypto` would take as long to load as all the rest. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}

/** Undefined: there is none, it is too old, or it is not ours. */
function readCache<Value>(file: string, notBeforeMs = 0): Value | undefined {
  try {
    const { mtimeMs, uid } = statSync(file);
    if (mtimeMs < notBeforeMs || uid !== process.getuid?.()) return undefined;
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Whole or not at all; where it cannot be written it is made again the next time. */
function writeCache(file: string | undefined, value: unknown): void {
  if (file === undefined) return;
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}.tmp`;
    writeFileSync(draft, JSON.stringify(value), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // a full or read-only disk does not stop anybody from typing
  }
}
