import { type Risk, worse } from './risk.ts';

/** The risk of changing a field: the same for every change, or different for more and for less of it. */
export type RiskFact = Risk | DirectedRisk;

/**
 * More is a larger amount, `true` instead of `false`, a later word of `order`, an added item. If the direction is not
 * known (a value that the platform chose, a hidden value), the worse risk counts.
 */
export interface DirectedRisk {
  readonly more: Risk;
  readonly less: Risk;
  /** Less, down to nothing: an amount of 0, an empty list. */
  readonly toNothing?: Risk;
  /** Another value, if no order says which is more; if absent, the worst risk counts. */
  readonly changed?: Risk;
  /** Words from the least to the most. */
  readonly order?: readonly string[];
  /** The value of an absent field without a default; for a list `Infinity`: absent means everything. */
  readonly absentIs?: number;
  /** More than the default in a new record: `none` if absent. */
  readonly whenCreated?: Risk;
}

/** Words for people and policies: nothing that runs takes notice. */
export const onlyMetadata = { risk: 'metadata' } as const;

/** Replicas are made again, one after the other or all at once, where they are. */
export const restarts = { risk: 'rolling-restart' } as const;

/** Replicas may be put on other machines, or run at other times. */
export const reschedules = { risk: 'reschedule' } as const;

/** The worst risk, whatever the direction. */
export function worstOf(fact: RiskFact): Risk {
  if (typeof fact === 'string') return fact;
  const { more, less, toNothing = 'none', changed = 'none' } = fact;
  return [more, less, toNothing].reduce(worse, changed);
}

/** The clients that reach it, its address, or its targets change. */
export const changesEndpoints = { risk: 'endpoint-change' } as const;

/** Access that is decided elsewhere: no record shows who gets how much (queries, expressions). */
export const exposes = { risk: 'exposure' } as const;

/** Nothing serves, or it serves without something that it needs, until the new one is ready. */
export const interrupts = { risk: 'downtime' } as const;

/** Other fields also decide whether more or less runs or is stored: the worse case is less. */
export const movesCapacity = { risk: 'capacity-down' } as const;

/** The data cannot be restored by applying again. */
export const losesData = { risk: 'data-loss' } as const;

/** A reservation: more costs more, less carries less load. */
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

/** Admission: more are admitted, fewer, or none. */
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

/** A restriction or requirement: removing it grants access. */
export const blocks = { risk: { more: 'endpoint-change', less: 'exposure' } } as const satisfies Facts;

/** The same of a setting that may be replaced by another one. */
export const guards = {
  risk: { more: 'endpoint-change', less: 'exposure', changed: 'endpoint-change' },
} as const satisfies Facts;

/** From the least to the most that is asked. */
export const guardsByVersion = {
  risk: { ...blocks.risk, order: ['TLSV1_0', 'TLSV1_1', 'TLSV1_2', 'TLSV1_3'] },
} as const satisfies Facts;

/** Permissions: more are granted, or some are revoked. */
export const grants = {
  risk: { more: 'exposure', less: 'endpoint-change', absentIs: 0, whenCreated: 'exposure' },
} as const satisfies Facts;

/**
 * The same for a record that grants nothing when it is new: something else has to refer to it, or it refers to existing
 * records.
 */
export const grantsLater = { risk: { more: 'exposure', less: 'endpoint-change' } } as const satisfies Facts;

/** An endpoint: a new one opens, a removed one is missed, and a changed one serves something else. */
export const opens = {
  risk: { more: 'exposure', less: 'downtime', changed: 'endpoint-change', absentIs: 0, whenCreated: 'exposure' },
} as const satisfies Facts;

/** An endpoint that depends on another field, which says whether a new record opens it. */
export const opensBeside = {
  risk: { more: 'exposure', less: 'downtime', changed: 'endpoint-change' },
} as const satisfies Facts;

/** A mount: without it, or with another one, the containers do not find their files. */
export const mounts = {
  risk: { more: 'rolling-restart', less: 'downtime', changed: 'downtime' },
} as const satisfies Facts;

/** New replicas cannot start without what is removed; additions only start new ones. */
export const startsReplicas = { risk: { more: 'rolling-restart', less: 'capacity-down' } } as const satisfies Facts;

/** Kept for a longer time it costs, for a shorter time the older part is gone. */
export const keepsHistory = { risk: { more: 'cost-up', less: 'data-loss' } } as const satisfies Facts;

/** Without the final snapshot, nothing remains of a volume that is deleted later. */
export const keepsLastSnapshot = { risk: { more: 'metadata', less: 'data-loss' } } as const satisfies Facts;

/** `recycle` empties the volume when its replica is removed. */
export const recycles = {
  risk: { more: 'data-loss', less: 'metadata', order: ['retain', 'recycle'] },
} as const satisfies Facts;

interface Facts {
  readonly risk: RiskFact;
}
