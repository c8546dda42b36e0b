/**
 * The cost of policies: `gantry validate` of 1 and of 10,000 resources without policies, with the starter set, and with
 * additional rules and code, alternating. `npm run bench:policies` builds nothing: it runs dist/cli.js.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchResources } from './resources.ts';

const main = new URL('../dist/cli.js', import.meta.url).pathname;
const rounds = Number(process.argv[2] ?? 5);
const root = mkdtempSync(join(tmpdir(), 'gantry-policies-bench-'));

const code = `import { policy } from 'gantry/policies';
export const a = policy({ id: 'a', kind: 'workload', resource: ({ spec }) =>
  spec.containers.filter(({ env = [] }) => env.length > 50).map(({ name }) => ({ message: 'too many', path: name })) });
export const b = policy({ id: 'b', resource: ({ name }) => (name.length > 60 ? [{ message: 'too long' }] : []) });
export const c = policy({ id: 'c', kind: 'volumeset', *resource({ spec }) { if (spec.initialCapacity > 9_000) yield { message: 'too large' }; } });
`;
const rules = [
  { id: 'memory', kind: 'workload', path: 'spec.containers.*.memory', max: '8Gi' },
  { id: 'registry', kind: 'workload', path: 'spec.containers.*.image', matches: '^registry\\.example\\.com/' },
];
const variants: Readonly<Record<string, object>> = {
  none: {},
  starter: { policies: { use: ['starter'] } },
  'starter, 2 rules, 3 of code': { policies: { use: ['starter'], rules } },
};

function manifests(count: number): readonly object[] {
  const own = benchResources(count, false).flatMap(({ name: gvc, spec, identities, volumesets, workloads }) => [
    { kind: 'gvc', name: gvc, spec },
    ...identities.map((each) => ({ kind: 'identity', gvc, ...each })),
    ...volumesets.map((each) => ({ kind: 'volumeset', gvc, ...each })),
    ...workloads.map((each) => ({ kind: 'workload', gvc, ...each })),
  ]);
  return own.slice(0, count);
}

function timeOf(folder: string): number {
  const started = performance.now();
  const { stdout } = spawnSync(process.execPath, [main, 'validate', '.', '-o', 'json'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: root },
    maxBuffer: 2 ** 30,
  });
  const ms = performance.now() - started;
  const { problems } = JSON.parse(stdout.toString('utf8'));
  if (problems.some(({ rule }: { readonly rule: string }) => !rule.startsWith('policy.')))
    throw new Error(String(stdout));
  return ms;
}

try {
  const folders = [1, 10_000].flatMap((count) =>
    Object.entries(variants).map(([name, settings], index) => {
      const folder = join(root, `${count}-${index}`);
      mkdirSync(join(folder, 'policies'), { recursive: true });
      writeFileSync(join(folder, 'all.json'), JSON.stringify(manifests(count)));
      writeFileSync(join(folder, 'gantry.yaml'), JSON.stringify({ stack: 'bench', ...settings }));
      if (index === 2) writeFileSync(join(folder, 'policies/code.ts'), code);
      return { name: `${count.toLocaleString('en')}, ${name}`, folder, times: [] as number[] };
    }),
  );
  for (const { folder } of folders) timeOf(folder); // fills the caches of code
  for (let round = 0; round < rounds; round += 1) for (const { folder, times } of folders) times.push(timeOf(folder));
  for (const { name, times } of folders) {
    const sorted = times.toSorted((a, b) => a - b);
    const [least = 0, median = 0] = [sorted[0], sorted[Math.floor(rounds / 2)]];
    process.stdout.write(`${name.padEnd(38)} ${median.toFixed(0).padStart(6)} ms (least ${least.toFixed(0)})\n`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
