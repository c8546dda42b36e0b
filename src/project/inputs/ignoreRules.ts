import type { Ignore } from 'ignore';

/** Why something is not looked at. `name`: `node_modules`, `dist`, and what begins with a dot. */
export type IgnoredBy = '.gitignore' | '.gantryignore' | 'name';

/** The rules of ignore files, and their folder: patterns are about paths below it. */
export interface IgnoreFiles {
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

export interface Verdict {
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
