import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { isSamePerson } from '../decisions/person.ts';
import type {
  Board,
  BoardFigures,
  GivenApproval,
  Pause,
  RunOutcomeName,
  StackSummary,
  Storage,
  WaitingPlan,
} from '../model.ts';
import { judgedApprovals, objectionsTo, type PlanTrust } from './keptFiles.ts';
import { approvalOf, planColumns, planOf, runColumns, runOf } from './rows.ts';
import { type Row, storedJson } from './sql.ts';
import { addApproval, notePauses, type Store } from './store.ts';

const hourMs = 3_600_000;

/** The board for users and programs, from the store only: any worker can serve it, and none is needed. */
export async function openBoard(store: Store): Promise<Board & { close(): Promise<void> }> {
  const { sql } = store;
  const listeners = new Set<(change: { stack: string }) => void>();
  const end = await sql.listen((stack) => {
    for (const listener of listeners) listener({ stack });
  });

  async function requireStack(name: string): Promise<StackSummary> {
    const stack = (await store.stacks([name])).get(name);
    if (stack === undefined) throw unknownError(`there is no stack ${name}`);
    return stack;
  }

  async function plansOf(where: string, values: readonly string[]): Promise<readonly WaitingPlan[]> {
    const rows = await sql.query(
      `SELECT ${planColumns} FROM plans WHERE ${where} ORDER BY made_ms DESC LIMIT 50`,
      values,
    );
    const given = await sql.query('SELECT * FROM approvals WHERE stack = $1 ORDER BY at_ms', values.slice(0, 1));
    return rows.map((row) => planOf(row, given));
  }

  async function waiting(stack: string): Promise<WaitingPlan | undefined> {
    const open = await store.openPlan(stack);
    if (open === undefined) return undefined;
    const { plan } = open;
    const { approvals } = plan;
    if (!approvals.signed) return plan;
    return { ...plan, approvals: { ...approvals, given: judgedApprovals(open, approvals.given, store.now()) } };
  }

  async function setPause(stack: string, pause: Pause | undefined): Promise<void> {
    await requireStack(stack);
    await sql.query('UPDATE stacks SET pause = $2 WHERE name = $1', [
      stack,
      pause === undefined ? null : storedJson(pause),
    ]);
    if (pause !== undefined) await notePauses(sql.query, [{ name: stack, reason: pause.reason }]);
    await sql.notify([stack]);
  }

  async function now(stack: string): Promise<void> {
    await requireStack(stack);
    await sql.query('UPDATE stacks SET asked_ms = $2, next_ms = least(next_ms, $2) WHERE name = $1', [
      stack,
      store.now(),
    ]);
    await sql.notify([stack]);
  }

  return {
    list: async () => [...(await store.stacks()).values()],
    read: async (stack) => (await store.stacks([stack])).get(stack),
    async runs(stack, { beforeMs = Number.MAX_SAFE_INTEGER, most = 50 } = {}) {
      const rows = await sql.query(
        `SELECT ${runColumns} FROM runs WHERE stack = $1 AND start_ms < $2 ORDER BY start_ms DESC LIMIT $3`,
        [stack, beforeMs, most],
      );
      return rows.map(runOf);
    },
    async run(id) {
      const [row] = await sql.query(`SELECT ${runColumns}, log, document FROM runs WHERE id = $1`, [id]);
      return row === undefined ? undefined : runOf(row);
    },
    async storage(stack) {
      const rows = await sql.query(
        `SELECT end_ms, storage FROM (
           SELECT end_ms, storage, lag(storage) OVER by_end AS before, lead(storage) OVER by_end AS after
           FROM (SELECT end_ms, (said -> 'storage')::jsonb AS storage FROM runs WHERE stack = $1) AS runs
           WHERE storage IS NOT NULL WINDOW by_end AS (ORDER BY end_ms)) AS points
         WHERE storage IS DISTINCT FROM before OR after IS NULL ORDER BY end_ms`,
        [stack],
      );
      return rows.map(({ end_ms: end, storage }) => ({ atMs: Number(end), ...(storage as Storage) }));
    },
    plans: (stack) => plansOf('stack = $1', [stack]),
    waiting,
    async planFile(stack, plan) {
      const [row] = await sql.query('SELECT file, signatures FROM plans WHERE stack = $1 AND name = $2', [stack, plan]);
      if (row === undefined) throw unknownError(`the stack ${stack} has no plan ${plan}`);
      const given = await sql.query(
        'SELECT signature FROM approvals WHERE stack = $1 AND plan = $2 AND signature IS NOT NULL ORDER BY at_ms',
        [stack, plan],
      );
      const lines = [row['signatures'], ...given.map(({ signature }) => signature)].map(String);
      return { file: String(row['file']), signatures: inLines(lines) };
    },
    async approve(stack, plan, { by, person, signature: pasted }) {
      const signature = pasted?.trim();
      const approval: GivenApproval = { by, atMs: store.now(), ...present({ person, signature }) };
      await sql.transaction(async (query) => {
        const [row] = await query(
          `SELECT status, blocked, signed, superseded, file, signatures, trust FROM plans
           WHERE stack = $1 AND name = $2 FOR UPDATE`,
          [stack, plan],
        );
        if (row === undefined) throw unknownError(`the stack ${stack} has no plan ${plan}`);
        requireWaiting(row, signature !== undefined);
        const rows = await query('SELECT * FROM approvals WHERE stack = $1 AND plan = $2 ORDER BY at_ms', [
          stack,
          plan,
        ]);
        const given = rows.map(approvalOf);
        // An approval of the same person that no longer counts is replaced.
        const over = signature === undefined ? [] : refuseUncounted(row, given, { ...approval, signature });
        const before = given.find((each) => !over.includes(each) && isSamePerson(each, approval));
        if (before !== undefined) throw approvedTwiceError(by, before.by);
        for (const each of over) {
          if (!isSamePerson(each, approval)) continue;
          const values = [stack, plan, each.signature ?? ''];
          await query('DELETE FROM approvals WHERE stack = $1 AND plan = $2 AND signature = $3', values);
        }
        await addApproval(query, stack, plan, approval);
        // Written before the commit and the response: an extra line has no effect.
        await store.kept?.approve(stack, plan, approval);
      });
      await now(stack);
      const after = await plansOf('stack = $1 AND name = $2', [stack, plan]);
      if (after[0] === undefined) throw unknownError(`the stack ${stack} has no plan ${plan}`);
      return after[0];
    },
    pause: (stack, { forMs, ...pause }) =>
      setPause(stack, { ...pause, ...present({ untilMs: forMs === undefined ? undefined : store.now() + forMs }) }),
    async resume(stack) {
      await setPause(stack, undefined);
      const { pause } = (await requireStack(stack)).state;
      if (pause !== undefined) throw pausedByFile(stack, pause);
      await now(stack);
    },
    now,
    async figures(): Promise<BoardFigures> {
      const [count] = await sql.query(
        `SELECT count(*) FILTER (WHERE next_ms <= $1 AND state ->> 'state' <> 'running')::integer AS queued,
         (SELECT count(*) FROM runs WHERE end_ms IS NULL)::integer AS active FROM stacks`,
        [store.now()],
      );
      const hours = await sql.query(
        `SELECT (end_ms / ${hourMs}) * ${hourMs} AS at, outcome, count(*)::integer AS runs FROM runs WHERE end_ms > $1
         GROUP BY 1, 2 ORDER BY 1, 2`,
        [store.now() - 24 * hourMs],
      );
      return {
        queued: Number(count?.['queued'] ?? 0),
        active: Number(count?.['active'] ?? 0),
        requests: await store.budget.spent(),
        hours: hours.map(({ at, outcome, runs }) => ({
          atMs: Number(at),
          outcome: outcome as RunOutcomeName,
          runs: Number(runs),
        })),
      };
    },
    async ended(sinceMs) {
      const runs = await sql.query(
        'SELECT id, start_ms, end_ms, outcome FROM runs WHERE end_ms >= $1 ORDER BY end_ms LIMIT 100000',
        [sinceMs],
      );
      return runs.map(({ id, start_ms: start, end_ms: end, outcome }) => ({
        ...{ id: String(id), startMs: Number(start), endMs: Number(end), outcome: outcome as RunOutcomeName },
      }));
    },
    targets: () => store.notices.targets(),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: end,
  };
}

