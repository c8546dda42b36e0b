import { type Risk, worse } from './risk.ts';

/** The risk of changing a field: the same for every change, or different by direction. */
export type RiskFact = Risk | DirectedRisk;

/**
 * More is a larger amount, `true` instead of `false`, a later word of `order`, an added item. If the direction is
 * unknown (a value chosen by the platform, a hidden value), the worse risk counts.
 */
export interface DirectedRisk {
  readonly more: Risk;
  readonly less: Risk;
  /** The value decreases to nothing: an amount of 0, an empty list. */
  readonly toNothing?: Risk;
  /** The value changes without an order to compare by; if absent, the worst risk counts. */
  readonly changed?: Risk;
  /** Words from the least to the most. */
  readonly order?: readonly string[];
  /** The value of an absent field without a default; for a list `Infinity`: absent means everything. */
  readonly absentIs?: number;
  /** A new record has more than the default: `none` if absent. */
  readonly whenCreated?: Risk;
}

/** Words for people and policies: nothing that runs depends on them. */
export const onlyMetadata = { risk: 'metadata' } as const;

/** Replicas are recreated in place, one by one or together. */
export const restarts = { risk: 'rolling-restart' } as const;

/** Replicas may move to other machines, or run at other times. */
export const reschedules = { risk: 'reschedule' } as const;

/** The worst risk of all directions. */
export function worstOf(fact: RiskFact): Risk {
  if (typeof fact === 'string') return fact;
  const { more, less, toNothing = 'none', changed = 'none' } = fact;
  return [more, less, toNothing].reduce(worse, changed);
}

/** The clients that reach it, its address, or its targets change. */
export const changesEndpoints = { risk: 'endpoint-change' } as const;

/** Access that is decided elsewhere: no record shows its extent (queries, expressions). */
export const exposes = { risk: 'exposure' } as const;

/** Until the new one is ready, nothing serves, or a needed part is missing. */
export const interrupts = { risk: 'downtime' } as const;

/** Other fields also decide whether more or less runs or is stored; the worse case is less. */
export const movesCapacity = { risk: 'capacity-down' } as const;

/** Applying again cannot restore the data. */
export const losesData = { risk: 'data-loss' } as const;

/** A reservation: more costs more, less carries less load. */
export const reserves = { risk: { more: 'cost-up', less: 'capacity-down' } } as const satisfies Facts;

/** The same if an absent value reserves nothing. */
export const reservesIfSet = { risk: { more: 'cost-up', less: 'capacity-down', absentIs: 0 } } as const satisfies Facts;

/** If each replica takes more, fewer run; if it takes less, more are paid for. */
export const sharesLoad = { risk: { more: 'capacity-down', less: 'cost-up' } } as const satisfies Facts;

/** The same, but none at all interrupts the service. */
export const reservesMost = {
  risk: { more: 'cost-up', less: 'capacity-down', toNothing: 'downtime' },
} as const satisfies Facts;

/** Enabling it reduces capacity, disabling it raises costs (`spot`, `capacityAI`). */
export const saves = sharesLoad;

/** Enabling it stops the service, disabling it raises costs. */
export const suspends = { risk: { more: 'downtime', less: 'cost-up' } } as const satisfies Facts;

/** Enabling it restarts replicas at most; disabling it stops what it scaled or ran. */
export const enables = { risk: { more: 'rolling-restart', less: 'capacity-down' } } as const satisfies Facts;

/** Each location runs its own replicas, which are paid for. */
export const places = reservesMost;

/** A dedicated balancer or address is paid for; removing it changes where requests arrive. */
export const ownEntrance = {
  risk: { more: 'cost-up', less: 'endpoint-change', whenCreated: 'cost-up' },
} as const satisfies Facts;

/** Admission: more clients are admitted, fewer, or none. */
export const allows = {
  risk: { more: 'exposure', less: 'endpoint-change', toNothing: 'downtime', whenCreated: 'exposure' },
} as const satisfies Facts;

/** The same, ordered from the narrowest to the widest. */
export const allowsByType = {
  risk: { ...allows.risk, order: ['none', 'workload-list', 'same-gvc', 'same-org'] },
} as const satisfies Facts;

/** The same for a list that restricts nothing while absent. */
export const allowsOnly = {
  risk: { more: 'exposure', less: 'endpoint-change', absentIs: Number.POSITIVE_INFINITY },
} as const satisfies Facts;

/** A restriction or requirement: removing it grants access. */
export const blocks = { risk: { more: 'endpoint-change', less: 'exposure' } } as const satisfies Facts;

/** The same for a setting that another one may replace. */
export const guards = {
  risk: { more: 'endpoint-change', less: 'exposure', changed: 'endpoint-change' },
} as const satisfies Facts;

/** Ordered from the least strict to the strictest. */
export const guardsByVersion = {
  risk: { ...blocks.risk, order: ['TLSV1_0', 'TLSV1_1', 'TLSV1_2', 'TLSV1_3'] },
} as const satisfies Facts;

/** Permissions: more are granted, or some revoked. */
export const grants = {
  risk: { more: 'exposure', less: 'endpoint-change', absentIs: 0, whenCreated: 'exposure' },
} as const satisfies Facts;

/**
 * The same for a record that grants nothing when new: it takes effect through references to it, or refers to existing
 * records.
 */
export const grantsLater = { risk: { more: 'exposure', less: 'endpoint-change' } } as const satisfies Facts;

/** An endpoint: a new one gives access, a removed one fails its clients, and a changed one serves something else. */
export const opens = {
  risk: { more: 'exposure', less: 'downtime', changed: 'endpoint-change', absentIs: 0, whenCreated: 'exposure' },
} as const satisfies Facts;

/** An endpoint that depends on another field, which decides whether a new record opens it. */
export const opensBeside = {
  risk: { more: 'exposure', less: 'downtime', changed: 'endpoint-change' },
} as const satisfies Facts;

/** A mount: without it, or with another one, containers do not find their files. */
export const mounts = {
  risk: { more: 'rolling-restart', less: 'downtime', changed: 'downtime' },
} as const satisfies Facts;

/** Removals prevent new replicas from starting; additions only start new ones. */
export const startsReplicas = { risk: { more: 'rolling-restart', less: 'capacity-down' } } as const satisfies Facts;

/** A longer time raises costs, a shorter one deletes the older part. */
export const keepsHistory = { risk: { more: 'cost-up', less: 'data-loss' } } as const satisfies Facts;

/** Without the final snapshot, nothing remains of a volume deleted later. */
export const keepsLastSnapshot = { risk: { more: 'metadata', less: 'data-loss' } } as const satisfies Facts;

/** `recycle` empties the volume when its replica is removed. */
export const recycles = {
  risk: { more: 'data-loss', less: 'metadata', order: ['retain', 'recycle'] },
} as const satisfies Facts;

interface Facts {
  readonly risk: RiskFact;
}
