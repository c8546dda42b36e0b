import type { PlatformPort } from '../../apply/port.ts';
import { runApply } from '../../apply/runApply.ts';
import { type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import type { ToolError } from '../../base/toolError.ts';
import { isCode } from '../../client/http/apiError.ts';
import type { ObjectValue } from '../../hcl/value.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { Body } from '../../manifest/model/body.ts';
import { appliedTag, ownerOf, ownerTag } from '../../manifest/model/ownTags.ts';
import { maskSensitive } from '../../patch/fieldChanges.ts';
import { bySchema } from '../../patch/shouldMask.ts';
import type { Change } from '../../plan/model/change.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { patternOf } from '../../plan/record/platformValues.ts';
import type { AnswerReading, Replan } from '../../plan/replan.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import { creationOf, type ReadAnswer, readAnswer } from '../plan/patchFor.ts';
import type { StoredValues } from '../plan/storedValues.ts';
import { type ChangeContext, type Changed, heldElsewhere, interrupted, nameTakenError } from './changeContext.ts';

/** The result of one write. */
export interface ChangeOutcome {
  /** The last known record; undefined if nothing was written or found. */
  readonly live: LiveResource | undefined;
  readonly error: ToolError | undefined;
  /** Notes for the user about the change. */
  readonly notes: readonly string[];
  /** The values that the platform stored in its own way; absent if nothing was written. */
  readonly stored?: StoredValues;
}

export interface RunOptions {
  /** The timeout of the wait until it is ready; if absent, there is no wait. */
  readonly readyMs?: number | undefined;
  readonly replan?: Replan;
}

/**
 * Carries out one change with the applier of `gantry apply`: preconditions, lost replies, busy records, the comparison
 * with the proof, and the wait until it is ready are the same.
 */
export async function runChange(
  context: ChangeContext,
  change: Change,
  { readyMs, replan }: RunOptions,
): Promise<ChangeOutcome> {
  const { client, owner, discovery, stopped, written, patience } = context;
  const plan: Plan = {
    formatVersion: 1,
    org: client.org,
    stack: owner,
    changes: [readyMs === undefined ? change : { ...change, wait: true, waitTimeoutMs: readyMs }],
    refusals: [],
    notes: [],
    requests: { snapshot: 0, apply: 0 },
    ...present({ preconditions: discovery.preconditions }),
  };
  let live: LiveResource | undefined;
  const notice = (found: LiveResource | undefined): void => {
    live = found;
  };
  const result = await runApply(plan, noticing(client, formatRef(change.ref), notice), {
    signal: stopped,
    stopRetrying: () => client.stopRetrying(),
    verifies: false,
    patience,
    wroteBefore: (id) => written.get(id)?.as === 'stored',
    ...present({ replan }),
  });
  const [failed] = result.failed;
  const [skipped] = result.skipped;
  return {
    live,
    error: failed?.error ?? (skipped === undefined ? undefined : interrupted(change)),
    notes: result.notes ?? [],
  };
}

/** The port, which reports every answer about one record. */
function noticing(port: PlatformPort, id: ResourceId, notice: (live: LiveResource | undefined) => void): PlatformPort {
  async function noticed<T extends LiveResource | undefined>(answer: Promise<T>): Promise<T> {
    const live = await answer;
    if (live === undefined || live.id === id) notice(live);
    return live;
  }
  return {
    ...port,
    create: (ref, body, marked) => noticed(port.create(ref, body, marked)),
    patch: (ref, body, marked) => noticed(port.patch(ref, body, marked)),
    read: (ref) => noticed(port.read(ref)),
  };
}

/** The members common to every change of this provider: it waits for nothing, because Terraform decides the order. */
export function changeOf({ kind, ref }: Changed) {
  return {
    id: formatRef(ref),
    ref,
    kind,
    name: ref.name,
    ...present({ gvc: ref.gvc }),
    reason: '',
    fields: [],
    requires: [],
    cascadesTo: [],
    wait: false,
    refusals: [],
    notes: [],
  } as const;
}

/** A request body whose secrets appear in no message. */
export function bodyOf({ kind }: Changed, document: JsonObject): Body {
  return new Body(document, maskSensitive(bySchema(shapeOf(kind, document)), document));
}

interface Declared extends Changed {
  /** Contains no unknown values. */
  readonly config: ObjectValue;
  /** The state that was planned with; null for a creation. */
  readonly prior: ObjectValue | null;
}

/** Plans a write again, and reads the answers to it. */
export function replanOf(
  context: ChangeContext,
  declared: Declared,
  again: (live: LiveResource) => Change | undefined,
): Replan {
  const { capabilities } = context.client;
  const ofAnswer = (_: string, live: LiveResource, as: 'answer' | 'read'): AnswerReading => {
    const { stored, filled, left } = answerTo(context, declared, live);
    if (as === 'answer')
      for (const path of filled) capabilities.learnDefault(live.ref.kind, patternOf(path, live), stored[path] ?? null);
    return { own: Object.keys(stored), left, notes: [] };
  };
  return Object.assign((_: string, live: LiveResource) => again(live), { ofAnswer });
}

/** The outcome with the values that the platform stored in its own way. */
export function withStored(context: ChangeContext, declared: Declared, outcome: ChangeOutcome): ChangeOutcome {
  const { live, error } = outcome;
  if (live === undefined || error !== undefined) return outcome;
  return { ...outcome, stored: answerTo(context, declared, live).stored };
}

function answerTo(
  { client, gvc }: ChangeContext,
  { kind, config, prior, stored }: Declared,
  { record }: LiveResource,
): ReadAnswer {
  return readAnswer({
    kind,
    config,
    prior,
    live: record,
    stored,
    org: client.org,
    capabilities: client.capabilities,
    ...present({ gvc }),
  });
}

interface Creation extends Changed {
  /** Contains no unknown values. */
  readonly config: ObjectValue;
  /** A new text for each call. It identifies the record of a request whose answer was lost. */
  readonly request: string;
}

/** Creates a record. An existing record of this name belongs to another owner, unless this same request created it. */
export async function createRecord(
  context: ChangeContext,
  { config, request, ...changed }: Creation,
  options: RunOptions,
): Promise<ChangeOutcome> {
  const document = withTags(creationOf(changed.kind, config), context.owner, request);
  const body = bodyOf(changed, document);
  const change: Change = { ...changeOf(changed), action: 'create', create: body, expected: body };
  const { creations, states } = context;
  await creations.begin(request);
  const declared = { ...changed, config, prior: null };
  const replan = replanOf(context, declared, () => undefined);
  const outcome = withStored(context, declared, await runChange(context, change, { ...options, replan }));
  const { live, error } = outcome;
  if (live !== undefined && (error === undefined || requestOf(live) === request)) {
    creations.answered(request);
    return outcome;
  }
  if (live !== undefined || isCode(error, ...refusals)) await creations.end(request); // it created no record
  if (live === undefined || error?.code !== 'plan.stale') return { ...outcome, live: undefined };
  const isOurs = ownerOf(live.record) === context.owner;
  const why = isOurs ? await heldElsewhere(states, changed, live) : nameTakenError(changed, live);
  return { ...outcome, live: undefined, error: why };
}

/** Errors that prove that nothing was written. */
export const refusals = ['api.invalid', 'api.forbidden', 'api.unauthorized', 'api.not-found'] as const;

/** The request that has created the record; undefined if it is not from this provider. */
export function requestOf({ record }: Pick<LiveResource, 'record'>): string | undefined {
  const [by, request] = (stringAt(objectAt(record, 'tags'), appliedTag) ?? '').split(';');
  return by === creator ? request : undefined;
}

const creator = 'terraform';

/** Names the request. The applied values are not in it, but in Terraform's state. */
function appliedBy(request: string): string {
  return `${creator};${request}`;
}

function withTags(body: JsonObject, owner: string, request: string): JsonObject {
  return { ...body, tags: { ...objectAt(body, 'tags'), [ownerTag]: owner, [appliedTag]: appliedBy(request) } };
}
