import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Passing, startProxy, type Verdict } from '../e2e/harness/proxy.ts';
import { type Running, startGantry } from '../e2e/harness/running.ts';
import { expectSameEnd } from './crash.ts';
import type { Moment, Point } from './harness/dying.ts';
import type { Undisturbed } from './harness/scenarioSteps.ts';
import type { World } from './harness/world.ts';

const verdicts: Readonly<Record<Moment, Verdict>> = {
  'before it is sent': 'cut-before',
  'after the commit, before the reply': 'silent',
  'in the middle of the reply': 'half',
};

/** One point of the crash sweep with a real process, which SIGKILL ends; then `expectSameEnd` checks. */
export async function killAt(step: Undisturbed, world: World, point: Point): Promise<void> {
  await world.restore(step.before);
  const folder = mkdtempSync(join(tmpdir(), 'gantry-kill-'));
  let running: Running;
  const isPoint = ({ number }: Passing) => number === point.request;
  const proxy = await startProxy(
    world.platform.url,
    (passing) => {
      if (!isPoint(passing)) return 'pass';
      if (point.moment === 'before it is sent') running.child.kill('SIGKILL');
      return verdicts[point.moment];
    },
    (passing) => {
      if (isPoint(passing)) running.child.kill('SIGKILL');
    },
  );
  try {
    running = startGantry(proxy.url, argumentsOf(step, folder), folder);
    const { signal, stdout, stderr } = await running.ended;
    if (signal !== 'SIGKILL') throw new Error(`the run took only ${proxy.seen.length} requests:\n${stdout}${stderr}`);
  } finally {
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  }
  await expectSameEnd(step, world);
}

function argumentsOf({ step, owner }: Undisturbed, folder: string): readonly string[] {
  const { manifests, flags = [] } = step;
  writeFileSync(join(folder, 'gantry.yaml'), `stack: ${owner}\n`);
  if (manifests === undefined) return ['destroy', '--yes', ...flags];
  writeFileSync(join(folder, 'stack.yaml'), manifests);
  return ['apply', '.', '--yes', ...flags];
}
