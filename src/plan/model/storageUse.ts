import { amount, choice, described, flag, list, type Of, object, optional, text } from '../../base/form/form.ts';

const storageAmount = object({
  gb: amount,
  cost: optional(described('A month; absent where the price of some class is not known.', amount)),
});
/** The total reserved storage, and its monthly cost, in the currency of the price, rounded to hundredths. */
export type StorageAmount = Of<typeof storageAmount>;

const setUse = object({
  id: text,
  before: amount,
  after: amount,
  ceiling: amount,
  concerned: described('It is changed, or what mounts it, or its GVC.', flag),
});
/** The GB of one volume set. */
export type SetUse = Of<typeof setUse>;

/** Storage that the volume sets of a plan reserve (platform/volumeset.classes: the bill is the sum of all volumes). */
export const storageForm = described(
  'What the volume sets of the plan reserve; absent where that is nothing.',
  object({
    before: storageAmount,
    after: storageAmount,
    ceiling: described('If every volume grows as far as it may, and there are as many as may be.', storageAmount),
    currency: optional(described('As gantry.yaml has it.', text)),
    atLeast: optional(described('A GVC chooses locations by a query: there may be more.', choice(true))),
    sets: list(setUse),
  }),
);
export type StorageUse = Of<typeof storageForm>;

/** Storage prices, from `gantry.yaml`. */
export interface StoragePrice {
  /** For one GB a month: one price for all classes, or by performance class. */
  readonly storageGbMonth: number | Readonly<Record<string, number>>;
  readonly currency: string;
}

/** Undefined if the class has no price. */
export function priceOf({ storageGbMonth }: StoragePrice, performanceClass: string): number | undefined {
  if (typeof storageGbMonth === 'number') return storageGbMonth;
  return Object.hasOwn(storageGbMonth, performanceClass) ? storageGbMonth[performanceClass] : undefined;
}
