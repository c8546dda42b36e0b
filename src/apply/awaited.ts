import { type JsonObject, type JsonValue, sameJson } from '../base/json/json.ts';
import { compact, present } from '../base/json/present.ts';
import { ToolError } from '../base/toolError.ts';
import { becomesReady } from '../kinds/kindFacts.ts';
import { workloadReadiness } from '../kinds/workload/readiness.ts';
import {
  escapesLive,
  fieldOf,
  type LiveReference,
  type LiveValues,
  livePlaces,
  liveReferences,
  liveValue,
  withLiveValues,
} from '../manifest/live/liveReference.ts';
import { isShownOnce } from '../manifest/live/shownOnce.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { Body } from '../manifest/model/body.ts';
import type { Change } from '../plan/model/change.ts';
import type { Plan } from '../plan/model/plan.ts';
import { formatRef, type Ref, type ResourceId } from '../schema/record/ref.ts';
import { NotReadyError, StaleError } from './applyErrors.ts';
import type { PlatformPort } from './port.ts';
import { delayMs, pause, type Run, type StepRun } from './run.ts';

const longestDelayMs = 2_000;

/**
 * The change, completed with values from live records that the plan did not know. The wait for them is as long as the
 * one for a workload to become ready. Errors: `apply.awaited`, `apply.not-ready`.
 */
export async function withAwaited<Of extends Change>(run: StepRun, change: Of): Promise<Of> {
  if (change.awaits === undefined) return change;
  const values = new Map<string, JsonValue>();
  for (const reference of liveReferences([...change.awaits])) {
    values.set(reference.text, await readAwaited(run, change, reference));
  }
  run.replan?.learn?.(change.id, values);
  return filledChange(change, values);
}

/** A change with values instead of their references. */
export function filledChange<Of extends Change>(change: Of, values: LiveValues): Of {
  const { create, patch, then, expected, expectedThen, fields } = change;
  const filled = (body: Body | undefined) => body?.with((document) => withLiveValues(document, values));
  return {
    ...change,
    // A new plan of the change is compared with these.
    fields: fields.map((field) =>
      field.new === undefined ? field : { ...field, new: withLiveValues(field.new, values) },
    ),
    ...present({ create: filled(create), patch: filled(patch), then: filled(then) }),
    ...present({ expected: filled(expected), expectedThen: filled(expectedThen) }),
  };
}

/** A port that refuses a write that still contains an awaited reference. Errors: `internal.live`. */
export function refuseUnfilled(port: PlatformPort, { changes }: Plan): PlatformPort {
  const awaited = new Map(
    compact(changes, (change) => (change.awaits === undefined ? undefined : [change.id, requiredReferences(change)])),
  );
  if (awaited.size === 0) return port;
  function check(ref: Ref, body: JsonObject): void {
    const open = awaited.get(formatRef(ref)) ?? [];
    if (livePlaces(body, ({ text }) => open.includes(text)).length > 0) throw referenceInRequest(formatRef(ref));
  }
  return {
    ...port,
    async create(ref, body, hidden) {
      check(ref, body);
      return port.create(ref, body, hidden);
    },
    async patch(ref, body, hidden) {
      check(ref, body);
      return port.patch(ref, body, hidden);
    },
  };
}

/** The references that must not remain in a filled body, except those that its author has also written as text. */
function requiredReferences({ awaits = [], create, patch, then }: Change): readonly string[] {
  const bodies = [create, patch, then].map((body) => body?.expose() ?? {});
  return awaits.filter((reference) => !escapesLive(bodies, reference));
}

function referenceInRequest(resource: ResourceId): ToolError {
  return new ToolError({
    code: 'internal.live',
    message: `a request for ${resource} would have written a reference in the place of the value: it was not sent`,
    hint: 'This is a mistake in Gantry. Please report it, with the plan.',
    resource,
  });
}

/**
 * A value that the run may have changed is read when its record is ready, since the platform may return the earlier one
 * until then. A record of another plan is awaited because an earlier plan of the same run changes it.
 */
async function readAwaited(run: StepRun, { id }: Change, reference: LiveReference): Promise<JsonValue> {
  const what = `${reference.path} of ${reference.id}`;
  if (isShownOnce(reference)) return createShownOnce(run, reference);
  const first = await readThere(run, id, reference);
  const source = run.plan.changes.find((change) => change.id === reference.id);
  const isNew = first.hasAppeared || (source !== undefined && !isAsBefore(run, reference, first));
  if (isNew || !isAnswer(reference)) return first.value;
  const { ref } = reference;
  try {
    await waitUntilReady(run, source ?? { id: reference.id, ref, ...ref }, (missing) =>
      run.emit({ type: 'waiting', id, for: `${what}: ${missing}` }),
    );
  } catch (error) {
    throw error instanceof NotReadyError ? notReadyYetError(id, what, error) : error;
  }
  return readSettled(run, id, reference);
}

/**
 * If nothing shows that a status belongs to the latest write, an unchanged value is read again for as long as answers
 * may be old. Then it counts, because most changes do not affect it.
 */
