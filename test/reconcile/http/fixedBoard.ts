import { ToolError } from '../../../src/base/toolError.ts';
import type { PlanDocument } from '../../../src/change/documents/planDocument.ts';
import type {
  Board,
  BoardChange,
  RunRecord,
  StackState,
  StackSummary,
  WaitingPlan,
} from '../../../src/reconcile/model.ts';
import { changeDocument, reportOf } from '../../report/html/documents.ts';

/** Markup in a name or a message that must not run in a page. */
export const markup = '<img src=x onerror="document.title=1">';

const nowMs = Date.UTC(2027, 0, 1, 12);
const hourMs = 3_600_000;

export interface FixedBoard extends Board {
  readonly acted: string[];
  change(stack: string, state: Partial<StackState>): void;
  /** Reports that an input of the waiting plan has changed. */
  supersede(stack: string, because: string): void;
  /** Makes the approvals of the waiting plan expire. */
  expire(stack: string): void;
}

export function stackOf(name: string, state: Partial<StackState> = {}): StackSummary {
  return {
    entry: {
      ...{ name, source: { kind: 'folder', path: '/stacks' }, mode: 'propose', after: [] },
      ...{ intervalMs: 300_000, jitterMs: 0, env: 'prod' },
    },
    state: {
      ...{ state: 'in line', sinceMs: nowMs, failures: 0 },
      ...{ lastRunMs: nowMs - 60_000, lastSuccessMs: nowMs - 60_000, nextRunMs: nowMs + 240_000 },
      ...state,
    },
  };
}

/** A change by another client, which the plan reverts. */
const drift = { name: 'eve@example.com', type: 'user', version: 7, at: '2027-01-01T11:00:00Z' };

export function planDocument(): PlanDocument {
  const [plan] = reportOf(
    [
      changeDocument('web', {
        risk: 'exposure',
        reason: markup,
        fields: [{ path: 'spec.cpu', old: '1', new: '2', cause: { others: [drift] } }],
      }),
      changeDocument('api'),
    ],
    {
      storage: {
        ...{ currency: 'EUR', sets: [] },
        ...{ before: { gb: 10, cost: 1 }, after: { gb: 20, cost: 2 }, ceiling: { gb: 90, cost: 9 } },
      },
    },
  ).plans;
  if (plan === undefined) throw new Error('there is no plan');
  return plan.document;
}

