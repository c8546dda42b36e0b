import type { ApplyResult } from '../../src/apply/events.ts';
import { type JsonObject, objectAt, own } from '../../src/base/json/json.ts';
import type { Exchange } from '../../src/client/http/exchange.ts';
import { isRefused, type Plan } from '../../src/plan/model/plan.ts';
import { expectDone, expectNothingLeft } from './harness/scenarioSteps.ts';
import { applyPlanned, applyWork, planWork, type Work, workOf } from './harness/stack.ts';
import { heldIn } from './harness/state.ts';
import type { World } from './harness/world.ts';
import type { RaceStack } from './raceStacks.ts';
import { addressOf, type Deed, type Done, deeds, rival, rivalName, rivalTag } from './rival.ts';

const owner = 'race';

/** A stack that is ready for its change. */
export interface Prepared {
  readonly work: Work;
  readonly before: JsonObject;
  /** The requests of the undisturbed change, and how many of them belong to the plan. */
  readonly requests: number;
  readonly planning: number;
}

export async function prepare(world: World, stack: RaceStack): Promise<Prepared> {
  for (const { path, name } of stack.foreign ?? []) await world.platform.call('POST', path, { name });
  if (stack.from !== undefined) {
    expectDone((await applyWork(world.exchange, await workOf({ manifests: stack.from }, owner))).result);
  }
  const { to, flags = [] } = stack;
  const work = await workOf({ flags, ...(to === undefined ? {} : { manifests: to }) }, owner);
  const before = await world.state();
  const { exchange, sent } = hooked(world.exchange, async () => {});
  const { planned, result } = await applyWork(exchange, work);
  expectDone(result);
  return { work, before, requests: sent.length, planning: planned.plan.requests.snapshot };
}

/** `before` is called before each request, with its number, counted from 1; later requests wait for it too. */
function hooked(inner: Exchange, before: (number: number) => Promise<void>) {
  const sent: string[] = [];
  let turn: Promise<void> = Promise.resolve();
  const exchange: Exchange = {
    async send(request) {
      const number = sent.push(`${request.method} ${request.path}`);
      turn = turn.then(() => before(number));
      await turn;
      return inner.send(request);
    },
    close: async () => {},
  };
  return { exchange, sent };
}

export interface Meeting {
  readonly target: string;
  readonly deed: Deed;
  /** The other client acts before this request of the run, counted from 1. */
  readonly request: number;
}

/** Every request, every target, every deed; a record can be added only to a GVC. */
export function meetingsOf({ targets }: RaceStack, { requests }: Prepared): readonly Meeting[] {
  const met = targets.flatMap((target) =>
    deeds
      .filter((deed) => deed !== 'puts something into it' || target.startsWith('gvc/'))
      .map((deed) => ({ target, deed })),
  );
  return Array.from({ length: requests }, (_, index) => met.map((each) => ({ ...each, request: index + 1 }))).flat();
}

/** How an interrupted run ended. */
export type Outcome = 'converged' | 'stale' | 'refused' | 'failed' | 'not met' | 'in the window';

/**
 * The other client does its deed before one request of a run. Throws if the run neither converges nor ends with a clean
 * report, if it deletes a record that its plan did not show, if a write of the other client is lost, or if a further
 * apply neither converges nor says why not. Losses in the window of a DELETE are only counted.
 */
export async function meet(world: World, { work, before }: Prepared, meeting: Meeting): Promise<Outcome> {
  await world.restore(before);
  let done: Done | undefined;
  const { exchange, sent } = hooked(world.exchange, async (number) => {
    if (number === meeting.request) done = await rival(world.platform, meeting.target, meeting.deed);
  });
  const first = await attempt(exchange, work);
  const outcome = outcomeOf(first, meeting);
  if (done?.happened !== true) return 'not met';

  const after = await world.state();
  expectNothingElseDeleted(before, after, first.plan, done.deleted);
  const lost = lostOfTheirs(after, meeting, done) ?? unseen(after, meeting, done, first.plan);
  if (lost !== undefined && !isInWindow(sent, meeting)) throw new Error(lost);

  const again = await attempt(world.exchange, work);
  const last = await world.state();
  expectNothingElseDeleted(after, last, again.plan, []);
  const lostLater = lost === undefined ? lostOfTheirs(last, meeting, done) : undefined;
  if (lostLater !== undefined) throw new Error(`the next run: ${lostLater}`);
  if (again.refused === undefined) {
    if (again.result !== undefined) expectDone(again.result);
    await expectNothingLeft(world.exchange, work);
  }
  return lost === undefined ? outcome : 'in the window';
}

/**
 * DELETE has no precondition: between the check directly before it (a read, or the PATCH that marks a replaced record)
 * and the DELETE itself is one round trip that cannot be closed. True if the other client acted there.
 */
