import { type Risk, worse } from './risk.ts';

/** What a change of a field can do: the same for every change, or another one for more and for less of it. */
export type RiskFact = Risk | DirectedRisk;

/**
 * More is a larger amount, `true` instead of `false`, a later word of `order`, an item that is added. Where nobody can
 * say which of the two it is (a value that the platform chose, a value that is hidden), the worse one counts.
 */
export interface DirectedRisk {
  readonly more: Risk;
  readonly less: Risk;
  /** Less, until nothing is left of it: an amount of 0, an empty list. */
  readonly toNothing?: Risk;
  /** Another value in place of one, where no order says which is more; without it the worst of all counts. */
  readonly changed?: Risk;
  /** Words from the least to the most. */
  readonly order?: readonly string[];
  /** What an absent value counts as, where it has no default; of a list `Infinity`: absent means everything. */
  readonly absentIs?: number;
  /** More than its default in a record that is created: `none` unless it says so. */
  readonly whenCreated?: Risk;
}

/** Words for people and policies: nothing that runs takes notice. */
export const onlyMetadata = { risk: 'metadata' } as const;

/** Replicas are made again, one after the other or all at once, where they are. */
export const restarts = { risk: 'rolling-restart' } as const;

/** Replicas may be put on other machines, or run at other times. */
export const reschedules = { risk: 'reschedule' } as const;

/** The worst of it, whichever way it goes. */
export function worstOf(fact: RiskFact): Risk {
  if (typeof fact === 'string') return fact;
  const { more, less, toNothing = 'none', changed = 'none' } = fact;
  return [more, less, toNothing].reduce(worse, changed);
}

/** Who reaches it, at which address, or what it reaches, becomes another. */
export const changesEndpoints = { risk: 'endpoint-change' } as const;

/** Access that somebody else decides on: no record says who gets how much (queries, expressions). */
export const exposes = { risk: 'exposure' } as const;

/** Nothing serves, or it serves without what it needs, until the new one is there. */
export const interrupts = { risk: 'downtime' } as const;

/** Whether more or less runs, or is kept, follows from more than this field: the worse of both is that it is less. */
export const movesCapacity = { risk: 'capacity-down' } as const;

/** What is there cannot be had back by applying again. */
export const losesData = { risk: 'data-loss' } as const;

/** What is reserved: more costs more, less carries less. */
export const reserves = { risk: { more: 'cost-up', less: 'capacity-down' } } as const satisfies Facts;

/** The same where nothing at all is reserved when it is absent. */
export const reservesIfSet = { risk: { more: 'cost-up', less: 'capacity-down', absentIs: 0 } } as const satisfies Facts;

/** The more each replica takes, the fewer run; the less, the more are paid. */
export const sharesLoad = { risk: { more: 'capacity-down', less: 'cost-up' } } as const satisfies Facts;

/** The same until it may be none at all. */
export const reservesMost = {
  risk: { more: 'cost-up', less: 'capacity-down', toNothing: 'downtime' },
} as const satisfies Facts;

/** Switched on it takes capacity away, switched off it costs (`spot`, `capacityAI`). */
export const saves = sharesLoad;

/** Switched on nothing serves any more, switched off it costs. */
export const suspends = { risk: { more: 'downtime', less: 'cost-up' } } as const satisfies Facts;

/** Switched on it restarts at most; switched off, what scaled or ran by it stops. */
export const enables = { risk: { more: 'rolling-restart', less: 'capacity-down' } } as const satisfies Facts;

/** Each place runs and pays for its own replicas. */
export const places = reservesMost;

/** A balancer, or an address, of one's own is paid for; giving it back changes where requests go. */
export const ownEntrance = {
  risk: { more: 'cost-up', less: 'endpoint-change', whenCreated: 'cost-up' },
} as const satisfies Facts;

/** Who or what is let in or out: more may, fewer may, nobody may any more. */
export const allows = {
  risk: { more: 'exposure', less: 'endpoint-change', toNothing: 'downtime', whenCreated: 'exposure' },
} as const satisfies Facts;

/** The same, from the narrowest to the widest. */
export const allowsByType = {
  risk: { ...allows.risk, order: ['none', 'workload-list', 'same-gvc', 'same-org'] },
} as const satisfies Facts;

/** The same of a list that restricts nothing while it is absent. */
export const allowsOnly = {
  risk: { more: 'exposure', less: 'endpoint-change', absentIs: Number.POSITIVE_INFINITY },
} as const satisfies Facts;

/** What keeps somebody out, or is asked of them: taken away it lets them in. */
export const blocks = { risk: { more: 'endpoint-change', less: 'exposure' } } as const satisfies Facts;

/** The same of a setting that may be replaced by another one. */
export const guards = {
  risk: { more: 'endpoint-change', less: 'exposure', changed: 'endpoint-change' },
} as const satisfies Facts;

/** From the least to the most that is asked. */
export const guardsByVersion = {
  risk: { ...blocks.risk, order: ['TLSV1_0', 'TLSV1_1', 'TLSV1_2', 'TLSV1_3'] },
} as const satisfies Facts;

/** Who may do what: more is granted, or something is taken back. */
export const grants = {
  risk: { more: 'exposure', less: 'endpoint-change', absentIs: 0, whenCreated: 'exposure' },
} as const satisfies Facts;

/** The same where a new record alone grants nothing: something else has to name it, or it names what is there. */
export const grantsLater = { risk: { more: 'exposure', less: 'endpoint-change' } } as const satisfies Facts;

/**
 * A door to the outside: a new one opens, one that goes is missed, and behind one that stays something else answers.
 */
export const opens = {
  risk: { more: 'exposure', less: 'downtime', changed: 'endpoint-change', absentIs: 0, whenCreated: 'exposure' },
} as const satisfies Facts;

/** A door that goes with another field, which says of a new record whether it is open. */
export const opensBeside = {
  risk: { more: 'exposure', less: 'downtime', changed: 'endpoint-change' },
} as const satisfies Facts;

/** What is mounted: without it, or with another in its place, what runs does not find its files. */
export const mounts = {
  risk: { more: 'rolling-restart', less: 'downtime', changed: 'downtime' },
} as const satisfies Facts;

/** New replicas cannot be started without what is taken; what is added makes new ones at most. */
export const startsReplicas = { risk: { more: 'rolling-restart', less: 'capacity-down' } } as const satisfies Facts;

/** Kept for a longer time it costs, for a shorter time the older part is gone. */
export const keepsHistory = { risk: { more: 'cost-up', less: 'data-loss' } } as const satisfies Facts;

/** Without the last snapshot, nothing is left of what is deleted later. */
export const keepsLastSnapshot = { risk: { more: 'metadata', less: 'data-loss' } } as const satisfies Facts;

/** `recycle` empties the volume when its replica goes. */
export const recycles = {
  risk: { more: 'data-loss', less: 'metadata', order: ['retain', 'recycle'] },
} as const satisfies Facts;

interface Facts {
  readonly risk: RiskFact;
}
