import { randomUUID } from 'node:crypto';
import { isAbsolute, join, relative } from 'node:path';
import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import type { Ref } from '../../schema/record/ref.ts';
import { isPaused } from '../decisions/hold.ts';
import { commitNewsOf, type News, newsOf } from '../decisions/news.ts';
import { isSamePerson } from '../decisions/person.ts';
import { changedInputs } from '../decisions/planInputs.ts';
import type {
  CommitNews,
  GivenApproval,
  LogLine,
  ReconcileConfig,
  RunOutcomeName,
  StackEntry,
  StackState,
  StackSummary,
  WaitingPlan,
} from '../model.ts';
import { Budget } from './budget.ts';
import type { KeptFiles, KeptPlan, PlanTrust, SignedPlan } from './keptFiles.ts';
import { changeState, isHeld, type Lease, Leases, lockWithDependents } from './leases.ts';
import { Notices } from './notices.ts';
import { planColumns, planOf, type RunDetails, stackColumns, stackOf, withoutBase } from './rows.ts';
import { type Query, type Sql, storedJson } from './sql.ts';

export interface Proposal extends Pick<WaitingPlan, 'name' | 'inputs'>, KeptPlan {
  readonly document: JsonObject;
  readonly needed: number;
  readonly signed: boolean;
  readonly blocked?: string | undefined;
  readonly trust: PlanTrust;
}

export interface StackReads {
  /** Equal for the same platform; not secret. */
  readonly platform: string;
  readonly owner: string;
  readonly records: number;
  /** Records of others that it refers to, perhaps not all. */
  readonly others: readonly Ref[];
}

export interface RunEnd {
  readonly outcome: RunOutcomeName;
  readonly said: RunDetails;
  readonly log: readonly LogLine[];
  readonly document?: JsonObject | undefined;
  readonly state: Omit<StackState, 'sinceMs' | 'nextRunMs' | 'lastRunMs' | 'lastSuccessMs' | 'pause'>;
  readonly isSuccess: boolean;
  readonly nextMs: number;
  /** Undefined to keep the earlier ones. */
  readonly reads?: StackReads | undefined;
  /** A digest of changes by others; empty if there are none, undefined if nothing was planned. */
  readonly drift?: string | undefined;
}

/** Writes notifications in the transaction of the event. `commit`: of the stack's repository. */
export type Outbox = (query: Query, stack: string, news: readonly News[], commit?: CommitNews) => Promise<void>;

/** A plan that waits or is being applied, with its file. */
export interface OpenPlan extends SignedPlan {
  readonly plan: WaitingPlan;
  /** Whether applying it has begun. */
  readonly isBegun: boolean;
}

/** Limit of the difference between two workers' clocks: each is behind the database's by the delay of a response. */
const clocksDifferMs = 1_000;

/** The store belongs to another list of stacks. */
export const otherFile = 'reconcile.other-file';

/** The data of workers. Data about a stack is only written under its lease. */
export class Store {
  readonly leases: Leases;
  readonly budget: Budget;
  readonly sql: Sql;
  readonly notices: Notices;
  /** Absent if the database never loses acknowledged data. */
  readonly kept: KeptFiles | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly #folder: string | undefined;
  perSecond: number | undefined;
  /** Undefined without notifications. */
  outbox: Outbox | undefined;

  /** `folder`: its place. */
  constructor(
    sql: Sql,
    {
      now,
      kept,
      folder,
    }: {
      readonly now: () => number;
      readonly kept?: KeptFiles | undefined;
      readonly folder?: string | undefined;
    },
  ) {
    this.sql = sql;
    this.now = now;
    this.#folder = folder;
    this.kept = kept;
    this.notices = new Notices(sql, now);
    this.leases = new Leases(sql);
    this.budget = new Budget(sql, () => this.perSecond);
  }

