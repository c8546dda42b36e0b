import type { Risk } from './risk.ts';

/** What a change of a field can do: the same for every change, or another one for more and for less of it. */
export type RiskFact = Risk | DirectedRisk;

/**
 * More is a larger amount, `true` instead of `false`, a later word of `order`, an item that is added. Where nobody can
 * say which of the two it is (a value that the platform chose, a value that is hidden), the worse one counts.
 */
export interface DirectedRisk {
  readonly more: Risk;
  readonly less: Risk;
  /** Words from the least to the most. */
  readonly order?: readonly string[];
  /** What an absent value counts as, where it has no default. */
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

/** Who reaches it, at which address, or what it reaches, becomes another. */
export const changesEndpoints = { risk: 'endpoint-change' } as const;

/** How many replicas run moves, within `minScale` and `maxScale`, so that it may become fewer and never costs more. */
export const movesReplicas = { risk: 'capacity-down' } as const;

/** Nobody can say from the record whether more or less follows; the worse of both is that it costs more. */
export const mayCost = { risk: 'cost-up' } as const;

/** What is there cannot be had back by applying again. */
export const losesData = { risk: 'data-loss' } as const;

/** What is reserved: more costs more, less carries less. */
export const reserves = { risk: { more: 'cost-up', less: 'capacity-down' } } as const satisfies Facts;

/** The same where nothing at all is reserved when it is absent. */
export const reservesIfSet = { risk: { more: 'cost-up', less: 'capacity-down', absentIs: 0 } } as const satisfies Facts;

/** The more each replica takes, the fewer run; the less, the more are paid. */
export const sharesLoad = { risk: { more: 'capacity-down', less: 'cost-up' } } as const satisfies Facts;

/** Switched on it takes capacity away, switched off it costs (`suspend`, `spot`, `capacityAI`). */
export const saves = sharesLoad;

/** Switched on it restarts at most; switched off, what scaled or ran by it stops. */
export const enables = { risk: { more: 'rolling-restart', less: 'capacity-down' } } as const satisfies Facts;

/** Each place runs and pays for its own replicas. */
export const places = reserves;

/** A balancer, or an address, of one's own is paid for; giving it back changes where requests go. */
export const ownEntrance = {
  risk: { more: 'cost-up', less: 'endpoint-change', whenCreated: 'cost-up' },
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
