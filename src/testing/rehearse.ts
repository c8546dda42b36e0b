import { enclosingStack, isStack } from '../../constructs/stackOf.ts';
import { synthesize } from '../../constructs/synthesize.ts';
import type {
  Applied,
  ApplyEvent,
  Gantry,
  LiveResource,
  NewPlan,
  PlanOptions,
  Stack,
  StackSource,
} from '../automation.ts';
import { type JsonObject, stringAt } from '../base/json/json.ts';
import { compact, present } from '../base/json/present.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { actionCounts } from '../plan/model/plan.ts';
import { type Declaration, isConstruct } from './declared.ts';

/** The state before: an earlier stack, manifests, live records, or the end of an earlier rehearsal. */
export type Before = Declaration | { readonly records: readonly (JsonObject | LiveResource)[] };

export interface RehearseOptions extends Omit<PlanOptions, 'signal'> {
  /** The state before. Another stack, or an earlier form of this one, is applied first. @default nothing */
  readonly from?: Before;
  /** @default test */
  readonly org?: string;
  /** The GVC for `gvc: { fromSettings: true }`. */
  readonly gvc?: string;
  /** The name of the stack that owns the resources. @default the name of the stack in code, else `test` */
  readonly stack?: string;
  /** Called for each event, in order. */
  readonly on?: (event: ApplyEvent) => void;
}

/** The result of a stack on a platform in the memory of this process. */
export interface Rehearsed extends Applied {
  /** The number of resources for each action of the plan. */
  readonly counts: NewPlan['counts'];
  /** All live records after it, by id, except those that the platform created itself. */
  readonly records: readonly LiveResource[];
  /** The live record of a resource (`kind/[gvc/]name`). */
  record(id: string): JsonObject | undefined;
  /** For an app: the result of each plan, in the order in which they were applied. */
  readonly stacks: readonly Applied[];
}

/** A plan of one stack, or the combined plans of several. */
export type Planned = Pick<NewPlan, 'plan' | 'counts'>;

/**
 * Plans a stack, or all stacks of an app in their order, applies it, and plans it again, which must leave nothing to
 * do: on a platform in the memory of this process, without files and ports.
 *
 * Errors: those of the stack; `plan.refused`; an `ApplyError` if the platform refuses something.
 */
export async function rehearse(stack: Declaration, options: RehearseOptions = {}): Promise<Rehearsed> {
  const { on } = options;
  return inMemory(stack, options, async ({ gantry, stacks, allowed, builtIn, declared }) => {
    const how = { verify: 'full', ...present({ on }) } as const;
    const made: NewPlan[] = [];
    const runs: Applied[] = [];
    const take = async (each: Stack): Promise<void> => {
      const plan = await gantry.plan(each, allowed);
      made.push(plan);
      runs.push(await gantry.apply(plan, how));
    };
    for (const each of stacks) await take(each);
    // One stack could not delete a resource before a later stack stopped using it.
    const waits = (each: Stack): boolean =>
      (made.findLast(({ plan }) => plan.stack === each.owner)?.plan.waiting ?? []).length > 0;
    for (let before = Number.POSITIVE_INFINITY; ; ) {
      const open = stacks.filter(waits);
      if (open.length === 0 || open.length >= before) break;
      before = open.length;
      for (const each of open.toReversed()) await take(each);
    }
    const applied = runs.length === 1 && runs[0] !== undefined ? runs[0] : asOneRun(runs);
    const { plan, counts } = asOnePlan(made);
    const records = (await gantry.list()).filter(({ id, version }) => builtIn.get(id) !== version);
    const byId = new Map(records.map(({ id, record }) => [id, record]));
    for (const live of records) declarations.set(live, declared.get(live.id) ?? []);
    return { ...applied, plan, counts, stacks: runs, records, record: (id) => byId.get(id) };
  });
}

/** The declarations of each live record after a rehearsal: they mark values as sensitive, which no record shows. */
const declarations = new WeakMap<LiveResource, readonly DesiredResource[]>();

export function declarationsOf(live: LiveResource): readonly DesiredResource[] {
  return declarations.get(live) ?? [];
}

/** Only the plan, which may be refused. */
export function planInMemory(stack: Declaration, options: RehearseOptions): Promise<Planned> {
  return inMemory(stack, options, async ({ gantry, stacks, allowed }) => {
    const plans: NewPlan[] = [];
    for (const each of stacks) plans.push(await gantry.plan(each, { ...allowed, after: plans }));
    return asOnePlan(plans);
  });
}

