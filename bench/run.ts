/**
 * `npm run bench [-- N...]`: plan and apply of N resources, at 0 and 20 ms per request, compared with a lower bound
 * that does only the unavoidable work and, if it is installed, Terraform's core. Runs alternate, so that a noisy
 * machine affects all equally; the ratios are the result.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PlatformProcess, startPlatform } from './platformProcess.ts';
import { type Measured, measureNode, typical } from './process.ts';
import { printHead, printRow, times } from './table.ts';
import { openTerraform } from './terraform.ts';

const program = (name: string) => new URL(name, import.meta.url).pathname;
const cli = program('../dist/cli.js');
const stack = program('./stack.ts');
const rounds = 5;
const concurrency = 64;
/** A GVC, then its content. */
const longestChain = 2;
const largestTerraformApply = 1000;

const given = process.argv.slice(2).map(Number);
const sizes = given.length > 0 ? given : [100, 1000, 10_000];

printHead();
await benchStart();
for (const total of sizes) {
  for (const latencyMs of [0, 20]) await benchSize(total, latencyMs);
  await benchPure(total);
}
await benchGrowth();

async function benchStart(): Promise<void> {
  const programs = [
    ['-e', '0'],
    [cli, '--version'],
    [cli, '--help'],
  ] as const;
  const runs: Measured[][] = programs.map(() => []);
  for (let round = 0; round < 3 * rounds; round += 1) {
    for (const [index, args] of programs.entries()) runs[index]?.push(await measureNode(args));
  }
  const [bare, ...ours] = runs.map(typical);
  if (bare === undefined) return;
  printRow({ what: 'node -e 0', ...bare, ratio: '1.00x' });
  for (const [index, run] of ours.entries()) {
    const what = `gantry ${programs[index + 1]?.[1]}`;
    printRow({ what, ...run, ratio: `${times(run.wallSeconds, bare.wallSeconds)} of node -e 0` });
  }
}

async function benchSize(total: number, latencyMs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  const at = { resources: total, latencyMs };
  const applies: (Measured & { requests: number })[] = [];
  let platform: PlatformProcess | undefined;
  try {
    // Each apply needs an empty platform; the last one is then used for the plan.
    const bareSeconds: number[] = [];
    for (let round = 0; round < (total > 1000 ? 1 : 3); round += 1) {
      await platform?.stop();
      platform = await startPlatform(latencyMs);
      const bare = await measureNode([program('./applyFloor.ts')], environmentOf(platform, total), folder);
      bareSeconds.push(Number(bare.stdout));
      await platform.stop();
      platform = await startPlatform(latencyMs);
      applies.push(await gantry(platform, folder, total, ['apply', stack, '--yes']));
    }
    if (platform === undefined) return;

    const terraform = latencyMs === 0 ? await openTerraform(total) : undefined;
    const terraformApply = total <= largestTerraformApply ? await terraform?.apply() : undefined;
    if (terraformApply === undefined) terraform?.pretendApplied();
    const [floors, noops, changes, theirs]: [Measured[], Measured[], Measured[], Measured[]] = [[], [], [], []];
    let requests = { noop: 0, changed: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const floor = await measureNode([program('./floor.ts')], environmentOf(platform, total), folder);
      if (Number(floor.stdout) !== total) throw new Error(`the floor compared ${floor.stdout} of ${total}`);
      floors.push(floor);
      const noop = await gantry(platform, folder, total, ['plan', stack]);
      const changed = await gantry(platform, folder, total, ['plan', stack], { BENCH_CHANGED: '1' });
      noops.push(noop);
      changes.push(changed);
      requests = { noop: noop.requests, changed: changed.requests };
      if (terraform !== undefined && (total <= 1000 || round === 0)) theirs.push(await terraform.noop());
    }
    terraform?.remove();

    const [floor, noop, changed, apply] = [typical(floors), typical(noops), typical(changes), typical(applies)];
    const ofFloor = (wallSeconds: number) => `${times(wallSeconds, floor.wallSeconds)} of the floor`;
    printRow({ ...at, what: 'floor', ...floor, ratio: '1.00x' });
    printRow({
      ...at,
      what: 'plan, nothing to do',
      requests: requests.noop,
      ...noop,
      ratio: ofFloor(noop.wallSeconds),
    });
    printRow({
      ...at,
      what: 'plan, 10 % changed',
      requests: requests.changed,
      ...changed,
      ratio: ofFloor(changed.wallSeconds),
    });
    const applyRequests = applies[0]?.requests ?? 0;
    const ideal = Math.max(longestChain, applyRequests / concurrency) * (latencyMs / 1000);
    const ratio =
      ideal > 0 ? `${times(apply.wallSeconds, ideal)} of ${ideal.toFixed(3)} s` : ofFloor(apply.wallSeconds);
    printRow({ ...at, what: 'apply, create all (whole process)', requests: applyRequests, ...apply, ratio });
    const running = typical(applies.map((run) => ({ ...run, wallSeconds: runningSeconds(run.stdout) })));
    if (ideal > 0) {
      const what = 'apply, create all (changes and verification only, to 0.1 s)';
      const bare = bareSeconds.toSorted((a, b) => a - b)[Math.floor(bareSeconds.length / 2)] ?? Number.NaN;
      printRow({ ...at, what: 'the same requests, nothing else', requests: total, wallSeconds: bare, ratio: '1.00x' });
      const ratio = `${times(running.wallSeconds, bare)} of them, ${times(running.wallSeconds, ideal)} of ${ideal.toFixed(3)} s`;
      printRow({ ...at, what, ...running, ratio });
    }
    if (latencyMs > 0) return;

    if (terraform === undefined) {
      printRow({ ...at, what: 'terraform: not on this machine' });
      return;
    }
    const their = typical(theirs);
    const faster = (wallSeconds: number, ours: number) => `ours is ${times(wallSeconds, ours)} faster`;
    const memory = `, in 1/${(their.peakMiB / noop.peakMiB).toFixed(1)} of its memory`;
    const ratioOfPlan = faster(their.wallSeconds, noop.wallSeconds) + memory;
    printRow({ ...at, what: 'terraform, nothing to do', ...their, ratio: ratioOfPlan });
    if (terraformApply === undefined) {
      const why = `not run above ${largestTerraformApply}: its time grows with the square of the size`;
      printRow({ ...at, what: `terraform apply: ${why}` });
    } else {
      const { wallSeconds, peakMiB } = terraformApply;
      const ratioOfApply = faster(wallSeconds, apply.wallSeconds);
      printRow({ ...at, what: 'terraform apply', wallSeconds, peakMiB, ratio: ratioOfApply });
    }
  } finally {
    await platform?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The parts without a platform: the planner alone, and making the manifests. */
async function benchPure(total: number): Promise<void> {
  const environment = { BENCH_N: String(total) };
  const planner = await measureNode([program('./planner.ts')], environment);
  const { seconds, changes } = JSON.parse(planner.stdout);
  const what = `pure planner, ${changes} changed (memory: with its input)`;
  printRow({ resources: total, what, requests: 0, wallSeconds: seconds, peakMiB: planner.peakMiB });

  const bare: Measured[] = [];
  const ours: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await measureNode([program('./synth/synth.ts')], { ...environment, BENCH_BARE: '1' }));
    ours.push(await measureNode([program('./synth/synth.ts')], environment));
  }
  const [floor, synth] = [typical(bare), typical(ours)];
  printRow({ resources: total, what: 'bare constructs to JSON', requests: 0, ...floor, ratio: '1.00x' });
  const ratio = `${times(synth.wallSeconds, floor.wallSeconds)} of bare constructs`;
  printRow({ resources: total, what: 'synth', requests: 0, ...synth, ratio });
}

