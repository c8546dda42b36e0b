import type { Configuration } from './configuration.ts';

const reasons: ReadonlyMap<string, string> = new Map([
  ['part', ' is left out: Terraform owns a resource as a whole, not a part of it'],
  ['kind', ' is left out: the provider has no kinds of your own'],
]);

/** The declared values that a configuration leaves out, one line each. */
export function notesOf({
  lost,
  unknown,
  lostOutputs,
}: Pick<Configuration, 'lost' | 'unknown' | 'lostOutputs'>): readonly string[] {
  return [
    ...lost.map(
      ({ id, instruction }) =>
        `${id}${reasons.get(instruction) ?? `: lifecycle.${instruction} has no counterpart in Terraform`}`,
    ),
    ...lostOutputs.map((name) => `the output ${name} is left out: Terraform saves no value to a file`),
    ...unknown.map(({ id, paths }) => `${id}: not known to the provider, and left out: ${paths.join(', ')}`),
  ];
}