  /**
   * Adopts the present stacks of `reconcile.yaml`, and deletes others with their history: a store belongs to one list
   * of stacks. `takeOver`: to this list from now on. Errors: `reconcile.other-file`.
   */
  async follow(
    { stacks: entries, origin, base }: Pick<ReconcileConfig, 'stacks' | 'origin' | 'base'>,
    { takeOver = false } = {},
  ): Promise<void> {
    const place = await this.#claim(origin, takeOver);
    const nowMs = this.now();
    const known = new Map(
      (await this.sql.query('SELECT name, entry FROM stacks')).map(({ name, entry }) => [name, JSON.stringify(entry)]),
    );
    // Each statement checks the owner of the store, because another list may take it over meanwhile.
    const isOurs = 'EXISTS (SELECT 1 FROM configuration WHERE origin =';
    const texts = new Map(entries.map((entry) => [entry.name, withoutBase(entry, base)]));
    const changed = [...texts].filter(([name, text]) => known.get(name) !== text);
    const state: StackState = { state: 'new', sinceMs: nowMs, failures: 0 };
    const written = await this.sql.query(
      `INSERT INTO stacks (name, entry, state, next_ms)
       SELECT name, entry::json, $3::json, $4::bigint FROM unnest($1::text[], $2::text[]) AS given (name, entry)
       WHERE ${isOurs} $5) ORDER BY name
       ON CONFLICT (name) DO UPDATE SET entry = excluded.entry, next_ms = least(stacks.next_ms, excluded.next_ms)
       RETURNING name`,
      [changed.map(([name]) => name), changed.map(([, text]) => text), storedJson(state), nowMs, place],
    );
    const paused = entries.flatMap(({ name, paused: pause }) => (isPaused(pause, nowMs) ? { ...pause, name } : []));
    await notePauses(this.sql.query, paused);
    const gone = await this.sql.query(
      `WITH gone AS (SELECT name FROM stacks WHERE name <> ALL ($1::text[]) AND ${isOurs} $2) ORDER BY name FOR UPDATE)
       DELETE FROM stacks USING gone WHERE stacks.name = gone.name RETURNING stacks.name`,
      [[...texts.keys()], place],
    );
    const names = gone.map(({ name }) => String(name));
    if (names.length > 0) {
      await this.sql.query('DELETE FROM runs WHERE stack = ANY ($1::text[])', [names]);
      await this.sql.query('DELETE FROM plans WHERE stack = ANY ($1::text[])', [names]);
      for (const name of names) await this.kept?.forgetOthers(name, undefined);
    }
    const told = [...written.map(({ name }) => String(name)), ...names];
    if (told.length > 0) await this.sql.notify(told);
  }

