/** The same as `server/decisions.ts`, for volume sets. */

/**
 * Specification 2.6, rules 5 and 6 give equations, resources B4 notes a guide that rounds the result up: capacities are
 * what the equations say, to the byte. `rules/volumes/growthLaws.ts`.
 */
export const growthIsNotRounded = true;

/**
 * Specification 2.6, rule 6 does not say when a prediction makes a volume grow: whenever its target is above the
 * capacity. A volume whose capacity came from a growth law waits until it is foreseen to have too little free: else
 * steady growth would expand it a little at each look.
 */
export const predictionWaitsForShortage = true;

/**
 * Specification 2.6, rule 7 asks for percentage and factor with a prediction only: without both, nothing grows.
 * `rules/volumes/growthPolicy.ts`.
 */
export const growthNeedsPercentageAndFactor = true;

/**
 * Specification 2.6, rule 8 calls shrinking a loss of data: the volume begins again, empty, on other storage. So does a
 * replaced one (protocol 3.5 gives `replaceVolume` no words). Snapshots stay, and a restored volume is never smaller
 * than its snapshot. `rules/volumes/commandEffect.ts`.
 */
export const shrinkingAndReplacingEmptyAVolume = true;

/**
 * Protocol 8.5 gives words only: `unbound` is a volume that lost its replica, `unused` one that none ever had.
 * `rules/volumes/volumeSetStatus.ts`.
 */
export const unusedVolumesNeverHadAReplica = true;

/**
 * Protocol 3.5 is silent on two commands at once: those on one volume wait for each other, and are checked again then.
 * `commands/volumeQueue.ts`.
 */
export const commandsOnAVolumeQueue = true;

/**
 * Specification 2.6: `retentionDuration` holds for every snapshot that is made without an end of its own.
 * `rules/volumes/snapshots.ts`.
 */
export const retentionHoldsForAllSnapshots = true;

/**
 * Specification 2.6, rule 2 charges "CPU and memory" for each mount point: what it reserves, `minCpu` and `minMemory`.
 * `rules/volumes/bill.ts`.
 */
export const mountPointsAreChargedByTheirMinimum = true;
