/** Storage prices, from `gantry.yaml`. */
export interface StoragePrice {
  /** For one GB in one month: of every class, or by performance class. */
  readonly storageGbMonth: number | Readonly<Record<string, number>>;
  readonly currency: string;
}

/** Undefined: the class has no price. */
export function priceOf({ storageGbMonth }: StoragePrice, performanceClass: string): number | undefined {
  if (typeof storageGbMonth === 'number') return storageGbMonth;
  return Object.hasOwn(storageGbMonth, performanceClass) ? storageGbMonth[performanceClass] : undefined;
}
