import { TimeoutError } from '../../apply/applyErrors.ts';
import { type DeleteAnswer, systemClock } from '../../apply/port.ts';
import { childrenOf, deniedThere, repeatCapMs, unapprovedData } from '../../apply/remove.ts';
import { defaultPatience, delayMs } from '../../apply/run.ts';
import { firstOf } from '../../base/text/firstOf.ts';
import { ToolError } from '../../base/toolError.ts';
import { isCode } from '../../client/http/apiError.ts';
import { IncompleteList } from '../../client/incompleteList.ts';
import { isUnserved } from '../../client/reader.ts';
import { ownNames } from '../../hcl/schema/ownAttributes.ts';
import { attributeOf, type ObjectValue, textAt } from '../../hcl/value.ts';
import { stillInUse } from '../../kinds/kindFacts.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { formatRef, type Ref } from '../../schema/record/ref.ts';
import { dangling } from '../plan/collateral.ts';
import {
  type ChangeContext,
  type Changed,
  deletionInterrupted,
  interrupted,
  movedAttributes,
  stale,
  stateNow,
} from './changeContext.ts';

export interface Removal extends Changed {
  /** The state that was planned with. */
  readonly prior: ObjectValue;
  /** The version that was planned with, if the plan contains it. */
  readonly version?: number | undefined;
  readonly patienceMs?: number | undefined;
}

const pollCapMs = 2_000;

/**
 * Deletes the record of a state, and waits until it no longer exists. DELETE has no precondition, so the record is read
 * directly before it and before each retry: it must be the one of the state, unchanged since the plan; a GVC may
 * contain exactly as many records of others as `allow_collateral` permits. Returns false if it was already deleted.
 */
export function removeRecord(context: ChangeContext, removal: Removal): Promise<boolean> {
  return context.deletionReads.during(() => remove(context, removal));
}

async function remove(context: ChangeContext, removal: Removal): Promise<boolean> {
  const { patienceMs = defaultPatience.deletionMs } = removal;
  const until = systemClock.now() + patienceMs;
  const answer = await untilSent(context, removal, { until, patienceMs }, context.deletionReads.before);
  if (answer === undefined) return false;
  const { prior, ref } = removal;
  context.written.delete(formatRef(ref));
  await untilGone(context, removal, { until, patienceMs }, answer);
  context.written.set(formatRef(ref), { as: 'deleted', uid: textAt(prior, 'id') ?? '' });
  return true;
}

interface Patience {
  readonly until: number;
  readonly patienceMs: number;
}

/**
 * Waits while it is busy, or still referenced by what is being changed. Undefined if it is already deleted, by the
 * first look; nothing was sent.
 */
async function untilSent(
  context: ChangeContext,
  removal: Removal,
  patience: Patience,
  firstLook: Look,
): Promise<DeleteAnswer | undefined> {
  for (let round = 0; ; round += 1) {
    const live = await readDeletable(context, removal, round === 0 ? firstLook : context.deletionReads.now);
    if (live === undefined) return round > 0 ? 'not-found' : undefined;
    if (context.stopped.aborted) throw interrupted(removal);
    const inUse = stillInUse(live.ref.kind, live.record);
    const answer = inUse === undefined ? await sendDelete(context, removal) : undefined;
    if (answer !== undefined) return answer;
    await pause({ context, removal, patience }, round, inUse ?? 'free to be deleted');
  }
}

/** After a 404 that reads contradict, the DELETE is sent again, as by `gantry apply`. */
async function untilGone(
  context: ChangeContext,
  removal: Removal,
  patience: Patience,
  answered: DeleteAnswer,
): Promise<void> {
  let answer: DeleteAnswer | undefined = answered;
  for (let round = 0; (await ownRecord(context.deletionReads.afterDelete, removal)) !== undefined; round += 1) {
    if (context.stopped.aborted) throw deletionInterrupted(removal);
    const because = answer === 'not-found' ? deniedThere : undefined;
    await pause({ context, removal, patience, because }, round, 'gone');
    if (because === undefined) continue;
    answer = await untilSent(context, removal, patience, context.deletionReads.now);
    if (answer === undefined) return;
  }
}

type Look = (ref: Ref) => Promise<LiveResource | undefined>;

/** Undefined if the state's record is deleted, even if another one has its name. */
async function ownRecord(look: Look, { ref, prior }: Removal): Promise<LiveResource | undefined> {
  const live = await look(ref);
  return live?.uid === attributeOf(prior, 'id') ? live : undefined;
}

