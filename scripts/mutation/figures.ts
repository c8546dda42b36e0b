import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.ts';

export const mostSurvivors = 0.1;

const head = `# Mutation testing

Written by \`npm run mutation -- FOLDER\`. A mutant is one change of the source; it survived where no test of its area fails.
What survived is named in \`survivors/\`. A mutant that timed out counts as found.

| Folder | Mutants | Survived | Share | Timed out | Date |
| ------ | ------- | -------- | ----- | --------- | ---- |
`;

export function survivedShare(mutants: number, survivors: number): number {
  return mutants === 0 ? 0 : survivors / mutants;
}

/** Replaces the rows of these folders in the table, and the lists of what survived in them. */
export function writeFigures(to: string, folders: readonly string[], mutants: readonly Mutant[]): void {
  const table = join(to, 'figures.md');
  const before = existsSync(table) ? readFileSync(table, 'utf8').split('\n') : [];
  const rows = new Map(before.flatMap((line) => rowOf(line)));
  mkdirSync(join(to, 'survivors'), { recursive: true });
  for (const folder of folders) {
    const own = mutants.filter((mutant) => mutant.folder === folder);
    const survivors = own.filter(({ fate }) => fate === 'survived');
    rows.set(folder, rowText(folder, own, survivors.length));
    const lines = survivors.map(({ place, change }) => `${place}: ${change}\n`);
    writeFileSync(join(to, 'survivors', `${folder.replaceAll('/', '.')}.txt`), lines.join(''));
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  writeFileSync(table, `${head}${sorted.join('\n')}\n`);
  execFileSync('npx', ['biome', 'format', '--write', table], { stdio: 'ignore' });
}

function rowOf(line: string): readonly (readonly [string, string])[] {
  const [, folder] = /^\| `([^`]+)`/.exec(line) ?? [];
  return folder === undefined ? [] : [[folder, line]];
}

function rowText(folder: string, mutants: readonly Mutant[], survived: number): string {
  const timedOut = mutants.filter(({ fate }) => fate === 'timed out').length;
  const share = `${(survivedShare(mutants.length, survived) * 100).toFixed(1)} %`;
  const date = new Date().toISOString().slice(0, 10);
  return `| ${[`\`${folder}\``, mutants.length, survived, share, timedOut, date].join(' | ')} |`;
}
