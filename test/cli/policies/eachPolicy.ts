import type { ProjectFolder } from '../projectFolder.ts';

/**
 * Writes policies into a file each, with an id of its own: asked in one run, as none keeps another from its answer.
 * What is said of the one with this number is found by its file and its id.
 */
export function writeEach(
  project: ProjectFolder,
  codes: readonly string[],
): (stdout: string, number: number) => readonly string[] {
  for (const [number, code] of codes.entries()) {
    project.write(`policies/p${number}.ts`, code.replaceAll(/\bid: '(\w+)'/g, `id: 'p${number}-$1'`));
  }
  return (stdout, number) =>
    stdout
      .split('\n')
      .filter((line) => line.includes(`policies/p${number}.ts:`) || line.includes(`policy.p${number}-`));
}
