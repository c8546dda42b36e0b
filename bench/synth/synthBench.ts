/**
 * `npm run bench:synth [-- N...]`: N constructs to manifests as text, whole processes, with Gantry and with cdk8s and
 * cdktn, which are installed into a temporary folder. Runs alternate, so that a noisy machine affects all equally.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Measured, measureNode, typical } from '../process.ts';
import { printHead, printRow, times } from '../table.ts';

const rounds = 5;
/** The newest `constructs` that both support. */
const others = { cdk8s: '2.70.106', cdktn: '0.24.0', constructs: '10.7.2' } as const;

interface Contender {
  readonly what: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const program = (name: string) => new URL(name, import.meta.url).pathname;

const given = process.argv.slice(2).map(Number);
const sizes = given.length > 0 ? given : [100, 1000, 10_000];

const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-synth-'));
try {
  const theirs = installOthers(folder);
  printHead();
  for (const total of sizes) await benchSynth(total, theirs);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Their programs, in a folder with their packages; none if they cannot be installed. */
function installOthers(at: string): readonly Contender[] {
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, 'package.json'), JSON.stringify({ type: 'module', private: true, dependencies: others }));
  try {
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], { cwd: at });
  } catch {
    console.error('cdk8s and cdktn cannot be installed here: Gantry is measured alone');
    return [];
  }
  for (const name of ['cdk8s', 'cdktn']) copyFileSync(program(`./others/${name}.mjs`), join(at, `${name}.mjs`));
  return [
    { what: `cdk8s ${others.cdk8s}, to YAML`, args: [join(at, 'cdk8s.mjs')] },
    { what: `cdk8s ${others.cdk8s}, to JSON`, args: [join(at, 'cdk8s.mjs')], environment: { BENCH_FORMAT: 'json' } },
    { what: `cdktn ${others.cdktn}, to JSON`, args: [join(at, 'cdktn.mjs')] },
  ];
}

async function benchSynth(total: number, theirs: readonly Contender[]): Promise<void> {
  const contenders: readonly Contender[] = [
    { what: 'bare constructs to JSON', args: [program('./synth.ts')], environment: { BENCH_BARE: '1' } },
    { what: 'Gantry: app.synth() to JSON', args: [program('./synth.ts')] },
    {
      what: 'Gantry: gantry synth, every rule checked (memory: without the process of the stack)',
      args: [program('../../dist/cli.js'), 'synth', program('../stack.ts'), '--org', 'local', '-o', 'json'],
    },
    ...theirs,
  ];
  const runs: Measured[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { args, environment }] of contenders.entries()) {
      const shared = { BENCH_N: String(total), BENCH_RESOURCES: new URL('../resources.ts', import.meta.url).href };
      runs[index]?.push(await measureNode(args, { ...shared, ...environment }, folder));
    }
  }
  const ours = typical(runs[1] ?? []);
  for (const [index, { what }] of contenders.entries()) {
    const run = typical(runs[index] ?? []);
    printRow({ resources: total, what, ...run, ratio: `${times(run.wallSeconds, ours.wallSeconds)} of app.synth()` });
  }
}