/** Combines the plans of several stacks. Each resource is in one; of a stack planned twice only changes count. */
function asOnePlan(plans: readonly NewPlan[]): Planned {
  const [first, ...others] = plans;
  if (first === undefined) throw new Error('there is no stack');
  if (others.length === 0) return first;
  const seen = new Set<string>();
  const changes = plans.flatMap(({ plan }) => {
    const again = seen.has(plan.stack);
    seen.add(plan.stack);
    return again ? plan.changes.filter(({ action }) => action !== 'keep') : plan.changes;
  });
  const [refusals, notes] = [plans.flatMap(({ plan }) => plan.refusals), plans.flatMap(({ plan }) => plan.notes)];
  const changed = new Set(compact(changes, ({ id, action }) => (action === 'keep' ? undefined : id)));
  const all = changes.filter(({ id, action }) => action !== 'keep' || !changed.has(id));
  return { plan: { ...first.plan, changes: all, refusals, notes }, counts: actionCounts(all) };
}

function asOneRun(runs: readonly Applied[]): Applied {
  const [first] = runs;
  if (first === undefined) throw new Error('there is no stack');
  const results = runs.map(({ result }) => result);
  return {
    plan: first.plan,
    outcome: 'done', // any other outcome is thrown
    elapsedMs: runs.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0),
    outputs: Object.assign({}, ...runs.map(({ outputs }) => outputs)),
    result: {
      ...first.result,
      done: results.flatMap(({ done }) => done),
      failed: [],
      skipped: [],
      requests: results.reduce((sum, { requests }) => sum + requests, 0),
      verified: true,
      interrupted: false,
    },
  };
}

interface InMemory {
  readonly gantry: Gantry;
  /** In the order in which they are applied. */
  readonly stacks: readonly Stack[];
  /** The permits of each plan. */
  readonly allowed: PlanOptions;
  /** The versions of the records that the platform created itself. */
  readonly builtIn: ReadonlyMap<string, number>;
  /** The declarations of all stacks, also of those before, by id. */
  readonly declared: ReadonlyMap<string, readonly DesiredResource[]>;
}

async function inMemory<T>(
  stack: Declaration,
  { from, on: _, org = 'test', gvc, stack: name, ...options }: RehearseOptions,
  work: (session: InMemory) => Promise<T>,
): Promise<T> {
  const { Gantry } = await import('../automation.ts'); // includes the platform, which `synth` and the like do not need
  const records = from !== undefined && 'records' in from ? from.records : [];
  const gantry = await Gantry.open({
    project: false,
    environment: {},
    embedded: 'memory',
    org,
    ...present({ gvc }),
    records: records.map(contentOf),
  });
  try {
    const optionsOf = (declaration: Declaration) => {
      const [inCode = namesIn(stack)[0] ?? 'test', ...others] = namesIn(declaration);
      const owner = name ?? (others.length > 0 ? undefined : inCode);
      return { values: false, ...present({ stack: owner }) };
    };
    const before = new Set(records.map(idOf));
    const builtIn = (await gantry.list()).filter(({ id }) => !before.has(id));
    const earlier =
      from === undefined || 'records' in from ? [] : await gantry.loadAll(sourceOf(from), optionsOf(from));
    for (const each of earlier) await gantry.apply(await gantry.plan(each));
    const stacks = await gantry.loadAll(sourceOf(stack), optionsOf(stack));
    return await work({
      gantry,
      stacks,
      allowed: options,
      builtIn: new Map(builtIn.map(({ id, version }) => [id, version])),
      declared: Map.groupBy(
        [
          ...records.flatMap((each) => (isLive(each) ? declarationsOf(each) : [])),
          ...[...earlier, ...stacks].flatMap(({ desired }) => desired),
        ],
        ({ id }) => id,
      ),
    });
  } finally {
    await gantry.close();
  }
}

/** Any part of a tree can be loaded, not only apps and stacks. */
function sourceOf(declaration: Declaration): StackSource {
  return isConstruct(declaration) ? { synth: () => synthesize(declaration) } : declaration;
}

/** The stack names in code: the enclosing stack, or otherwise the stacks inside of it. */
function namesIn(declaration: Declaration): readonly string[] {
  if (!isConstruct(declaration)) return [];
  const around = enclosingStack(declaration);
  return (around === undefined ? declaration.node.findAll().filter(isStack) : [around]).map(({ name }) => name);
}

function contentOf(record: JsonObject | LiveResource): JsonObject {
  return isLive(record) ? record.record : record;
}

function idOf(record: JsonObject | LiveResource): string {
  if (isLive(record)) return record.id;
  return ['kind', 'gvc', 'name'].flatMap((field) => stringAt(record, field) ?? []).join('/');
}

function isLive(record: JsonObject | LiveResource): record is LiveResource {
  return 'record' in record && 'ref' in record;
}
