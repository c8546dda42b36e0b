/** GB; of every class (platform/volumeset.classes, platform/concepts.limits). */
export const mostCapacity = 65_536;

/** The capacity bounds of a performance class, in GB (platform/volumeset.classes, platform/concepts.limits; rule V1). */
export function capacityBounds(performanceClass: string | undefined): {
  readonly least: number;
  readonly most: number;
} {
  return { least: performanceClass === 'high-throughput-ssd' ? 200 : 10, most: mostCapacity };
}
