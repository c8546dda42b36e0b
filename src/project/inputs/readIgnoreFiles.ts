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
  /** Existing files that cannot be read. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}

/** The ignore files among the names in a folder. */
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

/** The lines of a `.gitignore` or `.gantryignore`, with git's rules. */
export async function parseIgnoreFile(text: string): Promise<Ignore> {
  const { default: ignore } = await import('ignore');
  return ignore({ ignoreCase: false, allowRelativePaths: true }).add(text);
}

/**
 * The rules of the ignore files above a folder for its content, up to the root of its git repository. Empty without a
 * repository, or if they exclude the folder itself, which the user requested.
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
  return excludesRoot(rules) ? noRules : rules;
}

/** The parent folders in the repository, outermost first, up to its root; empty outside of one. */
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

/** Whether one of these files excludes the folder itself, or one of its parents. */
function excludesRoot({ files }: IgnoreRules): boolean {
  return files.some(({ above, git, gantry }) => [git, gantry].some((lines) => lines?.ignores(above)));
}

/** The reason why an entry is ignored. `name`: `node_modules`, `dist`, and names with a leading dot. */
export type IgnoredBy = '.gitignore' | '.gantryignore' | 'name';

/** The rules of one folder's ignore files; patterns are relative to it. */
interface IgnoreFiles {
  /** The path of that folder in the search; empty for its root, otherwise with a final `/`. */
  readonly below: string;
  /** The path of the search root relative to files above it; otherwise empty. */
  readonly above: string;
  readonly git: Ignore | undefined;
  readonly gantry: Ignore | undefined;
}

/** The ignore files that apply in a folder, innermost first. */
export interface IgnoreRules {
  readonly files: readonly IgnoreFiles[];
  /**
   * Number of outer files whose git rules do not apply, because `.gantryignore` includes a folder that they exclude.
   */
  readonly gitFrom: number;
}

export const noRules: IgnoreRules = { files: [], gitFrom: 0 };

/** The rules inside a folder with its own ignore files. */
export function withFiles({ files, gitFrom }: IgnoreRules, inner: IgnoreFiles): IgnoreRules {
  return { files: [inner, ...files], gitFrom };
}

interface Verdict {
  readonly ignored: IgnoredBy | undefined;
  /** The rules for its content. */
  readonly rules: IgnoreRules;
}

const unlisted: ReadonlySet<string> = new Set(['node_modules', 'dist']);

/**
 * Whether an entry is ignored: `.gantryignore` takes precedence over `.gitignore`, and that over the name. Only
 * `.gantryignore` can include (`!PATH`) what the others exclude. `path`: relative to the search, with `/`.
 */
export function checkIgnored(rules: IgnoreRules, path: string, isFolder: boolean): Verdict {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === '.git') return { ignored: 'name', rules };
  const gantry = innermostRule(rules.files, 'gantry', path, isFolder);
  if (gantry === 'ignored') return { ignored: '.gantryignore', rules };
  const inner = rules.files.slice(0, rules.files.length - rules.gitFrom);
  const byGit = innermostRule(inner, 'git', path, isFolder) === 'ignored';
  if (gantry === 'again')
    return { ignored: undefined, rules: byGit ? { ...rules, gitFrom: rules.files.length } : rules };
  if (byGit) return { ignored: '.gitignore', rules };
  const byName = name.startsWith('.') || (isFolder && unlisted.has(name));
  return { ignored: byName ? 'name' : undefined, rules };
}

/** The rule of the innermost file with a matching line. */
function innermostRule(
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
