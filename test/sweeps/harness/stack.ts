import type { ApplyResult } from '../../../src/apply/events.ts';
import { runApply } from '../../../src/apply/runApply.ts';
import type { ApplyClock } from '../../../src/base/clock.ts';
import type { Capabilities } from '../../../src/capabilities/capabilities.ts';
import { makeClient } from '../../../src/client/client.ts';
import type { Exchange } from '../../../src/client/http/exchange.ts';
import { type PlanInput, type Planned, planFromPlatform } from '../../../src/gantry/loading/planFromPlatform.ts';
import { loadValidators } from '../../../src/kinds/validators.ts';
import { checkManifests, kindsOf } from '../../../src/manifest/checkManifests.ts';
import { parseManifestText } from '../../../src/manifest/parseManifestText.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import { OneDocument } from '../../../src/terminal/answer.ts';
import type { CommandContext } from '../../../src/terminal/context.ts';
import type { ApplyCommandOptions } from '../../../src/terminal/options.ts';
import { silentTerminal } from '../../cli/silentTerminal.ts';
import type { Step } from '../../e2e/harness/scenario.ts';
import { quiet } from '../../surroundings.ts';
import { applyOptions, destroyOptions } from './world.ts';

export const org = 'local';

/** One apply, or destroy, of a whole stack, as by `gantry`. */
export interface Work {
  readonly input: PlanInput;
  readonly options: ApplyCommandOptions;
}

export async function workOf(step: Pick<Step, 'manifests' | 'flags'>, owner: string): Promise<Work> {
  const { manifests, flags = [] } = step;
  const common = { owner, scope: 'whole', directives: undefined, limits: [], nowMs: 0 } as const;
  if (manifests === undefined) {
    const options = { ...(await destroyOptions(flags)), wait: false, allowEmpty: true };
    return { input: { ...common, desired: [] }, options };
  }
  const { documents, problems } = parseManifestText({ text: manifests, file: 'stack.yaml', format: 'yaml' });
  const checked = checkManifests(documents, { org, validators: await loadValidators(kindsOf(documents)) });
  const errors = [...problems, ...checked.problems].filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return { input: { ...common, desired: checked.resources }, options: await applyOptions(flags) };
}

/** A clock without real waiting: each sleep ends immediately, and advances the time by its duration. */
function hurriedClock(): ApplyClock {
  let nowMs = 0;
  return {
    now: () => nowMs,
    sleep: (ms) => {
      nowMs += ms;
      return new Promise((resolve) => setImmediate(resolve));
    },
  };
}

export interface Told {
  /** The number of retries that the client reported. */
  retries: number;
}

export function clientOn(exchange: Exchange, told: Told = { retries: 0 }, capabilities?: Capabilities) {
  return makeClient({
    capabilities,
    endpoint: 'http://platform.invalid',
    org,
    exchange,
    random: () => 0,
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
    onRetry: () => {
      told.retries += 1;
    },
  });
}

/** A command plans and applies with one client, so the apply knows the capabilities from the plan. */
const learnt = new WeakMap<Plan, Capabilities>();

export async function planWork(exchange: Exchange, { input, options }: Work): Promise<Planned> {
  const client = clientOn(exchange);
  const platform = { client, org, tellRetriesTo: () => {}, close: async () => {} };
  const planned = await planFromPlatform(platform, input, contextWith(options));
  learnt.set(planned.plan, client.capabilities);
  return planned;
}

export interface Applied {
  readonly planned: Planned;
  readonly result: ApplyResult;
}

/** Plans and applies; rejects with `plan.refused` if the plan is refused. */
export async function applyWork(exchange: Exchange, work: Work, told?: Told): Promise<Applied> {
  const planned = await planWork(exchange, work);
  return { planned, result: await applyPlanned(exchange, planned, told) };
}

export function applyPlanned(
  exchange: Exchange,
  { plan, replan }: Planned,
  told?: Told,
  signal?: AbortSignal,
): Promise<ApplyResult> {
  const client = clientOn(exchange, told, learnt.get(plan));
  return runApply(plan, client, {
    clock: hurriedClock(),
    random: () => 0,
    replan,
    ...(signal === undefined ? {} : { signal, stopRetrying: () => client.stopRetrying() }),
  });
}

function contextWith(options: ApplyCommandOptions): CommandContext<ApplyCommandOptions> {
  return { options, terminal: silentTerminal(), answer: new OneDocument('text', () => {}), ...quiet, cwd: '/' };
}

/** The actions of a plan, without `keep`. */
export function actionsOf({ plan }: Planned): readonly string[] {
  return [
    ...plan.refusals.map(({ code }) => code),
    ...plan.changes.filter(({ action }) => action !== 'keep').map(({ action, id }) => `${action} ${id}`),
  ];
}
