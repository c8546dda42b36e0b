import type { Plan } from '../plan/model/plan.ts';
import type { Settings } from '../project/settings/settings.ts';
import { writeFirstSignature } from './signatureFile.ts';
import { type Signing, signPlan } from './signPlan.ts';
import type { PlanBytes, Statement } from './statement.ts';
import { targetOf } from './target.ts';

export interface ToSignSaved {
  /** The org and stack that it is for. */
  readonly plan: Pick<Plan, 'org' | 'stack'>;
  /** Of the file. */
  readonly bytes: PlanBytes;
  /** As it was named, from `cwd`. */
  readonly path: string;
  readonly cwd: string;
  /** A signature says where the plan may be applied. */
  readonly settings: Settings;
  readonly embedded: boolean;
}

/** Signs a plan that was just saved, in a file beside it. Errors: `settings.endpoint`, `saved.unwritable`. */
export async function signSaved(
  { plan, bytes, path, cwd, settings, embedded }: ToSignSaved,
  signing: Signing,
): Promise<Statement> {
  const target = targetOf(plan, { settings, embedded });
  const { statement, line } = signPlan({ role: 'plan', plan: bytes, target, nowMs: Date.now() }, signing);
  await writeFirstSignature(path, cwd, line);
  return statement;
}