async function readSettled(run: StepRun, id: ResourceId, reference: LiveReference): Promise<JsonValue> {
  const { capabilities } = run;
  const isSettled = capabilities.of('read.status') === 'holds' && !capabilities.isOtherwise('read.own-writes');
  const isLate = !isSettled || !becomesReady(reference.ref.kind);
  for (let round = 0, waitedMs = 0; ; round += 1) {
    const found = await readThere(run, id, reference);
    if (!isLate || waitedMs > run.patience.consistencyMs || !isAsBefore(run, reference, found)) return found.value;
    if (round === 0) run.emit({ type: 'waiting', id, for: `${reference.path} of ${reference.id}` });
    const delay = delayMs(round, longestDelayMs, run.random());
    await pause(run, delay);
    waitedMs += delay;
  }
}

/** Making a key is a write. */
async function createShownOnce(run: Run, { ref, path }: LiveReference): Promise<JsonValue> {
  const { shownOnce } = run.port;
  if (shownOnce === undefined) throw new Error(`the port keeps nothing that is shown once: ${path}`);
  await run.mayWrite();
  return shownOnce({ ref, path });
}

interface AwaitedValue {
  readonly uid: string;
  readonly value: JsonValue;
  /** The value did not exist at first. */
  readonly hasAppeared: boolean;
}

/**
 * Whether the same record had this value when the plan was made. A value that the plan declares itself is never old.
 */
function isAsBefore(run: Run, reference: LiveReference, { uid, value }: Pick<AwaitedValue, 'uid' | 'value'>): boolean {
  const before = run.planned(reference.id);
  if (before?.uid !== uid || !isAnswer(reference)) return false;
  const old = liveValue(before.record, reference);
  return old !== undefined && sameJson(old, value);
}

function isAnswer(reference: LiveReference): boolean {
  const field = fieldOf(reference);
  return 'isAnswer' in field && field.isAnswer;
}

async function readThere(run: StepRun, id: ResourceId, reference: LiveReference): Promise<AwaitedValue> {
  const what = `${reference.path} of ${reference.id}`;
  for (let round = 0, waitedMs = 0; ; round += 1) {
    const live = await run.port.read(reference.ref);
    const value = live === undefined ? undefined : liveValue(live.record, reference);
    if (live !== undefined && value !== undefined) return { uid: live.uid, value, hasAppeared: round > 0 };
    if (round === 0) run.emit({ type: 'waiting', id, for: what });
    if (waitedMs > run.patience.readinessMs) throw valueMissingError(id, what, live === undefined);
    const delay = delayMs(round, longestDelayMs, run.random());
    await pause(run, delay);
    waitedMs += delay;
  }
}

function notReadyYetError(resource: ResourceId, what: string, { message }: NotReadyError): ToolError {
  return new ToolError({
    code: 'apply.awaited',
    message: `${what} might not be the new one yet: ${message}`,
    hint: 'Run it again when it is ready, or raise --wait-timeout.',
    resource,
  });
}

function valueMissingError(resource: string, what: string, isAbsent: boolean): ToolError {
  return new ToolError({
    code: 'apply.awaited',
    message: `the platform does not say ${what}${isAbsent ? ': there is no such record' : ''}`,
    hint: 'Run it again when the platform does, or raise --wait-timeout.',
    resource,
  });
}

const pollCapMs = 2_000;

/** A change, or a record outside the run. */
type ReadinessTarget = Pick<Change, 'id' | 'kind' | 'ref' | 'gvc' | 'waitTimeoutMs'>;

/**
 * Waits until the resource, written or unchanged, is ready. Only workloads become ready after their write
 * (platform/lifecycle.readiness). `tell` is called with what is missing, each time that this changes.
 */
export async function waitUntilReady(
  run: StepRun,
  change: ReadinessTarget,
  tell = (missing: string) => run.emit({ type: 'waiting', id: change.id, for: `readiness: ${missing}` }),
): Promise<void> {
  if (!becomesReady(change.kind)) return;
  const { record, version } = await recordOf(run, change);
  const patienceMs = change.waitTimeoutMs ?? run.patience.readinessMs;
  const since = run.clock.now();
  let reported: string | undefined;
  for (let round = 0; ; round += 1) {
    const deployments = await run.port.deployments(change.ref);
    const gvc = deployments.length === 0 ? await gvcOf(run, change) : undefined;
    const readiness = workloadReadiness(record, version, deployments, gvc);
    if (readiness.ready) return;
    if (readiness.because !== reported) tell(readiness.because);
    reported = readiness.because;
    const leftMs = since + patienceMs - run.clock.now();
    if (leftMs <= 0) throw new NotReadyError(change.id, patienceMs, reported);
    await pause(run, Math.min(leftMs, delayMs(round, pollCapMs, run.random())));
  }
}

/** The record that this run wrote, or the live one of an unchanged resource. */
async function recordOf(run: Run, change: ReadinessTarget): Promise<LiveResource> {
  const written = run.written.get(change.id);
  const live = written?.as === 'stored' ? written.live : await run.kept.read(change.ref);
  if (live === undefined) throw new StaleError(change.id, 'it no longer exists');
  return live;
}

/** Undefined if the GVC cannot be read, or if the plan changes it and this run has no stored record of it. */
async function gvcOf({ written, kept }: Run, { gvc }: ReadinessTarget): Promise<JsonObject | undefined> {
  if (gvc === undefined) return undefined;
  const own = written.get(formatRef({ kind: 'gvc', name: gvc }));
  if (own !== undefined) return own.as === 'stored' ? own.live.record : undefined;
  return (await kept.gvc(gvc))?.record;
}
