import { basename, dirname, join } from 'node:path';
import type { Ignore } from 'ignore';
import { exists } from '../files/exists.ts';
import { systemReason } from '../files/fileRefusal.ts';
import { readBytes } from '../files/readBytes.ts';
import { fileSizes } from '../files/sizes.ts';

const gitFile = '.gitignore';
const gantryFile = '.gantryignore';

export function hasIgnoreFile(names: readonly string[]): boolean {
  return names.includes(gitFile) || names.includes(gantryFile);
}

export interface ReadIgnoreFiles {
  readonly files: IgnoreFiles;
  /** Those that are there and cannot be read. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}

/** The ignore files of a folder with these names in it. */
export async function readIgnoreFiles(
  folder: string,
  names: readonly string[],
  below: string,
  above = '',
): Promise<ReadIgnoreFiles> {
  const refused: { readonly name: string; readonly reason: string }[] = [];
  async function patternsOf(name: string): Promise<Ignore | undefined> {
    if (!names.includes(name)) return undefined;
    try {
      const bytes = await readBytes(join(folder, name), { most: fileSizes.settings });
      return await parseIgnoreFile(bytes.toString('utf8'));
    } catch (error) {
      refused.push({ name, reason: systemReason(error) });
      return undefined;
    }
  }
  const [git, gantry] = await Promise.all([patternsOf(gitFile), patternsOf(gantryFile)]);
  return { files: { below, above, git, gantry }, refused };
}

/** The lines of a `.gitignore` or `.gantryignore`, as git reads them. */
export async function parseIgnoreFile(text: string): Promise<Ignore> {
  const { default: ignore } = await import('ignore');
  return ignore({ ignoreCase: false, allowRelativePaths: true }).add(text);
}

/**
 * The rules of the ignore files above a folder about its content, up to the root of its git repository. None where
 * there is no repository, or where they name the folder itself: it was asked for.
 */
export async function rulesAbove(folder: string): Promise<IgnoreRules> {
  const parents = await parentsInRepository(folder);
  let rules = noRules;
  for (const [index, parent] of parents.entries()) {
    const steps = [...parents.slice(index + 1), folder].map((path) => basename(path));
    const names = await namesIn(parent);
    if (!hasIgnoreFile(names)) continue;
    const { files } = await readIgnoreFiles(parent, names, '', `${steps.join('/')}/`);
    rules = withFiles(rules, files);
  }
  return isNamed(rules) ? noRules : rules;
}

/** The folders above, the outermost first; none outside of a repository, and none above its root. */
export async function parentsInRepository(folder: string): Promise<readonly string[]> {
  const parents: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder) parents.unshift(at);
    if (await exists(join(at, '.git'))) return parents;
    if (dirname(at) === at) return [];
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const there = await Promise.all([gitFile, gantryFile].map((name) => exists(join(folder, name))));
  return [gitFile, gantryFile].filter((_, index) => there[index]);
}

/** Whether one of these files names the folder itself, or one that it is in. */
function isNamed({ files }: IgnoreRules): boolean {
  return files.some(({ above, git, gantry }) => [git, gantry].some((lines) => lines?.ignores(above)));
}

/** Why something is not looked at. `name`: `node_modules`, `dist`, and what begins with a dot. */
export type IgnoredBy = '.gitignore' | '.gantryignore' | 'name';

/** The rules of ignore files, and their folder: patterns are about paths below it. */
interface IgnoreFiles {
  /** The path of that folder in the search; empty for its root, else it ends in `/`. */
  readonly below: string;
  /** For files above of the search: the path of its root as they see it; else empty. */
  readonly above: string;
  readonly git: Ignore | undefined;
  readonly gantry: Ignore | undefined;
}

/** The files that count in a folder, the innermost first. */
export interface IgnoreRules {
  readonly files: readonly IgnoreFiles[];
  /** Read although `.gitignore` names it: outer files of git say nothing about what is in it. */
  readonly gitFrom: number;
}

export const noRules: IgnoreRules = { files: [], gitFrom: 0 };

/** The rules inside of a folder that has ignore files of its own. */
export function withFiles({ files, gitFrom }: IgnoreRules, inner: IgnoreFiles): IgnoreRules {
  return { files: [inner, ...files], gitFrom };
}

interface Verdict {
  readonly ignored: IgnoredBy | undefined;
  /** The rules for what is in it. */
  readonly rules: IgnoreRules;
}

const unlisted: ReadonlySet<string> = new Set(['node_modules', 'dist']);

/**
 * Whether an entry of a folder is looked at: `.gantryignore` decides before `.gitignore`, and that before the name.
 * Only `.gantryignore` can bring back (`!PATH`) what one of the others leaves out. `path` is that of the search, with
 * `/`.
 */
export function judge(rules: IgnoreRules, path: string, isFolder: boolean): Verdict {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === '.git') return { ignored: 'name', rules };
  const gantry = said(rules.files, 'gantry', path, isFolder);
  if (gantry === 'ignored') return { ignored: '.gantryignore', rules };
  const inner = rules.files.slice(0, rules.files.length - rules.gitFrom);
  const byGit = said(inner, 'git', path, isFolder) === 'ignored';
  if (gantry === 'again')
    return { ignored: undefined, rules: byGit ? { ...rules, gitFrom: rules.files.length } : rules };
  if (byGit) return { ignored: '.gitignore', rules };
  const byName = name.startsWith('.') || (isFolder && unlisted.has(name));
  return { ignored: byName ? 'name' : undefined, rules };
}

/** The rule of the innermost file that has a line for it. */
function said(
  files: readonly IgnoreFiles[],
  which: 'git' | 'gantry',
  path: string,
  isFolder: boolean,
): 'ignored' | 'again' | undefined {
  for (const file of files) {
    const verdict = file[which]?.test(`${file.above}${path.slice(file.below.length)}${isFolder ? '/' : ''}`);
    if (verdict?.ignored === true) return 'ignored';
    if (verdict?.unignored === true) return 'again';
  }
  return undefined;
}
