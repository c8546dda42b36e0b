import type { ProjectFolder } from '../projectFolder.ts';

/**
 * Writes each policy into its own file with its own id. One run asks all of them, because no policy blocks another.
 * The result finds the output about the policy with a number by its file and id.
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
