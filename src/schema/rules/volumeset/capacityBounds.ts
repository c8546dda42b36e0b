/** GB. The class shared is bounded like general-purpose-ssd (rule V1). */
const leastCapacity: ReadonlyMap<string, number> = new Map([
  ['general-purpose-ssd', 10],
  ['high-throughput-ssd', 200],
  ['shared', 10],
]);

/** GB; of every class (platform/volumeset.classes, platform/concepts.limits). */
export const mostCapacity = 65_536;

/** The capacity bounds of a performance class, in GB (platform/volumeset.classes, platform/concepts.limits). */
export function capacityBounds(performanceClass: string | undefined): {
  readonly least: number;
  readonly most: number;
} {
  return { least: leastCapacity.get(performanceClass ?? '') ?? 10, most: mostCapacity };
}
