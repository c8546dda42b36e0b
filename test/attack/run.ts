import { parseArgs } from 'node:util';
import type { Attack } from './attack.ts';
import { hostileFiles } from './hostileFiles.ts';
import { hostilePlatform } from './hostilePlatform.ts';
import { hostilePolicies } from './hostilePolicies.ts';
import { hostileStacks } from './hostileStacks.ts';
import { kills } from './kills.ts';
import { malformed } from './malformed.ts';
import { pairs } from './pairs.ts';
import { refs } from './refs.ts';
import { weakToken } from './weakToken.ts';

/*
 * npm run attack                 everything
 * npm run attack -- --short      what CI runs
 * npm run attack -- --only TEXT  what has TEXT in its name
 *
 * Knows the command line and the wire, and nothing of the source.
 */
const { values } = parseArgs({ options: { short: { type: 'boolean' }, only: { type: 'string' } } });
// biome-ignore format: a row is a case
const all: readonly Attack[] = [
  ...kills, ...weakToken, ...hostileFiles, ...hostileStacks, ...hostilePolicies, ...malformed, ...hostilePlatform,
  ...refs, ...pairs,
];
const chosen = all.filter(
  ({ name, long }) => !(values.short === true && long === true) && name.includes(values.only ?? ''),
);

let failed = 0;
for (const { name, run } of chosen) {
  const startedMs = performance.now();
  const problem = await run().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (problem !== undefined) failed += 1;
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${problem === undefined ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (problem !== undefined) console.log(problem.replaceAll(/^/gm, '    '));
}
console.log(`\n${chosen.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 && chosen.length > 0 ? 0 : 1;
