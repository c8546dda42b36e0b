import type { StorageAmount, StorageUse } from '../../plan/model/storageUse.ts';
import { printable } from '../terminal/printable.ts';

/**
 * `Storage: 10 GB reserved, 20 GB after, 100 GB if everything grows (1.00, 2.00, 10.00 EUR a month).` Undefined where
 * the plan concerns no volume set.
 */
export function renderStorage({ before, after, ceiling, currency, atLeast, sets }: StorageUse): string | undefined {
  if (!sets.some(({ concerned }) => concerned)) return undefined;
  const least = atLeast === true ? 'at least ' : '';
  const grown = `${least}${rounded(ceiling)} GB if everything grows`;
  const gb = `${rounded(before)} GB reserved, ${least}${rounded(after)} GB after, ${grown}`;
  const costs = [before, after, ceiling].map(({ cost }) => cost?.toFixed(2));
  const known = currency !== undefined && costs.every((cost) => cost !== undefined);
  return `Storage: ${gb}${known ? ` (${costs.join(', ')} ${printable(currency)} a month)` : ''}.`;
}

function rounded({ gb }: StorageAmount): number {
  return Math.round(gb * 100) / 100;
}