/** The planner at ten times the size: time and memory for each resource must stay flat. */
async function benchGrowth(): Promise<void> {
  const [none, small, large] = [0, 10_000, 100_000] as const;
  const measured = async (total: number) => {
    const run = await measureNode(['--max-old-space-size=8192', program('./planner.ts')], { BENCH_N: String(total) });
    return { peakMiB: run.peakMiB ?? 0, seconds: Number(JSON.parse(run.stdout).seconds), total };
  };
  // A process's basic memory is not part of the growth.
  const empty = (await measured(none)).peakMiB;
  const runs = [];
  for (const total of [small, large]) {
    const repeated = [];
    for (let round = 0; round < 3; round += 1) repeated.push(await measured(total));
    repeated.sort((a, b) => a.seconds - b.seconds);
    runs.push(...repeated.slice(1, 2));
  }
  const [base] = runs;
  if (base === undefined) return;
  const perResource = (run: typeof base) => [run.seconds / run.total, (run.peakMiB - empty) / run.total] as const;
  const [baseSeconds, baseMiB] = perResource(base);
  for (const run of runs) {
    const [seconds, mebibytes] = perResource(run);
    const what = `pure planner, each resource: ${(seconds * 1e6).toFixed(1)} µs, ${(mebibytes * 1024).toFixed(1)} KiB`;
    const ratio = `${times(seconds, baseSeconds)} of the time, ${times(mebibytes, baseMiB)} of the memory at ${small}`;
    printRow({ resources: run.total, what, requests: 0, wallSeconds: run.seconds, peakMiB: run.peakMiB, ratio });
  }
}

function environmentOf({ url }: PlatformProcess, total: number): Readonly<Record<string, string>> {
  return {
    GANTRY_ENDPOINT: url,
    GANTRY_TOKEN: 'bench',
    GANTRY_ORG: 'local',
    BENCH_URL: url,
    BENCH_TOKEN: 'bench',
    BENCH_N: String(total),
  };
}

async function gantry(
  platform: PlatformProcess,
  folder: string,
  total: number,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Measured & { requests: number }> {
  const before = await platform.requests();
  const environment = { ...environmentOf(platform, total), ...more };
  const measured = await measureNode([cli, ...args, '--stack', 'bench'], environment, folder);
  return { ...measured, requests: (await platform.requests()) - before };
}

/** From `Done: 100 created. 104 requests in 0.2 s.` */
function runningSeconds(stdout: string): number {
  return Number(/requests in ([\d.]+) s/.exec(stdout)?.[1] ?? Number.NaN);
}
