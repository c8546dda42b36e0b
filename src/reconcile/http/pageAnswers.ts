import { present } from '../../base/json/present.ts';
import type { PlanDocument } from '../../change/documents/planDocument.ts';
import type { PagePlan } from '../../report/pageData.ts';
import { pagePlan } from '../../report/pagePlan.ts';
import { planOutcome } from '../../report/report.ts';
import { isSamePerson } from '../decisions/person.ts';
import type {
  Board,
  BoardFigures,
  Role,
  RunRecord,
  StackSummary,
  StoragePoint,
  TargetState,
  WaitingPlan,
} from '../model.ts';
import type { Caller } from './access.ts';

/** The user of the page. */
export interface Me {
  /** Absent without sign-in. */
  readonly name?: string;
  readonly role: Role;
  /** Whether signed in by OpenID Connect, with a cookie. */
  readonly hasSession?: true;
}

/** A plan with its presentation from reports. */
export interface ShownPlan extends Omit<WaitingPlan, 'document'> {
  readonly shown: PagePlan;
  /** Whether an approval of the user of the page counts. */
  readonly isYours: boolean;
}

export interface StackDetail {
  readonly summary: StackSummary;
  readonly runs: readonly RunRecord[];
  /** The waiting plan. */
  readonly waiting?: ShownPlan;
  /** Earlier plans, newest first. */
  readonly earlier: readonly Omit<WaitingPlan, 'document'>[];
  /** The storage of the stack and its monthly cost after its runs, oldest first. */
  readonly storage: readonly StoragePoint[];
}

export interface RunDetail {
  readonly run: Omit<RunRecord, 'document'>;
  readonly shown?: PagePlan;
}

/** The load of workers, and the states of notifications. */
export interface FleetFigures extends BoardFigures {
  readonly targets: readonly TargetState[];
}

/** Sent to an open page: the present state of a stack, or that too many have changed to send each. */
export type Told = { readonly stack: string; readonly summary: StackSummary | null } | { readonly all: true };

export async function fleetFigures(board: Board): Promise<FleetFigures> {
  const [figures, targets] = await Promise.all([board.figures(), board.targets()]);
  return { ...figures, targets };
}

/** Undefined if the stack does not exist. */
export async function stackDetail(board: Board, stack: string, caller: Caller): Promise<StackDetail | undefined> {
  const summary = await board.read(stack);
  if (summary === undefined) return undefined;
  const [runs, plans, waiting, storage] = await Promise.all([
    board.runs(stack),
    board.plans(stack),
    board.waiting(stack),
    board.storage(stack),
  ]);
  return {
    summary,
    runs,
    ...present({ waiting: waiting === undefined ? undefined : shownPlan(waiting, caller) }),
    earlier: plans.filter(({ name }) => name !== waiting?.name).map(listedPlan),
    storage,
  };
}

export async function runDetail(board: Board, id: string): Promise<RunDetail | undefined> {
  const found = await board.run(id);
  if (found === undefined) return undefined;
  const { document, ...run } = found;
  return { run, ...present({ shown: document === undefined ? undefined : shownDocument(document) }) };
}

function shownPlan(waiting: WaitingPlan, { name: by, person }: Caller): ShownPlan {
  const counted = waiting.approvals.given.filter(({ uncounted }) => uncounted === undefined);
  const isYours = by !== undefined && counted.some((each) => isSamePerson(each, { by, ...present({ person }) }));
  return { ...listedPlan(waiting), shown: shownDocument(waiting.document), isYours };
}

/** Omits the subjects of people at their issuer. */
function listedPlan({ document: _, ...plan }: WaitingPlan): Omit<WaitingPlan, 'document'> {
  const given = plan.approvals.given.map(({ person, ...approval }) => approval);
  return { ...plan, approvals: { ...plan.approvals, given } };
}

function shownDocument(document: PlanDocument): PagePlan {
  return pagePlan({ document, outcome: planOutcome(document), proofs: new Map() });
}
