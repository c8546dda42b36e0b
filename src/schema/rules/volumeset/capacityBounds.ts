/** GB. The class shared is bounded like general-purpose-ssd (resources V1). */
const leastCapacity: ReadonlyMap<string, number> = new Map([
  ['general-purpose-ssd', 10],
  ['high-throughput-ssd', 200],
  ['shared', 10],
]);

/** GB; of every class (specification 2.6, 8). */
export const mostCapacity = 65_536;

/** What a volume of a performance class may hold, in GB (specification 2.6, 8). */
export function capacityBounds(performanceClass: string | undefined): {
  readonly least: number;
  readonly most: number;
} {
  return { least: leastCapacity.get(performanceClass ?? '') ?? 10, most: mostCapacity };
}
