import { createHash } from 'node:crypto';
import type { JsonObject } from '../../base/json/json.ts';
import { parseLink } from '../../schema/record/ref.ts';
import type { Caller } from '../core/caller.ts';
import { findRow } from '../core/findRow.ts';
import type { Platform } from '../core/platform.ts';
import { Slices } from '../core/slices.ts';
import { ApiFailure } from '../http/apiFailure.ts';
import { dynamicGroups } from '../store/model/countedStore.ts';
import { targetOf } from './accessTarget.ts';
import { ChoiceThread } from './choiceThread.ts';
import { type IdentityMatcher, matcherOf } from './decisions/membership.ts';

const thread = new ChoiceThread();

interface Answer {
  readonly chosen: boolean;
  /** By the monotonic clock of this process; absent: forever, since equal questions have equal answers. */
  readonly untilMs?: number;
}

const answers = new Map<string, Answer>();
const mostAnswers = 10_000;

/** A question without an answer in time matches no identity, and is repeated after this time. */
const patienceMs = 60_000;

/**
 * Asks the matchers of all groups about an identity, before its request is handled: expressions are evaluated in a
 * thread, and a transaction cannot wait.
 */
export function prepareChoices(platform: Platform, caller: Caller): Promise<void> {
  const { store } = platform;
  return Slices.of({ caller: caller.link }, async (slices) => {
    const { identity, names } = await store.read((tx) => {
      const ref = parseLink(caller.link, { org: platform.org })?.ref;
      const row = ref === undefined ? undefined : findRow(tx, ref);
      return {
        identity: row === undefined ? undefined : targetOf({ platform, tx }, row).candidate(true).fields,
        names: dynamicGroups(tx),
      };
    });
    if (identity === undefined) return;
    for (let at = 0; at < names.length; at += groupsInSlice) {
      await slices.rest();
      const some = names.slice(at, at + groupsInSlice);
      const groups = await store.read((tx) => tx.select({ kind: 'group', names: some, limit: some.length }));
      for (const { record } of groups) await ask(matcherOf(record), identity);
    }
  });
}

const groupsInSlice = 50;

async function ask(matcher: IdentityMatcher | undefined, identity: JsonObject): Promise<void> {
  if (matcher === undefined) return;
  const key = keyOf(matcher, identity);
  const known = answers.get(key);
  if (known !== undefined && (known.untilMs === undefined || performance.now() < known.untilMs)) return;
  const chosen = await thread.ask({ ...matcher, record: JSON.stringify(identity) });
  if (answers.size >= mostAnswers) answers.clear();
  answers.set(key, chosen === undefined ? { chosen: false, untilMs: performance.now() + patienceMs } : { chosen });
}

/** From then on a question that had no answer in time is asked again; until then no answer changes on its own. */
export function answersHoldUntilMs(): number {
  const now = performance.now();
  let earliest = Number.POSITIVE_INFINITY;
  for (const { untilMs = earliest } of answers.values()) if (untilMs > now) earliest = Math.min(earliest, untilMs);
  return earliest;
}

/** Throws 503 if the group or the identity has changed since the question was prepared: a retry succeeds. */
export function chooses(matcher: IdentityMatcher, identity: JsonObject): boolean {
  const answer = answers.get(keyOf(matcher, identity));
  if (answer !== undefined) return answer.chosen;
  throw new ApiFailure(503, 'the groups of the identity have just changed; try again', {
    headers: { 'retry-after': '1' },
  });
}

function keyOf({ language, expression }: IdentityMatcher, identity: JsonObject): string {
  return createHash('sha256')
    .update(JSON.stringify([language, expression, identity]))
    .digest('base64url');
}
