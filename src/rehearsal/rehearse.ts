import { isArray, isObject, type JsonObject, type JsonValue } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { onceForObject } from '../base/once.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import { liveReferences } from '../manifest/live/liveReference.ts';
import type { Change } from '../plan/model/change.ts';
import type { Plan } from '../plan/model/plan.ts';
import { makeReplan } from '../plan/replan.ts';
import { creatableKinds, type Kind } from '../schema/record/kinds.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { childShape } from '../schema/shape/paths.ts';
import type { ListShape, Shape } from '../schema/shape/shape.ts';
import { type Base, baseOfReading, groundAfter, idOf } from './base.ts';
import { finalState } from './finalState.ts';
import type { RehearsalInput } from './input.ts';
import { interruptEverywhere } from './interruptions.ts';
import { Recorder } from './recorder.ts';
import { type Rehearsal, type RehearsalProblem, valuesOf } from './rehearsal.ts';
import { asDifferences, faultsOf, leftToDo, planOn, runOn } from './run.ts';
import { openStage } from './stage.ts';
import type { Known } from './standIns.ts';

/**
 * Runs a plan on an embedded platform that starts with the live state, and plans again, which must give an empty plan;
 * with `crash` also after an interruption at each request. The plan must not be refused.
 */
export async function rehearse(given: RehearsalInput): Promise<Rehearsal> {
  const { desired, snapshot, options, around = (exchange) => exchange } = given;
  const { org } = snapshot;
  const recorder = new Recorder();
  const stage = await openStage({ org, around: (exchange) => recorder.around(around(exchange, 'first')) });
  try {
    const base = await baseOf();
    const plan = withoutOthersValues(given.plan, base, org);
    const input = { ...given, plan };
    await stage.platform.load(base.state);
    const said = {
      stoodInFor: inWords(base),
      proposed: proposedKeys(plan),
      // A complete state contains all referrers.
      unreadReferrers: input.base === undefined ? unreadReferrers(input) : [],
    };
    const untried = () => ({ tried: 0, of: 2 * recorder.sent.length });

    const problem = await runThrough(plan);
    const requests = recorder.sent.length;
    if (problem !== undefined) return { ...said, requests, points: untried(), problem };
    const end = await stage.platform.dump();
    const after = finalState(end, org);
    const points = untried();
    const left = await asDifferences(async () => leftToDo((await planOn(stage, input)).plan));
    if (left.length > 0) {
      return { ...said, requests, points, problem: { what: 'plan', differences: left } };
    }
    input.onGround?.(groundAfter(base.state, end, org, input.ground));
    if (!input.crash) return { ...said, requests, points };
    const sent = recorder.sent.slice(0, requests);
    recorder.clear();
    return {
      ...said,
      requests,
      ...(await interruptEverywhere({ input, stage, recorder, sent, base: base.state, after })),
    };
  } finally {
    await stage.close();
  }

  async function baseOf(): Promise<Base> {
    const { base, ground } = given;
    if (base !== undefined) return ground === undefined ? base : { ...base, state: ground.state };
    return baseOfReading(given, await stage.platform.dump(), ground);
  }

  async function runThrough(plan: Plan): Promise<RehearsalProblem | undefined> {
    let failing: string | undefined;
    const differences = await asDifferences(async () => {
      const result = await runOn(stage, plan, makeReplan(desired, snapshot, options));
      failing = result.failed[0]?.id;
      return faultsOf(result);
    });
    if (differences.length === 0) return undefined;
    const request = recorder.behind(failing === undefined ? undefined : refOfChange(failing), org);
    return { what: 'apply', differences, ...present({ request }) };
  }

  /** Only the secrets that the plan was made with: a complete state contains more. */
  function inWords({ standIns, sealed }: Base): readonly string[] {
    return [...standIns, ...sealed.filter((id) => snapshot.resources.has(id)).map(valuesOf)].sort();
  }

  function refOfChange(id: string) {
    return given.plan.changes.find((change) => change.id === id)?.ref;
  }
}