function requireWaiting({ status, blocked, signed, superseded }: Row, isSigned: boolean): void {
  if (status === 'superseded') {
    const { because } = superseded as NonNullable<WaitingPlan['superseded']>;
    throw new ToolError({
      code: 'reconcile.superseded',
      message: `this plan does not wait any more: ${because}`,
      hint: 'Look at the plan that has taken its place, and approve that one.',
    });
  }
  if (status !== 'waiting')
    throw new ToolError({
      code: 'reconcile.superseded',
      message: status === 'applied' ? 'this plan is applied already' : 'this plan is being applied already',
    });
  if (blocked !== null) {
    throw new ToolError({
      code: 'reconcile.blocked',
      message: `no approval lets this plan run: ${String(blocked)}`,
      hint: 'Change the limit in gantry.yaml, or the code.',
    });
  }
  if (signed === true && !isSigned) {
    throw new ToolError({
      code: 'reconcile.signature',
      message: 'limits or signers of gantry.yaml ask for an approval that is signed with a key',
      hint: 'Approve it with gantry reconcile approve STACK --sign KEYFILE.',
    });
  }
}

/** Earlier approvals that do not count. Errors: `reconcile.signature`, if the new one does not count. */
function refuseUncounted(
  { file, signatures, trust }: Row,
  given: readonly GivenApproval[],
  approval: GivenApproval,
): readonly GivenApproval[] {
  const signed = [...given, approval].filter((each) => each.signature !== undefined);
  const plan = { file: String(file), signatures: String(signatures), trust: trust as PlanTrust };
  const lines = signed.map((each) => each.signature ?? '');
  const objections = objectionsTo(plan, lines, approval.atMs);
  const objection = objections.at(-1);
  if (objection === undefined) return signed.filter((_, index) => objections[index] !== undefined);
  throw new ToolError({
    code: 'reconcile.signature',
    message: `this signature does not count: ${objection}`,
    hint: 'Sign this plan with gantry reconcile approve STACK --sign KEYFILE, and a key that is in the file of signers.approval of gantry.yaml.',
  });
}

/** In the form of the signatures file of a plan. */
export function inLines(signatures: readonly string[]): string {
  return signatures
    .filter((text) => text !== '')
    .map((text) => `${text.trimEnd()}\n`)
    .join('');
}

function approvedTwiceError(by: string, before: string): ToolError {
  return new ToolError({
    code: 'reconcile.approved',
    message: `${by} has approved this plan already${before === by ? '' : `, as ${before}`}`,
    hint: 'Have it approved by somebody else, where more approvals are needed.',
  });
}

function pausedByFile(stack: string, { reason, at = 'reconcile.yaml' }: Pause): ToolError {
  return new ToolError({
    code: 'reconcile.paused',
    message: `${stack} stays paused (${reason}): that is set in ${at}`,
    hint: 'Take paused out of the file; a worker reads it again within half a minute.',
  });
}

function unknownError(message: string): ToolError {
  return new ToolError({
    code: 'reconcile.unknown',
    message,
    hint: 'List what is there with gantry reconcile status.',
  });
}
