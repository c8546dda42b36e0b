import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import { displayPath, inputProblem, systemReason } from '../files/fileRefusal.ts';
import { settingsFileName } from '../files/projectFiles.ts';
import { kindOf } from '../files/readBytes.ts';
import { type SearchBounds, SearchBudget } from './bounds.ts';
import { type LeftOut, missedManifests } from './missedManifests.ts';
import {
  defaultStackName,
  isManifestName,
  isMisspeltSettingsName,
  isNearlyManifestName,
  isPolicyTest,
} from './names.ts';
import { missedNotes } from './notes.ts';
import {
  checkIgnored,
  hasIgnoreFile,
  type IgnoreRules,
  readIgnoreFiles,
  rulesAbove,
  withFiles,
} from './readIgnoreFiles.ts';

export interface FoundManifests {
  /** Absolute, sorted. */
  readonly paths: readonly string[];
  readonly problems: readonly LocatedProblem[];
  /** Notes on omitted files that contain manifests. */
  readonly notes: readonly string[];
}

export interface SearchOptions {
  readonly cwd: string;
  readonly bounds: SearchBounds;
  /** Milliseconds, for durations. */
  readonly now: () => number;
}

/**
 * The manifests of a folder and its sub-folders. Errors: `SearchStopped`, and those of the system for the folder
 * itself; `problems` has those below it.
 */
export async function findManifests(folder: string, { cwd, bounds, now }: SearchOptions): Promise<FoundManifests> {
  const search = new Search(cwd, new SearchBudget(bounds, now));
  await search.run(folder, await rulesAbove(folder));
  return {
    paths: search.paths.toSorted(),
    problems: search.problems,
    notes: await notesOf(search.leftOut, folder, cwd),
  };
}

/** Notes about manifests next to a folder's stack, which is the only input read from it. */
export function notesBeside(folder: string, names: readonly string[], cwd: string): Promise<readonly string[]> {
  const beside = names.map((name) => ({ path: join(folder, name), isFolder: false, because: 'beside' }) as const);
  return notesOf(beside, folder, cwd);
}

async function notesOf(leftOut: readonly LeftOut[], folder: string, cwd: string): Promise<readonly string[]> {
  if (leftOut.length === 0) return [];
  const below = (path: string) => relative(folder, path).replaceAll('\\', '/');
  return missedNotes(await missedManifests(leftOut), (path) => displayPath(path, cwd), below);
}

/** Limit of concurrently read folders. */
const atOnce = 16;
const orIgnore = 'or name it in .gantryignore';

/** A folder, link or file below the searched folder. */
interface Entry {
  readonly path: string;
  /** Without links: an entry found under two names is read once. */
  readonly real: string;
  /** Relative to the root of the search, with `/`. */
  readonly inside: string;
  readonly rules: IgnoreRules;
  readonly depth: number;
}

