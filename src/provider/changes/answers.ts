import { present } from '../../base/json/present.ts';
import type { ObjectValue } from '../../hcl/value.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Change } from '../../plan/model/change.ts';
import { patternOf } from '../../plan/record/platformValues.ts';
import type { AnswerReading, Replan } from '../../plan/replan.ts';
import { type ReadAnswer, readAnswer } from '../plan/patchFor.ts';
import type { ChangeContext, Changed } from './changeContext.ts';
import type { ChangeOutcome } from './runChange.ts';

export interface Declared extends Changed {
  /** Everything in it is known. */
  readonly config: ObjectValue;
  /** The state that was planned with; null: it is created. */
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

/** The outcome with what the platform has made of the write. */
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
