import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const bench = new URL('../../bench/provider/providerBench.ts', import.meta.url).pathname;

test.each([
  { args: ['--until', 'nothing'], because: '--until nothing: there is no such step. One of: create; plan, nothing' },
  { args: ['many'], because: 'N is a number of resources' },
  { args: ['--latency', 'fast'], because: '--latency fast: write milliseconds' },
])('the benchmark of the provider refuses $args', ({ args, because }) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bench, ...args], { encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([64, '', expect.stringContaining(because)]);
});
