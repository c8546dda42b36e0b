import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;

/** Shorter files are not listed. */
export const slowAfterSeconds = 2;
/** A file with many quick tests is worth its time. */
const leastTestsPerSecond = 6;
/** Of its own kind each, and it runs less than in CI (`sampled.ts`). */
const kept = ['test/attack/pairs.test.ts', 'test/fuzz/fuzz.test.ts', 'test/sweeps/soak.test.ts'];

export interface SlowFile {
  /** Relative to the root. */
  readonly file: string;
  /** In `.ci/run`, where four files run at the same time on two cores. */
  readonly seconds: number;
  readonly tests: number;
}

/** The files of `test/slow.txt`, the slowest first. */
export const slowFiles = readSlowFiles(readFileSync(join(root, 'test/slow.txt'), 'utf8'));

/** The files that `npm test` leaves to CI. */
export const leftToCi = slowFiles.filter(isLeftToCi).map(({ file }) => file);

export function isLeftToCi({ file, seconds, tests }: SlowFile): boolean {
  return seconds > slowAfterSeconds && tests < seconds * leastTestsPerSecond && !kept.includes(file);
}

function readSlowFiles(text: string): readonly SlowFile[] {
  const rows = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return rows.map((row) => {
    const [seconds, tests, file = ''] = row.trim().split(/\s+/);
    if (!existsSync(join(root, file))) throw new Error(`test/slow.txt lists ${file}, which does not exist`);
    return { file, seconds: Number(seconds), tests: Number(tests) };
  });
}
