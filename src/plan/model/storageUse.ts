import type { ResourceId } from '../../schema/record/ref.ts';

/** What storage is reserved in total, and what it costs a month where a price is known. */
export interface StorageAmount {
  readonly gb: number;
  /** In the currency of the price, rounded to hundredths; absent where not every class has a price. */
  readonly cost?: number;
}

/** Storage that the volume sets of a plan reserve (platform/volumeset.classes: the bill is the sum of all volumes). */
export interface StorageUse {
  readonly before: StorageAmount;
  readonly after: StorageAmount;
  /** If every volume grows as far as it may, and there are as many replicas as may be. */
  readonly ceiling: StorageAmount;
  readonly currency?: string;
  /** Some GVC chooses locations by a query, so that there may be more of them. */
  readonly atLeast?: true;
  readonly sets: readonly SetUse[];
}

/** The GB of one volume set. */
export interface SetUse {
  readonly id: ResourceId;
  readonly before: number;
  readonly after: number;
  readonly ceiling: number;
  /** It is changed, or what mounts it, or its GVC. */
  readonly concerned: boolean;
}
