import type { PlatformPort } from '../../apply/port.ts';
import { runApply } from '../../apply/runApply.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import type { ToolError } from '../../base/toolError.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { Body } from '../../manifest/model/body.ts';
import { maskSensitive } from '../../patch/fieldChanges.ts';
import { bySchema } from '../../patch/sensitivity.ts';
import type { Change } from '../../plan/model/change.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { Replan } from '../../plan/replan.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import type { StoredValues } from '../plan/storedValues.ts';
import type { ChangeContext, Changed } from './changeContext.ts';
import { interrupted } from './changeErrors.ts';

/** The result of one write. */
export interface ChangeOutcome {
  /** The record as it was last seen; undefined: nothing was written, and nothing was found. */
  readonly live: LiveResource | undefined;
  readonly error: ToolError | undefined;
  /** Notes on how it was done. */
  readonly notes: readonly string[];
  /** The values that the platform stored in its own way; absent: nothing was written. */
  readonly stored?: StoredValues;
}

export interface RunOptions {
  /** With the wait until it is ready; absent: nothing is waited for. */
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

/** The port, which tells of every answer about one record. */
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

/** The members that every change of this provider has: it waits for nothing, as Terraform has the order. */
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

/** The body of a request, whose secrets are in no message. */
export function bodyOf({ kind }: Changed, document: JsonObject): Body {
  return new Body(document, maskSensitive(bySchema(shapeOf(kind, document)), document));
}