/** A board of these stacks in memory that implements the whole interface. A plan of `shop` waits. */
export function fixedBoard(stacks: readonly StackSummary[]): FixedBoard {
  const known = new Map(stacks.map((stack) => [stack.entry.name, stack]));
  const listeners = new Set<(change: BoardChange) => void>();
  const document = planDocument();
  const plans = new Map<string, readonly WaitingPlan[]>();
  for (const [name, { state }] of known) {
    if (state.plan === undefined) continue;
    const inputs = { commit: 'c1', declared: 'd', settings: 's', policies: 'p', live: {} };
    const plan: WaitingPlan = {
      ...{
        name: state.plan,
        stack: name,
        madeMs: nowMs,
        inputs,
        document,
        approvals: { needed: 2, signed: state.because === 'sign it', given: [] },
      },
    };
    plans.set(name, [plan]);
  }
  // biome-ignore format: a row is a case
  const runs: readonly RunRecord[] = [
    { ...{ id: 'run-2', stack: 'shop', worker: 'worker-1', fence: 2, startMs: nowMs - 60_000, endMs: nowMs - 55_000 },
      ...{ outcome: 'proposed', commit: 'abcdef0123456789', requests: 7, document },
      log: [{ atMs: nowMs, text: `planned ${markup}` }] },
    { ...{ id: 'run-1', stack: 'shop', worker: 'worker-2', fence: 1, startMs: nowMs - hourMs,
      endMs: nowMs - hourMs + 9 }, ...{ outcome: 'failed',
      error: { code: 'client.down', message: 'the platform is down' }, log: [], document } },
  ];
  const acted: string[] = [];
  function tell(stack: string): void {
    for (const listener of listeners) listener({ stack });
  }
  function stackNamed(name: string): StackSummary {
    const stack = known.get(name);
    if (stack === undefined) throw refusal('reconcile.unknown', `there is no stack ${name}`);
    return stack;
  }
  function set(name: string, state: StackState): void {
    known.set(name, { ...stackNamed(name), state });
    tell(name);
  }
  const waiting = (stack: string) => plans.get(stack)?.find(({ superseded }) => superseded === undefined);
  return {
    acted,
    change: (stack, state) => set(stack, { ...stackNamed(stack).state, ...state }),
    supersede(stack, because) {
      const [plan, ...others] = plans.get(stack) ?? [];
      if (plan === undefined) throw new Error('there is no plan');
      const next = { ...plan, name: 'plan-2', approvals: { ...plan.approvals, given: [] } };
      plans.set(stack, [next, { ...plan, superseded: { atMs: nowMs, by: 'plan-2', because } }, ...others]);
      tell(stack);
    },
    expire(stack) {
      const [plan, ...others] = plans.get(stack) ?? [];
      if (plan === undefined) throw new Error('there is no plan');
      const given = plan.approvals.given.map((each) => ({ ...each, uncounted: 'it has expired' }));
      plans.set(stack, [{ ...plan, approvals: { ...plan.approvals, given } }, ...others]);
      tell(stack);
    },
    list: async () => [...known.values()],
    targets: async () => [
      { name: 'chat', delivered: 12, lost: 0, waiting: 0 },
      {
        name: 'on-call',
        delivered: 3,
        lost: 1,
        waiting: 2,
        failing: { sinceMs: nowMs, because: `it answered ${markup}` },
      },
    ],
    ended: async () => [],
    read: async (stack) => known.get(stack),
    runs: async (stack) =>
      runs.filter((run) => run.stack === stack).map(({ document, ...run }) => ({ ...run, log: [] })),
    run: async (id) => runs.find((run) => run.id === id),
    storage: async (stack) =>
      stack === 'shop'
        ? [
            { atMs: nowMs - hourMs, gb: 10, cost: 1, currency: 'EUR' },
            { atMs: nowMs, gb: 20, cost: 2, currency: 'EUR' },
          ]
        : [{ atMs: nowMs, gb: 0 }],
    plans: async (stack) => plans.get(stack) ?? [],
    waiting: async (stack) => waiting(stack),
    planFile: async (stack, name) => ({ file: JSON.stringify({ stack, name }), signatures: '' }),
    async approve(stack, name, { by, signature }) {
      stackNamed(stack);
      const plan = waiting(stack);
      if (plan?.name !== name) throw refusal('reconcile.superseded', 'the plan has been superseded');
      const { needed, signed, given } = plan.approvals;
      if (signed && signature === undefined) throw refusal('reconcile.signature', 'it has to be signed with a key');
      const counted = given.filter(({ uncounted }) => uncounted === undefined);
      if (counted.some((one) => one.by === by)) throw refusal('reconcile.approved', `${by} has approved it already`);
      const others = given.filter((one) => one.by !== by);
      const after = { ...plan, approvals: { needed, signed, given: [...others, { by, atMs: nowMs }] } };
      plans.set(stack, [after, ...(plans.get(stack) ?? []).slice(1)]);
      acted.push(`${by} approves ${name}${signature === undefined ? '' : ` by ${signature}`}`);
      tell(stack);
      return after;
    },
    async pause(stack, pause) {
      acted.push(`${pause.by} pauses ${stack}: ${pause.reason}`);
      set(stack, { ...stackNamed(stack).state, state: 'paused', pause });
    },
    async resume(stack, by) {
      acted.push(`${by} resumes ${stack}`);
      const { pause, ...state } = stackNamed(stack).state;
      set(stack, { ...state, state: 'in line' });
    },
    async now(stack, by) {
      stackNamed(stack);
      acted.push(`${by} runs ${stack}`);
    },
    figures: async () => ({
      ...{ queued: 3, active: 1, requests: 1234 },
      hours: [
        { atMs: nowMs - 3 * hourMs, outcome: 'applied', runs: 8 },
        { atMs: nowMs, outcome: 'applied', runs: 2 },
        { atMs: nowMs, outcome: 'failed', runs: 1 },
        { atMs: nowMs, outcome: 'partly', runs: 1 },
      ],
    }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function refusal(code: string, message: string): ToolError {
  return new ToolError({ code, message });
}