/**
 * Values that another stack will create do not exist yet, unless its rehearsal has left them: references replace them.
 */
function withoutOthersValues(plan: Plan, { state, standIns }: Base, org: string): Plan {
  const there = new Set([...plan.changes.map(({ id }) => id), ...(state[org]?.records ?? []).map(idOf)]);
  for (const id of standIns) there.delete(id);
  const isThere = (text: string): boolean => liveReferences(text).every(({ id }) => there.has(id));
  const changes = plan.changes.map((change) =>
    change.awaits === undefined ? change : { ...change, awaits: change.awaits.filter(isThere) },
  );
  return { ...plan, changes };
}

/**
 * The list keys in the patches of a plan that are only our assumption (platform/patch.list-keys): the real platform may
 * identify these items differently. In words, sorted: `the list key of spec.containers.ports (workload/shop/web)`.
 */
function proposedKeys({ changes }: Plan): readonly string[] {
  return [...new Set(changes.flatMap(keysOf))].sort();
}

function keysOf({ id, kind, patch, then }: Change): readonly string[] {
  return [patch, then].flatMap((body) => {
    if (body === undefined) return [];
    const document = body.expose();
    const found: string[] = [];
    inObject(shapeOf(kind, document), document, [], (path) => found.push(`the list key of ${path} (${id})`));
    return found;
  });
}

type Report = (path: string) => void;

/** Directives that name items; `$append` needs no key. */
const naming = /^\$(?:patch|drop|retain)\/(.+)$/;

function inObject(shape: Shape | undefined, object: JsonObject, at: readonly string[], report: Report): void {
  for (const [key, value] of Object.entries(object)) {
    const named = naming.exec(key)?.[1];
    const field = named ?? key.replace(/^\$[a-z]+\//, '');
    const member = childShape(shape, field);
    const place = [...at, field];
    if (named !== undefined && member?.type === 'list' && isProposed(member)) report(place.join('.'));
    inside(member, value, place, report);
  }
}

function inside(shape: Shape | undefined, value: JsonValue, at: readonly string[], report: Report): void {
  if (isObject(value)) inObject(shape, value, at, report);
  if (!isArray(value) || shape?.type !== 'list') return;
  for (const item of value) if (isObject(item)) inObject(shape.item, item, at, report);
}

function isProposed({ facts }: ListShape): boolean {
  return facts.list?.class === 'keyed' && facts.list.key.evidence === 'proposed';
}

/**
 * Deletions that the platform might refuse, because not all referrers are known: only the records of the stack, their
 * targets, and the content of deleted GVCs were read. Sorted.
 */
function unreadReferrers({ plan, snapshot }: Known): readonly ResourceId[] {
  const inUseKinds = heldKinds();
  const isListed = (gvc: string | undefined): boolean =>
    gvc !== undefined && snapshot.closures.get(gvc)?.known === true;
  return plan.changes
    .filter(({ action, via }) => (action === 'delete' || action === 'replace') && via === undefined)
    .filter(({ kind, gvc }) => inUseKinds.has(kind) && !isListed(gvc))
    .map(({ id }) => id)
    .sort();
}

/**
 * Their records cannot be deleted while they are referenced; an ip set while one of its addresses is bound
 * (platform/deletion.references).
 */
function heldKinds(): ReadonlySet<Kind> {
  return new Set(['ipset', ...creatableKinds.flatMap((kind) => hardTargets(shapeOf(kind)))]);
}

const hardTargets = onceForObject((shape: Shape): readonly Kind[] => {
  const { link, uri = [], uriStrength } = shape.facts;
  const isHard = link?.strength === 'hard' || link?.strength === 'second-step';
  const here = [...(isHard ? link.to : []), ...(uriStrength === 'hard' ? uri : [])];
  switch (shape.type) {
    case 'object':
      return [...here, ...[...shape.fields.values()].flatMap(hardTargets)];
    case 'map':
      return [...here, ...hardTargets(shape.value)];
    case 'list':
      return [...here, ...hardTargets(shape.item)];
    case 'scalar':
    case 'free':
      return here;
  }
});