interface Waiting {
  readonly context: ChangeContext;
  readonly removal: Removal;
  readonly patience: Patience;
  readonly because?: string | undefined;
}

/** Ends early with Ctrl-C. */
async function pause({ context, removal, patience, because }: Waiting, round: number, waitedFor: string) {
  const { until, patienceMs } = patience;
  if (systemClock.now() > until) throw new TimeoutError(formatRef(removal.ref), waitedFor, patienceMs, because);
  const capMs = because === undefined ? pollCapMs : repeatCapMs;
  await systemClock.sleep(delayMs(round, capMs, Math.random()), context.stopped);
}

/** Undefined if it is busy, or may not have been sent; then it is read again. */
async function sendDelete(context: ChangeContext, removal: Removal): Promise<DeleteAnswer | undefined> {
  try {
    const { client } = context;
    const isStillNeeded = async () => (await readDeletable(context, removal, client.read)) !== undefined;
    return await client.delete(removal.ref, isStillNeeded);
  } catch (error) {
    if (!isCode(error, 'api.conflict', 'api.reply-lost')) throw error;
    return undefined;
  }
}

/** Undefined if it is deleted. Throws if it, or what is deleted with it, is not as approved. */
async function readDeletable(context: ChangeContext, removal: Removal, look: Look): Promise<LiveResource | undefined> {
  const { kind, prior, ref, version } = removal;
  const [seen, children] = await Promise.all([
    ownRecord(look, removal),
    isContainer(kind) ? contentOf(context, removal) : [],
  ]);
  if (seen === undefined || children === undefined) return undefined;
  const isAsPlanned = seen.version === version;
  // A list does not show the values of secrets.
  const live = isAsPlanned ? seen : await ownRecord(context.client.read, removal);
  if (live === undefined) return undefined;
  const moved = isAsPlanned ? [] : movedAttributes(kind, prior, stateNow(context, removal, live, prior));
  if (moved.length > 0) throw stale(removal, `${moved.join(', ')} changed`);
  const allowed = attributeOf(prior, ownNames.allowCollateral) ?? 0;
  if (children.length > 0 && children.length !== allowed) throw collateral(removal, children);
  const id = formatRef(ref);
  const needed = dangling(id, await context.neededBy([live, ...children].map((each) => each.ref)), prior);
  if (needed.warnings.length > 0) {
    throw new ToolError({
      code: 'delete.referenced',
      message: `${id} is needed by others: ${needed.named}`,
      hint: `Take these references away, or apply ${ownNames.allowDangling} = ${needed.losing} first.`,
      resource: id,
    });
  }
  const mayLoseData = attributeOf(prior, ownNames.allowDataLoss) === true;
  const data = mayLoseData ? undefined : unapprovedData([live, ...children]);
  if (data === undefined) return live;
  throw new ToolError({
    code: 'delete.data',
    message: data,
    hint: `To allow it, apply ${ownNames.allowDataLoss} = true first.`,
    resource: formatRef(ref),
  });
}

/** Undefined if the GVC is deleted. */
async function contentOf({ client }: ChangeContext, { ref }: Removal): ReturnType<typeof childrenOf> {
  try {
    return await childrenOf({ port: client }, ref.name);
  } catch (error) {
    if (!isUnserved(error) && !(error instanceof IncompleteList)) throw error;
    throw new ToolError({
      code: 'delete.closure-unknown',
      message: `the content of ${formatRef(ref)} cannot be listed, so it is not known what would be lost (${error.message})`,
      hint: `gantry gvc delete ${ref.name} --force deletes it with everything in it; apply again after that.`,
      resource: formatRef(ref),
      cause: error,
    });
  }
}

function collateral({ ref }: Removal, children: readonly LiveResource[]): ToolError {
  const ids = children.map(({ id }) => id).sort();
  return new ToolError({
    code: 'delete.bystander',
    message:
      `${formatRef(ref)} contains ${ids.length} ${ids.length === 1 ? 'resource' : 'resources'} that this apply does ` +
      `not delete: ${firstOf(ids, 20)}`,
    hint: `Everything in it is deleted with it. To allow exactly that, apply ${ownNames.allowCollateral} = ${ids.length} first.`,
    resource: formatRef(ref),
  });
}
