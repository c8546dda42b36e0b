import { isGvcScoped } from '../../schema/record/kinds.ts';
import { formatRef } from '../../schema/record/ref.ts';
import type { Diagnostic } from '../../terraform/model/diagnostic.ts';
import type { ObjectValue } from '../../terraform/model/value.ts';
import { isNoChange, type PlannedResource } from '../../terraform/plan/planResource.ts';
import { isForgotten } from '../../terraform/plan/refusals.ts';
import type { ProviderSession } from './providerSession.ts';
import { refOfState } from './state.ts';
import type { ResourceType } from './types.ts';

export interface Planned {
  readonly config: ObjectValue | null;
  readonly prior: ObjectValue | null;
  readonly plan: PlannedResource;
}

/** What the rules over several resources find, now that this one is planned. */
export async function relatedDiagnostics(
  session: ProviderSession,
  type: ResourceType,
  { config, prior, plan }: Planned,
): Promise<readonly Diagnostic[]> {
  const { planned: set } = await session.platform();
  const { kind } = type;
  const { ref, record } = plan;
  const before = prior === null ? undefined : refOfState(type, prior, session.settings.gvc);
  const isGoing = before !== undefined && (config === null || formatRef(before) !== formatRef(ref));
  const gone = isGoing && prior !== null && !isForgotten(kind, prior) ? set.remove(before) : [];
  if (config === null || ref.name === '' || (isGvcScoped(kind) && ref.gvc === undefined)) return gone;
  if (record !== undefined)
    return [...gone, ...set.add({ kind, ref, record, config, isWritten: !isNoChange(plan, prior) })];
  set.addOpen(ref);
  return gone;
}
