import {
  choice,
  count,
  described,
  dictionary,
  list,
  object,
  objectOf,
  optional,
  publishedForm,
  text,
} from '../../base/form/form.ts';
import { errorMember } from '../../kinds/errorSchema.ts';
import { modes, type StackSummary, stackStates, type TargetState } from '../../reconcile/model.ts';
import { risks } from '../../schema/facts/risk.ts';

const time = described('ISO 8601.', text);

const stack = object({
  name: text,
  mode: choice(...modes),
  state: choice(...stackStates),
  because: optional(described('Why it waits, fails or is paused.', text)),
  since: time,
  lastRun: optional(time),
  lastSuccess: optional(time),
  nextRun: optional(time),
  pausedUntil: optional(time),
  commit: optional(described('Of the repository, at the last run.', text)),
  changes: optional(described('What is to be done: resources by action.', dictionary(count))),
  drifted: optional(described('How many of them others changed.', count)),
  worstRisk: optional(choice(...risks)),
  plan: optional(described('The name of the plan that waits.', text)),
  failures: described('In a row.', count),
});

const target = object({
  name: described('Of notify in reconcile.yaml, or the host of an address.', text),
  delivered: count,
  waiting: described('Still to be delivered.', count),
  lost: described('Not taken within a day.', count),
  failingSince: optional(described('ISO 8601; absent: the last one was taken.', text)),
  because: optional(described('Why the last attempt failed.', text)),
});

const status = object({
  stacks: list(stack),
  notifications: described('What became of them, by target.', list(target)),
  error: optional(objectOf(errorMember)),
});

export function statusDocument(stacks: readonly StackSummary[], targets: readonly TargetState[]) {
  return status.write({
    notifications: targets.map(({ failing, ...known }) => ({
      ...known,
      failingSince: timeOf(failing?.sinceMs),
      because: failing?.because,
    })),
    stacks: stacks.map(({ entry: { name, mode }, state }) => ({
      name,
      mode,
      state: state.state,
      because: state.because,
      since: timeOf(state.sinceMs),
      lastRun: timeOf(state.lastRunMs),
      lastSuccess: timeOf(state.lastSuccessMs),
      nextRun: timeOf(state.nextRunMs),
      pausedUntil: timeOf(state.pause?.untilMs),
      commit: state.commit,
      changes: state.counts,
      drifted: state.drifted,
      worstRisk: state.worstRisk,
      plan: state.plan,
      failures: state.failures,
    })),
  });
}

function timeOf(ms: number): string;
function timeOf(ms: number | undefined): string | undefined;
function timeOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** The JSON Schema of `gantry reconcile status -o json`, and of other commands that show stacks. */
export const reconcileStatusSchema = publishedForm('reconcile-status', 'Gantry stacks that are reconciled', status);

const worker = object({
  worker: described('The name of the worker.', text),
  store: described('A folder, or postgres.', text),
  url: optional(described('Of the page; only with --http.', text)),
  error: optional(objectOf(errorMember)),
});

/** The JSON Schema of `gantry reconcile -o json`. */
export const reconcileWorkerSchema = publishedForm('reconcile-worker', 'Gantry worker that reconciles', worker);