/** Walks through a folder and the targets of its links. Each possible manifest is found, omitted, or a problem. */
class Search {
  readonly paths: string[] = [];
  readonly problems: LocatedProblem[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly #cwd: string;
  readonly #budget: SearchBudget;
  readonly #links: Entry[] = [];
  readonly #folders = new Set<string>();
  readonly #files = new Set<string>();

  constructor(cwd: string, budget: SearchBudget) {
    this.#cwd = cwd;
    this.#budget = budget;
  }

  /** Errors: `SearchStopped`, and those of the system for the folder itself. */
  async run(path: string, rules: IgnoreRules): Promise<void> {
    const root: Entry = { path, real: await realpath(path), inside: '', rules, depth: 0 };
    await this.#walk(root);
    for (let link = this.#links.shift(); link !== undefined; link = this.#links.shift()) await this.#follow(link, root);
  }

  async #walk(first: Entry): Promise<void> {
    for (let level: readonly Entry[] = [first]; level.length > 0; ) {
      const next: Entry[] = [];
      for (let start = 0; start < level.length; start += atOnce) {
        const folders = level.slice(start, start + atOnce).filter(({ real }) => !this.#folders.has(real));
        for (const { real } of folders) this.#folders.add(real);
        const read = await Promise.all(folders.map((folder) => this.#read(folder)));
        for (const { folder, entries } of read) {
          for (const entry of entries) next.push(...this.#take(entry, folder));
        }
      }
      level = next;
    }
  }

  /** The entries of a folder, and the folder with the rules of its own ignore files. */
  async #read(folder: Entry): Promise<{ readonly folder: Entry; readonly entries: readonly Dirent[] }> {
    const { path, depth } = folder;
    this.#budget.depth(depth, path);
    try {
      const entries = await readdir(path, { withFileTypes: true });
      this.#budget.entries(entries.length, path);
      const names = entries.map(({ name }) => name);
      if (depth > 0 && names.includes(settingsFileName)) {
        this.leftOut.push({ path, isFolder: true, because: 'project' });
        return { folder, entries: [] };
      }
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      if (!hasIgnoreFile(names)) return { folder, entries };
      return { folder: { ...folder, rules: await this.#rulesIn(folder, names) }, entries };
    } catch (error) {
      if (depth === 0 || !isOfSystem(error)) throw error;
      if (error.code !== 'ENOENT')
        this.#problem(path, 'input.missing', systemReason(error), `Make it readable, ${orIgnore}.`);
      return { folder, entries: [] }; // listed, but deleted before it was read
    }
  }

  async #rulesIn({ path, inside, rules }: Entry, names: readonly string[]): Promise<IgnoreRules> {
    const { files, refused } = await readIgnoreFiles(path, names, inside === '' ? '' : `${inside}/`);
    for (const { name, reason } of refused) {
      this.#problem(join(path, name), 'input.unreadable', reason, 'Make it a readable file, or remove it.');
    }
    return withFiles(rules, files);
  }

  /** The entry as a folder, if it has to be searched. */
  #take(entry: Dirent, { path: parent, real, inside, rules: outer, depth }: Entry): readonly Entry[] {
    const { name } = entry;
    const path = join(parent, name);
    const isFolder = entry.isDirectory();
    const below = inside === '' ? name : `${inside}/${name}`;
    const { ignored, rules } = checkIgnored(outer, below, isFolder);
    if (ignored !== undefined) {
      if (isFolder || isManifestName(name)) this.leftOut.push({ path, isFolder, because: ignored });
      return [];
    }
    const found: Entry = { path, real: join(real, name), inside: below, rules, depth: depth + 1 };
    if (isFolder || entry.isSymbolicLink()) {
      if (name.includes('\uFFFD'))
        this.#problem(path, 'input.name', 'the name is not UTF-8', `Rename it, ${orIgnore}.`);
      else if (isFolder) return [found];
      else this.#links.push(found);
    } else if (entry.isFile()) {
      this.#file(found, found.real, name);
    } else if (isManifestName(name)) {
      this.#notAFile(path, kindOf(entry));
    }
    return [];
  }

  #file({ path, inside, depth }: Entry, real: string, target: string): void {
    const name = basename(path);
    if (isPolicyTest(inside)) return;
    if (isMisspeltSettingsName(name)) {
      const message = `settings are read from ${settingsFileName} only`;
      this.#problem(path, 'input.name', message, `Rename it to ${settingsFileName}, ${orIgnore}.`);
    } else if (isManifestName(name)) {
      if (this.#files.has(real)) return;
      this.#budget.manifest(path);
      this.#files.add(real);
      this.paths.push(path);
    } else if (isNearlyManifestName(name) || isManifestName(target)) {
      this.leftOut.push({ path, isFolder: false, because: 'suffix' });
    } else if (name === defaultStackName && depth > 1) {
      this.leftOut.push({ path, isFolder: false, because: 'stack' });
    }
  }

  async #follow(link: Entry, root: Entry): Promise<void> {
    const { path, inside, rules } = link;
    try {
      const real = await realpath(path);
      const found = await stat(real);
      if (found.isFile()) return this.#file(link, real, basename(real));
      if (!found.isDirectory()) {
        if (isManifestName(basename(path))) this.#notAFile(path, kindOf(found));
        return;
      }
      const { ignored } = checkIgnored(rules, inside, true);
      if (ignored !== undefined) return void this.leftOut.push({ path, isFolder: true, because: ignored });
      if (this.#folders.has(real)) return;
      if (root.real.startsWith(real.endsWith(sep) ? real : real + sep)) {
        const message = 'this link leads to a folder that holds the one being read';
        return this.#problem(path, 'input.link', message, `Remove the link, ${orIgnore}.`);
      }
      await this.#walk({ ...link, real });
    } catch (error) {
      if (!isOfSystem(error)) throw error;
      const reason =
        error.code === 'ENOENT' ? 'this link leads to nothing' : `this link cannot be followed: ${systemReason(error)}`;
      this.#problem(path, 'input.link', reason, `Repair or remove the link, ${orIgnore}.`);
    }
  }

  #notAFile(path: string, kind: string): void {
    this.#problem(path, 'input.not-a-file', `it is ${kind}, not a file`, `Remove it, ${orIgnore}.`);
  }

  #problem(path: string, rule: string, message: string, hint: string): void {
    this.problems.push(inputProblem(displayPath(path, this.#cwd), rule, message, hint));
  }
}

function isOfSystem(error: unknown): error is Error & { readonly code: unknown } {
  return error instanceof Error && 'code' in error;
}