function isInWindow(sent: readonly string[], { request, target, deed }: Meeting): boolean {
  // A record that is deleted with its GVC is checked by the list of its kind.
  const { path, collection } = addressOf(
    deed === 'puts something into it' ? `identity/${target.split('/')[1]}/x` : target,
  );
  const gvc = addressOf(`gvc/${target.split('/')[1]}`).path;
  const isDeletion = (each: string) => each === `DELETE ${path}` || each === `DELETE ${gvc}`;
  const isCheck = (each: string) =>
    [`GET ${path}`, `GET ${path}/-reveal`, `PATCH ${path}`].includes(each) || each.startsWith(`GET ${collection}?`);
  const deletion = sent.findIndex((each, index) => index + 1 >= request && isDeletion(each));
  const check = sent.findLastIndex((each, index) => index < deletion && isCheck(each));
  return check >= 0 && check + 1 < request;
}

interface Attempt {
  readonly plan: Plan;
  readonly result?: ApplyResult;
  /** Codes of the refusals. */
  readonly refused?: readonly string[];
}

async function attempt(exchange: Exchange, work: Work): Promise<Attempt> {
  const planned = await planWork(exchange, work);
  const { plan } = planned;
  if (!isRefused(plan)) return { plan, result: await applyPlanned(exchange, planned) };
  return {
    plan,
    refused: [...plan.refusals, ...plan.changes.flatMap(({ refusals }) => refusals)].map(({ code }) => code),
  };
}

/** The codes of refusals of a write whose target or parent another client has just deleted. */
const clean: ReadonlySet<string> = new Set(['api.invalid', 'api.not-found']);

function outcomeOf({ result, refused }: Attempt, { deed }: Meeting): Outcome {
  if (refused !== undefined) return 'refused';
  const failed = result?.failed ?? [];
  const takes = deed === 'deletes it' || deed === 'creates it again';
  const unclean = failed.filter(({ error: { code } }) => code !== 'plan.stale' && !(takes && clean.has(code)));
  if (unclean.length > 0) {
    throw new Error(unclean.map(({ id, error }) => `${id}: ${error.code}: ${error.message}`).join('\n'));
  }
  if (failed.some(({ error }) => error.code === 'plan.stale')) return 'stale';
  return failed.length > 0 ? 'failed' : 'converged';
}

/**
 * Expects that each deleted record was shown by the plan, deleted by the other client, or deleted with a GVC that was.
 */
function expectNothingElseDeleted(before: JsonObject, after: JsonObject, plan: Plan, deleted: readonly string[]): void {
  const going = plan.changes.filter(({ action }) => action === 'delete' || action === 'replace');
  const shown = new Set(going.flatMap(({ liveUid = '', cascadesTo }) => [liveUid, ...cascadesTo]));
  const theirs = new Set(deleted);
  const now = new Set(heldIn(after).map(({ uid }) => uid));
  const gone = heldIn(before).filter(({ uid }) => !now.has(uid));
  const theirGvcs = new Set(gone.filter(({ uid }) => theirs.has(uid)).map(({ id }) => id));
  const unshown = gone.filter(({ id, uid }) => {
    const gvc = `gvc/${id.split('/')[1]}`;
    return !shown.has(uid) && !shown.has(id) && !theirs.has(uid) && !theirGvcs.has(gvc);
  });
  if (unshown.length > 0) throw new Error(`deleted, and not shown by the plan: ${unshown.map(({ id }) => id).join()}`);
}

/**
 * Expects the other client's write as long as its record exists, even if it was replaced, and the records that it
 * created.
 */
function lostOfTheirs(state: JsonObject, { target, deed }: Meeting, { created }: Done): string | undefined {
  const held = heldIn(state);
  const record = held.find(({ id }) => id === target)?.record;
  if (deed === 'writes another field' && record !== undefined && own(objectAt(record, 'tags'), rivalTag) !== 'here') {
    return `the tag of another on ${target} is lost`;
  }
  const gone = created.filter((uid) => !held.some((each) => each.uid === uid));
  return gone.length === 0 ? undefined : `what another has put at ${target} is gone`;
}

/**
 * A record that another client wrote after the plan is neither deleted nor overwritten by that plan, which approved
 * other content.
 */
function unseen(state: JsonObject, { target, deed }: Meeting, { written }: Done, plan: Plan): string | undefined {
  const change = plan.changes.find(({ id }) => id === target);
  // A record that is deleted with its GVC is deleted in any state.
  if (written === undefined || change?.via !== undefined || (change?.liveVersion ?? 0) >= written.version)
    return undefined;
  const record = heldIn(state).find(({ uid }) => uid === written.uid)?.record;
  if (record === undefined) return `${target} was deleted, although another had written it since the plan`;
  const overwritten = deed === 'writes the same field' && own(record, 'description') !== rivalName;
  return overwritten ? `${target} was overwritten, although another had written it since the plan` : undefined;
}
