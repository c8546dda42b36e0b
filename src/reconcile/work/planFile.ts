import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewPlan } from '../../gantry/gantry.ts';
import { save } from '../../gantry/saved.ts';
import type { Session } from '../../project/session/session.ts';
import { signatureFileOf } from '../../signing/signatureFile.ts';
import type { KeptPlan } from '../store/keptFiles.ts';
import type { RunLog } from './runLog.ts';
import type { WorkerSurroundings } from './surroundings.ts';

/** For a plan that cannot be permitted to run. */
export const noFile: KeptPlan = { file: '', signatures: '' };

/** A plan in the form of `gantry plan --out`. */
export function planFile(
  session: Session,
  plan: NewPlan,
  { signing }: Pick<WorkerSurroundings, 'signing'>,
  log: RunLog,
): Promise<KeptPlan> {
  return withPlanFile(
    noFile,
    async (path) => {
      await save(session, [plan], path, { signing });
      const signatures = await readFile(signatureFileOf(path), 'utf8').catch(() => '');
      return { file: await readFile(path, 'utf8'), signatures };
    },
    log,
  );
}

/** Writes a file and its signatures for the duration of the work. */
export async function withPlanFile<T>(
  { file, signatures }: KeptPlan,
  work: (path: string) => Promise<T>,
  log?: Pick<RunLog, 'leaveOut'>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-reconcile-'));
  try {
    log?.leaveOut(folder);
    const path = join(folder, 'stack.plan');
    if (file !== '') await writeFile(path, file, { mode: 0o600 });
    if (signatures !== '') await writeFile(signatureFileOf(path), signatures);
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
