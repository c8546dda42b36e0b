import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.ts';

export const mostSurvivors = 0.1;

const head = `# Mutation testing

Written by \`npm run mutation -- FOLDER\`. A mutant is one change of the source; it survived where no test of its area fails.
What survived is named in \`survivors/\`. A mutant that timed out counts as found. Where a number of mutants says so, they are a
sample (\`--every\`).

| Folder | Mutants | Survived | Share | Timed out | Date |
| ------ | ------- | -------- | ----- | --------- | ---- |
`;

export function survivedShare(mutants: number, survivors: number): number {
  return mutants === 0 ? 0 : survivors / mutants;
}

export interface Measured {
  readonly folders: readonly string[];
  readonly mutants: readonly Mutant[];
  /** One mutant of so many was run. */
  readonly every: number;
}

/**
 * Replaces the rows of these folders in the table, and the lists of what survived in them. What there is of folders that
 * can no longer be mutated is dropped.
 */
export function writeFigures(to: string, { folders, mutants, every }: Measured, known: readonly string[]): void {
  const table = join(to, 'figures.md');
  const before = existsSync(table) ? readFileSync(table, 'utf8').split('\n') : [];
  const rows = new Map(before.flatMap((line) => rowOf(line)));
  mkdirSync(join(to, 'survivors'), { recursive: true });
  for (const folder of folders) {
    const own = mutants.filter((mutant) => mutant.folder === folder);
    const survivors = own.filter(({ fate }) => fate === 'survived');
    rows.set(folder, rowText(folder, own, every));
    const lines = survivors.map(({ place, change }) => `${place}: ${change}\n`);
    writeFileSync(survivorsFile(to, folder), lines.join(''));
  }
  for (const gone of [...rows.keys()].filter((folder) => !known.includes(folder))) {
    rows.delete(gone);
    rmSync(survivorsFile(to, gone), { force: true });
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  writeFileSync(table, `${head}${sorted.join('\n')}\n`);
  execFileSync('npx', ['biome', 'format', '--write', table], { stdio: 'ignore' });
}

function survivorsFile(to: string, folder: string): string {
  return join(to, 'survivors', `${folder.replaceAll('/', '.')}.txt`);
}

function rowOf(line: string): readonly (readonly [string, string])[] {
  const [, folder] = /^\| `([^`]+)`/.exec(line) ?? [];
  return folder === undefined ? [] : [[folder, line]];
}

function rowText(folder: string, mutants: readonly Mutant[], every: number): string {
  const withFate = (fate: Mutant['fate']) => mutants.filter((mutant) => mutant.fate === fate).length;
  const survived = withFate('survived');
  const share = `${(survivedShare(mutants.length, survived) * 100).toFixed(1)} %`;
  const date = new Date().toISOString().slice(0, 10);
  const count = every === 1 ? mutants.length : `${mutants.length} (1 of ${every})`;
  return `| ${[`\`${folder}\``, count, survived, share, withFate('timed out'), date].join(' | ')} |`;
}
