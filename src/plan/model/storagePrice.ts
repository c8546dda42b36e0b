/** What storage costs, as `gantry.yaml` says it. */
export interface StoragePrice {
  /** For one GB in one month: of every class, or by performance class. */
  readonly storageGbMonth: number | Readonly<Record<string, number>>;
  readonly currency: string;
}

/** Undefined: no price is given for the class. */
export function priceOf({ storageGbMonth }: StoragePrice, performanceClass: string): number | undefined {
  if (typeof storageGbMonth === 'number') return storageGbMonth;
  return Object.hasOwn(storageGbMonth, performanceClass) ? storageGbMonth[performanceClass] : undefined;
}
