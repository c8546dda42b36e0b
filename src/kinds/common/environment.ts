import { type JsonObject, stringAt } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { patterns } from '../../base/text/patterns.ts';
import { eachRepeated, itemsAt, show } from '../../schema/rules/reading.ts';
import type { Report } from '../../schema/rules/rule.ts';

const namePattern = new RegExp(patterns.environmentName.pattern);
const maxName = 120;
const maxValue = 4096;

/** Names that the platform sets in every container (platform/gvc.env). */
const reservedPrefix = 'SCHEME_';
const reservedNames: ReadonlySet<string> = new Set(['K_SERVICE', 'K_CONFIGURATION', 'K_REVISION']);

export const environmentFix =
  'Use a unique name of letters, digits, "-", "." and "_" that is not reserved ' +
  `(${reservedPrefix}*, ${[...reservedNames].join(', ')}).`;

/**
 * Checks environment variables at `owner.env`: unique, unreserved names that match the grammar of A.10; values of
 * bounded length.
 */
export function checkEnvironment(owner: JsonObject, at: Pointer, report: Report): void {
  const variables = itemsAt(owner, 'env');
  for (const { index, value: variable } of variables) {
    const name = stringAt(variable, 'name');
    const problem = name === undefined ? undefined : nameProblem(name);
    if (problem !== undefined) report([...at, 'env', index, 'name'], problem);

    const { length } = stringAt(variable, 'value') ?? '';
    if (length > maxValue) {
      report(
        [...at, 'env', index, 'value'],
        `the value has ${length} characters, at most ${maxValue} are allowed`,
        'Shorten it.',
      );
    }
  }
  eachRepeated(
    variables,
    ({ value }) => stringAt(value, 'name'),
    ({ index }, name) => report([...at, 'env', index], `the variable ${show(name)} may be set only once`),
  );
}

function nameProblem(name: string): string | undefined {
  if (!namePattern.test(name)) return `${show(name)} is not a valid name for an environment variable`;
  if (name.length > maxName) return `the name has ${name.length} characters, at most ${maxName} are allowed`;
  const upper = name.toUpperCase();
  const reserved = upper.startsWith(reservedPrefix) || reservedNames.has(upper);
  return reserved ? `the name ${show(name)} is reserved by the platform` : undefined;
}
