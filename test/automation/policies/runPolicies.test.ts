import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { mostSaid, type PolicyRequest } from '../../../src/automation/policies/request.ts';
import { runPolicies } from '../../../src/automation/policies/runPolicies.ts';

const request: PolicyRequest = { files: [], rules: [], kinds: {}, timeoutMs: 1, memoryMb: 1, endMark: 'the end' };

/** A process in the place of that of policies: it runs `script`, and nothing else writes into the channel. */
function answersOf(script: string) {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
  return runPolicies(child, { request, inputs: [], tell: () => undefined });
}

test.each([
  { it: 'a line without end', text: 'x' },
  { it: 'lines without end', text: '{"loading":"a"}\\n' },
])('$it is bounded: the process is ended', async ({ text }) => {
  const { failures, policies } = await answersOf(
    `const chunk = '${text}'.repeat(2 ** 16); for (;;) fs.writeSync(3, chunk);`,
  );
  expect(mostSaid).toBe(64 * 2 ** 20);
  expect(failures).toEqual([
    {
      code: 'policies.output',
      message: 'the policies handed over more than 64 MiB, and were ended',
      hint: 'Return fewer problems; leave file descriptor 3 alone.',
    },
  ]);
  expect(policies).toEqual([]);
});
