import type { Plan } from '../plan/model/plan.ts';
import type { Settings } from '../project/settings/resolveSettings.ts';
import { writeFirstSignature } from './signatureFile.ts';
import { type Signing, signPlan } from './signPlan.ts';
import type { PlanBytes, Statement } from './statement.ts';
import { targetOf } from './target.ts';

export interface ToSignSaved {
  readonly plan: Pick<Plan, 'org' | 'stack'>;
  /** The bytes of the file. */
  readonly bytes: PlanBytes;
  /** The given path, relative to `cwd`. */
  readonly path: string;
  readonly cwd: string;
  /** The signature names the target that these determine. */
  readonly settings: Settings;
  readonly embedded: boolean;
}

/** Signs a new saved plan, in a file beside it. Errors: `settings.endpoint`, `saved.unwritable`. */
export async function signSaved(
  { plan, bytes, path, cwd, settings, embedded }: ToSignSaved,
  signing: Signing,
): Promise<Statement> {
  const target = targetOf(plan, { settings, embedded });
  const { statement, line } = signPlan({ role: 'plan', plan: bytes, target, nowMs: Date.now() }, signing);
  await writeFirstSignature(path, cwd, line);
  return statement;
}
