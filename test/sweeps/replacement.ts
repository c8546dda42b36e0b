import type { JsonObject } from '../../src/base/json/json.ts';
import type { Answer } from '../../src/client/http/answer.ts';
import type { Exchange, Request } from '../../src/client/http/exchange.ts';
import { expectSameEnd } from './crash.ts';
import { goneOfTheirs, replacedBy } from './harness/others.ts';
import { expectDone, isWrite, type Undisturbed, withTheirs } from './harness/scenarioSteps.ts';
import { applyPlanned, applyWork, planWork, workOf } from './harness/stack.ts';
import type { World } from './harness/world.ts';
import type { ReplacementStack } from './replacementStacks.ts';

const owner = 'replacing';

/** The stack before its change, with writes of others to the replaced records; the change ran undisturbed before. */
export async function prepare(world: World, { it, from, to, flags = [] }: ReplacementStack): Promise<Undisturbed> {
  expectDone((await applyWork(world.exchange, await workOf({ manifests: from }, owner))).result);
  const step = { it, manifests: to, flags, actions: {} };
  const { plan } = await planWork(world.exchange, await workOf(step, owner));
  const theirs = replacedBy(plan);
  if (theirs.records.size === 0) throw new Error('nothing is replaced');
  return withTheirs(world, step, owner, theirs);
}

/** Refusals of a write for reasons of the platform. */
export const refusals = {
  'the quota is reached': { status: 429, body: { message: 'the quota is reached' } },
  'the body is refused': { status: 400, body: { message: 'not like this' } },
  'it is forbidden': { status: 403, body: { message: 'not you' } },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly body: JsonObject }>>;
export type Refused = keyof typeof refusals;

/**
 * One write is refused and not carried out. Records can be missing afterwards only if it is the deletion or the
 * creation in a replacement (the new one may conflict with the remaining old one), and then the creation was tried and
 * refused. The next run leads to the same end, with the writes of others.
 */
export async function refuseAt(step: Undisturbed, world: World, request: number, refused: Refused): Promise<void> {
  await world.restore(step.before);
  const planned = await planWork(world.exchange, step.work);
  let met: Request | undefined;
  const exchange = answering(world.exchange, (number, sent) => {
    if (met !== undefined || number < request || !isWrite(`${sent.method} ${sent.path}`)) return undefined;
    met = sent;
    return { ...refusals[refused], retryAfter: undefined, date: undefined };
  });
  const result = await applyPlanned(exchange, planned);
  const gone = goneOfTheirs(await world.state(), step.theirs);
  const tried = new Set(result.failed.filter(({ reached }) => reached === 'deleted').map(({ id }) => id));
  const untried = gone.filter((id) => !tried.has(id));
  const lost = isOfReplaced(met, step) ? untried : gone;
  if (lost.length > 0) throw new Error(`${met?.method} ${met?.path} was refused, and ${lost.join(', ')} is gone`);
  await expectSameEnd(step, world);
}

/** Whether this is the DELETE or the POST of a replacement. */
function isOfReplaced(request: Request | undefined, { theirs: { records } }: Undisturbed): boolean {
  const name = request?.method === 'DELETE' ? request.path.split('/').at(-1) : String(request?.body?.['name']);
  if (request?.method !== 'DELETE' && request?.method !== 'POST') return false;
  return [...records].flat().some((id) => id.endsWith(`/${name}`));
}

/** Ctrl-C before one request of the run: each replaced record exists, in its old or its new form. */
export async function stopAt(step: Undisturbed, world: World, request: number): Promise<void> {
  await world.restore(step.before);
  const planned = await planWork(world.exchange, step.work);
  const controller = new AbortController();
  const exchange = answering(world.exchange, (number) => {
    if (number === request) controller.abort();
    return undefined;
  });
  await applyPlanned(exchange, planned, undefined, controller.signal);
  const gone = goneOfTheirs(await world.state(), step.theirs);
  if (gone.length > 0) throw new Error(`stopped, and ${gone.join(', ')} is gone`);
  await expectSameEnd(step, world);
}

function answering(inner: Exchange, answer: (number: number, request: Request) => Answer | undefined): Exchange {
  let sent = 0;
  return {
    async send(request) {
      sent += 1;
      return answer(sent, request) ?? inner.send(request);
    },
    close: async () => {},
  };
}
