import type { DesiredResource } from '../manifest/model/manifest.ts';
import type { Platform } from '../project/platform/platform.ts';
import type { Session } from '../project/session/session.ts';
import { phase } from '../project/session/tracing.ts';
import { limitsInForce } from '../project/settings/inForce.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import type { NewPlan, Rehearse, StoredPlan, UndoOptions } from './gantry.ts';
import { rehearseIfAsked } from './plan.ts';
import { storedPlan } from './saved.ts';
import { toSavedPlan } from './savedPlan/file.ts';
import { planUndo } from './savedPlan/planUndo.ts';

interface Undoing {
  readonly rehearse?: Rehearse | undefined;
  /** It is kept in a file that is signed. */
  readonly isSigned?: boolean;
  /** Of the changes of the plan; absent: those that it declares. */
  readonly places?: readonly DesiredResource[];
  /** What is deleted before, by the plans that take back later stacks. */
  readonly gone?: ReadonlySet<ResourceId>;
}

/**
 * The plans that take back the applied plans of one file, the last one first: what a stack has of others is gone by the
 * time these are taken back. Errors: as `undoPlan`.
 */
export async function undoAll(
  session: Session,
  platform: Platform,
  plans: readonly StoredPlan[],
  permits: Omit<UndoOptions, 'signal' | 'rehearse'>,
  how: Omit<Undoing, 'gone'>,
): Promise<readonly StoredPlan[]> {
  const gone = new Set<ResourceId>();
  const undone: StoredPlan[] = [];
  for (const plan of plans.toReversed()) {
    const undo = await undoPlan(session, platform, plan, permits, { ...how, gone });
    for (const { id, action } of undo.plan.changes) if (action === 'delete') gone.add(id);
    undone.push(undo);
  }
  return undone;
}

/**
 * The plan that takes an applied one back. It is empty where nothing can be taken back, and its notes say why. Errors:
 * `undo.done`, `undo.not-applied`, `plan.stale`.
 */
export async function undoPlan(
  session: Session,
  platform: Platform,
  plan: NewPlan | StoredPlan,
  permits: Omit<UndoOptions, 'signal' | 'rehearse'>,
  { rehearse = false, isSigned = false, places, gone }: Undoing = {},
): Promise<StoredPlan> {
  const { environment, cwd } = session;
  const ofNew = { ...plan, folder: cwd, policies: () => Promise.resolve(undefined) };
  const { folder, settings, policies } = 'saved' in plan ? plan : ofNew;
  const saved = 'saved' in plan ? plan.saved : await toSavedPlan(plan, plan.inputs, environment);
  const limits = limitsInForce(settings);
  const how = { permits, limits, isSigned, isRehearsed: rehearse !== false, ...(gone === undefined ? {} : { gone }) };
  const undo = await phase(session, 'plan', () => planUndo(saved, platform, how));
  await session.tell({ type: 'plan', plan: undo.plan, from: undo });
  const rehearsal = await rehearseIfAsked(session, undo.plan, rehearse, async (as) => {
    const { rehearse: run } = await import('../rehearsal/rehearse.ts');
    const { desired, snapshot, options, request } = undo;
    return run({ ...as, plan: undo.plan, desired, snapshot, options, request, resume: 'remainder' });
  });
  const back = await toSavedPlan(undo, saved.inputs, environment);
  const belongs = { folder, settings, policies, verify: undefined };
  return storedPlan(back, belongs, { rehearsal, ...(places === undefined ? {} : { places }) });
}
