import { basename, dirname, join } from 'node:path';
import type { Ignore } from 'ignore';
import { exists } from '../files/exists.ts';
import { systemReason } from '../files/fileRefusal.ts';
import { readBytes } from '../files/readBytes.ts';
import { fileSizes } from '../files/sizes.ts';
import { type IgnoreFiles, type IgnoreRules, noRules, withFiles } from './ignoreRules.ts';

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