  async #claim(origin: string, takeOver: boolean): Promise<string> {
    const folder = this.#folder;
    // Relative, so a folder that is moved with its project remains the project's store.
    const place = folder !== undefined && isAbsolute(origin) ? relative(folder, origin) : origin;
    const [row] = await this.sql.query(
      `INSERT INTO configuration AS mine (origin) VALUES ($1) ON CONFLICT (single)
       DO UPDATE SET origin = CASE WHEN $2 THEN excluded.origin ELSE mine.origin END RETURNING origin`,
      [place, takeOver],
    );
    const of = String(row?.['origin']);
    if (of === place) return place;
    const shown = folder !== undefined && of.startsWith('..') ? join(folder, of) : of;
    throw new ToolError({
      code: otherFile,
      message: `the store is of another list of stacks, ${shown}, and this one is ${origin}`,
      hint:
        'Give each list a store of its own (--store, or --data). If it is the same list on a machine that has it elsewhere, ' +
        'write the same name into both (name: fleet). If it has moved for good, add --take-over once: stacks of the ' +
        'store that are not in it are forgotten, with their plans.',
    });
  }

  /**
   * The names of stacks that are due, longest waiting first; also those that wait longer than their interval, because
   * the clock was set back. `only`: restricts them.
   */
  async due(most: number, only?: ReadonlySet<string>): Promise<readonly string[]> {
    const nowMs = this.now();
    const rows = await this.sql.query(
      `SELECT name FROM stacks
       WHERE (next_ms <= $1 OR next_ms > $1 + (entry ->> 'intervalMs')::bigint + (entry ->> 'jitterMs')::bigint + 60000)
         AND ($3::text[] IS NULL OR name = ANY ($3::text[]))
       ORDER BY next_ms LIMIT $2`,
      [nowMs, most, only === undefined ? null : [...only]],
    );
    return rows.map((row) => String(row['name']));
  }

  /** The reads of this platform's stacks that are due within `withinMs`, except running ones. */
  async dueSoon(platform: string, withinMs: number, most: number): Promise<readonly StackReads[]> {
    const rows = await this.sql.query(
      `SELECT reads FROM stacks WHERE next_ms <= $1 AND reads ->> 'platform' = $2 AND state ->> 'state' <> 'running'
       ORDER BY next_ms LIMIT $3`,
      [this.now() + withinMs, platform, most],
    );
    return rows.map(({ reads }) => reads as StackReads);
  }

  async stacks(names?: readonly string[]): Promise<ReadonlyMap<string, StackSummary>> {
    const rows =
      names === undefined
        ? await this.sql.query(`SELECT ${stackColumns} FROM stacks ORDER BY name`)
        : await this.sql.query(`SELECT ${stackColumns} FROM stacks WHERE name = ANY ($1::text[])`, [names]);
    return new Map(rows.map((row) => [String(row['name']), stackOf(row, this.now())]));
  }

  /** Sets the time of the next run, unless a user requests one earlier. */
  async postpone(stack: string, nextMs: number): Promise<void> {
    await this.sql.query('UPDATE stacks SET next_ms = $2 WHERE name = $1', [stack, nextMs]);
  }

  /**
   * Begins a run. Ends an abandoned one as lost. Undefined if the lease is lost. `sinceMs`: earlier reads of the
   * platform are too old for it; infinite: all existing ones.
   */
  async begin(lease: Lease, worker: string): Promise<{ readonly id: string; readonly sinceMs: number } | undefined> {
    const [id, nowMs] = [randomUUID(), this.now()];
    const sinceMs = await this.#held(lease, async (query) => {
      const lost = await query(
        "UPDATE runs SET end_ms = $2, outcome = 'lost' WHERE stack = $1 AND end_ms IS NULL RETURNING id",
        [lease.stack, nowMs],
      );
      await query('INSERT INTO runs (id, stack, worker, fence, start_ms) VALUES ($1, $2, $3, $4, $5)', [
        id,
        lease.stack,
        worker,
        lease.fence,
        nowMs,
      ]);
      const before = await changeState(query, lease.stack, (state) => ({ ...state, state: 'running', sinceMs: nowMs }));
      // Later requests lead to another run.
      await query('UPDATE stacks SET asked_ms = NULL WHERE name = $1', [lease.stack]);
      const [was] = await query(
        `UPDATE stacks SET told = stacks.told - 'paused' FROM stacks AS was
         WHERE stacks.name = $1 AND was.name = $1 AND was.told ? 'paused' RETURNING was.told ->> 'paused' AS reason`,
        [lease.stack],
      );
      if (was !== undefined)
        await this.outbox?.(query, lease.stack, [
          { event: 'resumed', because: `it was paused: ${String(was['reason'])}` },
        ]);
      // Times from the clock of another or dead worker cannot be compared.
      if (before?.isAsked === true || lost.length > 0) return Number.POSITIVE_INFINITY;
      return (before?.state.lastRunMs ?? 0) + clocksDifferMs;
    });
    if (sinceMs === undefined) return undefined;
    await this.sql.notify([lease.stack]);
    return { id, sinceMs };
  }

  /**
   * Assigns the records of these owners only to this stack; without owners, it writes none. Returns the stack that
   * already has some of them; then this one gets none.
   */
  async claimOwner({ stack }: Lease, owners: readonly string[]): Promise<StackEntry | undefined> {
    const found = await this.sql.transaction(async (query) => {
      // Lock order: the stack, then owners sorted; deletions come last, when no lock is awaited.
      await query('SELECT 1 FROM stacks WHERE name = $1 FOR KEY SHARE', [stack]);
      await query(
        `INSERT INTO owners (owner, stack) SELECT unnest($1::text[]), name FROM stacks WHERE name = $2
         ON CONFLICT DO NOTHING`,
        [owners.toSorted(), stack],
      );
      const others = await query(
        'SELECT entry FROM owners JOIN stacks ON name = stack WHERE owner = ANY ($1::text[]) AND stack <> $2 LIMIT 1',
        [owners, stack],
      );
      await query('DELETE FROM owners WHERE stack = $1 AND owner <> ALL ($2::text[])', [
        stack,
        others.length > 0 ? [] : owners,
      ]);
      return others;
    });
    return found[0]?.['entry'] as StackEntry | undefined;
  }

  /** Ends a run. Returns false if the lease was lost; then nothing was written. */
  async end(
    lease: Lease,
    id: string,
    { outcome, said, log, document, state, isSuccess, nextMs, drift, reads }: RunEnd,
  ): Promise<boolean> {
    const nowMs = this.now();
    const isEnded = await this.#held(lease, async (query) => {
      await query('UPDATE runs SET end_ms = $2, outcome = $3, said = $4, log = $5, document = $6 WHERE id = $1', [
        id,
        nowMs,
        outcome,
        storedJson(said),
        storedJson(log),
        document === undefined ? null : storedJson(document),
      ]);
      const isApplied = outcome === 'applied';
      // Locks all rows in one order, so that concurrent ends never deadlock.
      const dependents = await lockWithDependents(query, lease.stack, state.state === 'in line');
      const before = await changeState(query, lease.stack, (before) => ({
        ...state,
        sinceMs: nowMs,
        lastRunMs: nowMs,
        ...present({ lastSuccessMs: isSuccess ? nowMs : before.lastSuccessMs }),
      }));
      if (before !== undefined) {
        const news = newsOf(before.state, state, { ...said, because: state.because, isApplied, drift }, before.drift);
        const commit = said.commit === undefined ? undefined : commitNewsOf(said.commit, state);
        if (news.length > 0 || commit !== undefined) await this.outbox?.(query, lease.stack, news, commit);
        if (drift !== undefined)
          await query("UPDATE stacks SET told = told || jsonb_build_object('drift', $2::text) WHERE name = $1", [
            lease.stack,
            isApplied ? '' : drift,
          ]);
      }
      await query(
        `UPDATE stacks SET next_ms = CASE WHEN asked_ms IS NULL THEN $2 ELSE least(asked_ms, $2) END,
         reads = coalesce($3, reads) WHERE name = $1`,
        [lease.stack, nextMs, reads === undefined ? null : storedJson(reads)],
      );
      // Stacks that wait for it run now.
      if (dependents.length > 0)
        await query(
          `UPDATE stacks SET next_ms = least(next_ms, $2), asked_ms = $2
           WHERE name = ANY ($1::text[]) AND state ->> 'state' = 'waiting'`,
          [dependents, nowMs],
        );
      return true;
    });
    if (isEnded) await this.sql.notify([lease.stack]);
    return isEnded === true;
  }

  async openPlan(stack: string): Promise<OpenPlan | undefined> {
    const [row] = await this.sql.query(
      `SELECT ${planColumns}, file, signatures, trust FROM plans WHERE stack = $1 AND status IN ('waiting', 'applying')`,
      [stack],
    );
    if (row === undefined) return undefined;
    const approvals = await this.sql.query('SELECT * FROM approvals WHERE stack = $1 AND plan = $2 ORDER BY at_ms', [
      stack,
      String(row['name']),
    ]);
    const { file, signatures, status, trust } = row;
    return {
      plan: planOf(row, approvals),
      file: String(file),
      signatures: String(signatures),
      trust: trust as PlanTrust,
      isBegun: status === 'applying',
    };
  }

  /**
   * Makes a plan wait for approvals, superseding another waiting one with a reason. A plan with the same name is the
   * same, and keeps its approvals. Returns false if the lease was lost.
   */
  async propose(lease: Lease, made: Proposal): Promise<boolean> {
    const { stack } = lease;
    const nowMs = this.now();
    // A killed worker may have left files of a finished plan, whose approvals are void.
    const over = await this.sql.query(
      "SELECT 1 FROM plans WHERE stack = $1 AND name = $2 AND status IN ('applied', 'superseded')",
      [stack, made.name],
    );
    if (over.length > 0) await this.kept?.forget(stack, made.name);
    // After a loss of the database: the approved bytes.
    const found = await this.kept?.plan(stack, made.name);
    const kept = found?.file === '' ? undefined : found;
    const { file, signatures } = kept ?? made;
    const lines = (await this.kept?.approvals(stack, made.name)) ?? [];
    // The last approval of a person counts.
    const approvals = lines.filter((each, index) => !lines.slice(index + 1).some((later) => isSamePerson(each, later)));
    if (kept === undefined) await this.kept?.keep(stack, made.name, { file, signatures });
    const { name, needed, signed, blocked = null } = made;
    const isDone = await this.#held(lease, async (query) => {
      const [open] = await query(
        `SELECT ${planColumns} FROM plans WHERE stack = $1 AND status IN ('waiting', 'applying') FOR UPDATE`,
        [stack],
      );
      if (open?.['name'] === name) {
        // The approved bytes stay; a blocked plan had no file.
        await query(
          `UPDATE plans SET needed = $3, signed = $4, blocked = $5,
           signatures = CASE WHEN file = '' THEN $7 ELSE signatures END, file = CASE WHEN file = '' THEN $6 ELSE file END
           WHERE stack = $1 AND name = $2`,
          [stack, name, needed, signed, blocked, file, signatures],
        );
        return true;
      }
      if (open !== undefined) {
        const because = changedInputs(planOf(open, []).inputs, made.inputs).join('; ') || 'it is planned differently';
        await this.#supersede(query, stack, { atMs: nowMs, by: name, because });
      }
      // If an earlier plan was the same, its approvals are void.
      await query('DELETE FROM plans WHERE stack = $1 AND name = $2', [stack, name]);
      await query(
        `INSERT INTO plans (stack, name, made_ms, inputs, document, file, signatures, needed, signed, blocked, trust, status)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'waiting')`,
        [
          ...[stack, name, nowMs, storedJson(made.inputs), storedJson(made.document), file, signatures],
          ...[needed, signed, blocked, storedJson(made.trust)],
        ],
      );
      for (const approval of approvals) await addApproval(query, stack, name, approval);
      const because = blocked ?? (needed === 1 ? 'it needs an approval' : `it needs ${needed} approvals`);
      if (blocked !== null || needed > approvals.length)
        await this.outbox?.(query, stack, [{ event: 'waiting', because, plan: name }]);
      return true;
    });
    if (isDone === undefined) return false;
    await this.kept?.forgetOthers(stack, name);
    await this.sql.notify([stack]);
    return true;
  }

  /** Supersedes the waiting plan, which is unnecessary or invalid now. */
  async drop(lease: Lease, because: string): Promise<void> {
    const nowMs = this.now();
    await this.#held(lease, (query) => this.#supersede(query, lease.stack, { atMs: nowMs, because }));
    await this.kept?.forgetOthers(lease.stack, undefined);
    await this.sql.notify([lease.stack]);
  }

  /** Runs it in a transaction that locks the lease. Returns undefined, without running it, if the lease is lost. */
  #held<T>(lease: Lease, work: (query: Query) => Promise<T>): Promise<T | undefined> {
    return this.sql.transaction(async (query) => ((await isHeld(query, lease)) ? work(query) : undefined));
  }

  async #supersede(query: Query, stack: string, superseded: NonNullable<WaitingPlan['superseded']>): Promise<void> {
    const rows = await query(
      `UPDATE plans SET status = 'superseded', superseded = $2
       WHERE stack = $1 AND status IN ('waiting', 'applying') RETURNING name`,
      [stack, storedJson(superseded)],
    );
    const { because } = superseded;
    const news = rows.map(({ name }): News => ({ event: 'superseded', because, plan: String(name) }));
    if (news.length > 0) await this.outbox?.(query, stack, news);
  }

  /** From now on it continues despite its own writes. Returns false if the lease is lost, or another plan is open. */
  async beginPlan(lease: Lease, name: string): Promise<boolean> {
    const rows = await this.#held(lease, (query) =>
      query(
        `UPDATE plans SET status = 'applying' WHERE stack = $1 AND name = $2 AND status IN ('waiting', 'applying')
         RETURNING name`,
        [lease.stack, name],
      ),
    );
    return rows !== undefined && rows.length > 0;
  }

  async endPlan(lease: Lease, name: string): Promise<void> {
    await this.#held(lease, (query) =>
      query("UPDATE plans SET status = 'applied' WHERE stack = $1 AND name = $2", [lease.stack, name]),
    );
    await this.kept?.forgetOthers(lease.stack, undefined);
  }

  /** Deletes runs and plans that ended before this time, except the last run of each stack. */
  async forgetBefore(ms: number): Promise<void> {
    await this.sql.query(
      `DELETE FROM runs WHERE end_ms < $1
       AND id NOT IN (SELECT DISTINCT ON (stack) id FROM runs ORDER BY stack, start_ms DESC)`,
      [ms],
    );
    await this.sql.query("DELETE FROM plans WHERE made_ms < $1 AND status IN ('applied', 'superseded')", [ms]);
  }
}

export async function addApproval(query: Query, stack: string, plan: string, approval: GivenApproval): Promise<void> {
  const { by, person = null, atMs, signature = null } = approval;
  await query('INSERT INTO approvals (stack, plan, who, person, at_ms, signature) VALUES ($1, $2, $3, $4, $5, $6)', [
    ...[stack, plan, by, person, atMs, signature],
  ]);
}

/** Records pauses, so that the first run after each of them reports its end. */
export async function notePauses(
  query: Query,
  pauses: readonly { readonly name: string; readonly reason: string }[],
): Promise<void> {
  if (pauses.length === 0) return;
  await query(
    `WITH noted AS (
       SELECT stacks.name, reason FROM stacks JOIN unnest($1::text[], $2::text[]) AS pauses (name, reason) USING (name)
       WHERE told ->> 'paused' IS DISTINCT FROM reason ORDER BY stacks.name FOR UPDATE OF stacks
     )
     UPDATE stacks SET told = told || jsonb_build_object('paused', reason) FROM noted WHERE stacks.name = noted.name`,
    [pauses.map(({ name }) => name), pauses.map(({ reason }) => reason)],
  );
}
