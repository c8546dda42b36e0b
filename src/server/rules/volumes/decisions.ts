/** The same as `server/rules/decisions.ts`, for volume sets. */

/**
 * Equations say how volumes grow (platform/volumeset.growth), a guide rounds the result up: capacities are
 * what the equations say, to the byte. `rules/volumes/growthLaws.ts`.
 */
export const growthIsNotRounded = true;

/**
 * Nothing says when a prediction makes a volume grow (platform/volumeset.growth): whenever its target is above the
 * capacity. A volume whose capacity came from a growth law waits until it is foreseen to have too little free: else
 * steady growth would expand it a little at each look.
 */
export const predictionWaitsForShortage = true;

/**
 * Percentage and factor are required with a prediction only (platform/volumeset.growth): without both, nothing grows.
 * `rules/volumes/growthPolicy.ts`.
 */
export const growthNeedsPercentageAndFactor = true;

/**
 * Shrinking loses data (platform/commands.volumes): the volume begins again, empty, on other storage. So does a
 * replaced one, of which nothing is known. Snapshots stay, and a restored volume is never smaller
 * than its snapshot. `rules/volumes/commandEffect.ts`.
 */
export const shrinkingAndReplacingEmptyAVolume = true;

/**
 * Lifecycles are words only (platform/volumeset.status): `unbound` is a volume that lost its replica, `unused` one that
 * none ever had. `rules/volumes/volumeSetStatus.ts`.
 */
export const unusedVolumesNeverHadAReplica = true;

/**
 * Nothing is said of two commands at once: those on one volume wait for each other, and are checked again then.
 * `journals/activeCommands.ts`.
 */
export const commandsOnAVolumeQueue = true;

/**
 * `retentionDuration` (platform/volumeset.snapshots) holds for every snapshot that is made without an end of its own.
 * `rules/volumes/snapshots.ts`.
 */
export const retentionHoldsForAllSnapshots = true;

/**
 * CPU and memory are charged for each mount point (platform/volumeset.classes): what it reserves, `minCpu` and `minMemory`.
 * `rules/volumes/bill.ts`.
 */
export const mountPointsAreChargedByTheirMinimum = true;
