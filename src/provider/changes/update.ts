import { present } from '../../base/json/present.ts';
import type { ObjectValue } from '../../hcl/value.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Change } from '../../plan/model/change.ts';
import { directivesOf } from '../../plan/model/planContext.ts';
import { patchFor } from '../plan/patchFor.ts';
import { replanOf, withStored } from './answers.ts';
import { type ChangeContext, type Changed, stateNow } from './changeContext.ts';
import { stale } from './changeErrors.ts';
import { movedAttributes } from './movedAttributes.ts';
import { bodyOf, type ChangeOutcome, changeOf, type RunOptions, runChange } from './runChange.ts';

export interface Update extends Changed {
  /** Everything in it is known. */
  readonly config: ObjectValue;
  /** The state that was planned with. */
  readonly prior: ObjectValue;
}

/**
 * Sends the smallest patch to the record as it is now, under a precondition on its id and version. What others have
 * written since the plan is no matter as long as it is not what the state says; otherwise nothing is written.
 */
export async function updateRecord(
  context: ChangeContext,
  { config, prior, ...changed }: Update,
  options: RunOptions,
): Promise<ChangeOutcome> {
  const found = await context.client.read(changed.ref);
  const expectedId = prior['id'];
  if (found === undefined || (typeof expectedId === 'string' && found.uid !== expectedId)) {
    const what = found === undefined ? 'it no longer exists' : 'another record has its name now';
    return { live: undefined, error: stale(changed, what), notes: [] };
  }
  const first = patchChange(context, { config, prior, ...changed }, found);
  if (first === undefined) return waitOnly(context, changed, found, options);
  const moved = movedAttributes(changed.kind, prior, stateNow(context, changed, found, prior));
  if (moved.length > 0) return { live: found, error: stale(changed, `${moved.join(', ')} changed`), notes: [] };
  const declared = { config, prior, ...changed };
  const replan = replanOf(context, declared, (live) => patchChange(context, declared, live));
  const outcome = await runChange(context, first, { ...options, replan });
  return withStored(context, declared, { ...outcome, live: outcome.live ?? found });
}

function patchChange(
  { client, discovery, gvc }: ChangeContext,
  { config, prior, ...changed }: Update,
  live: LiveResource,
): Change | undefined {
  const found = patchFor({
    kind: changed.kind,
    config,
    prior,
    live: live.record,
    org: client.org,
    capabilities: client.capabilities,
    stored: changed.stored,
    directives: directivesOf({ directives: discovery.directives, capabilities: client.capabilities }),
    ...present({ gvc }),
  });
  if (found === undefined) return undefined;
  return {
    ...changeOf(changed),
    action: 'patch',
    fields: found.fields,
    patch: bodyOf(changed, found.patch),
    expected: bodyOf(changed, found.expected),
    liveUid: live.uid,
    liveVersion: live.version,
  };
}

/** Nothing has to be written: only what the resource says to the provider has changed, or it was written before. */
async function waitOnly(
  context: ChangeContext,
  changed: Changed,
  live: LiveResource,
  options: RunOptions,
): Promise<ChangeOutcome> {
  if (options.readyMs === undefined) return { live, error: undefined, notes: [] };
  const unchanged = { ...changeOf(changed), action: 'keep', liveUid: live.uid, liveVersion: live.version } as const;
  return { ...(await runChange(context, unchanged, options)), live };
}
