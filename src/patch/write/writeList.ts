import type { JsonArray } from '../../base/json/json.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import { onlyAppended } from './appendItems.ts';
import type { Candidate } from './cost.ts';
import { keepItems } from './keepItems.ts';
import { nameItems } from './nameItems.ts';
import type { ItemWriter } from './writeOptions.ts';

/** Directives that cannot be used on a list, and why. */
export interface Impossible {
  readonly directives: readonly string[];
  readonly because: string;
}

export interface ListWays {
  readonly ways: readonly Candidate[];
  readonly impossible: readonly Impossible[];
}

/** The ways to lead one list to the other by directives; where there is none, only the whole list will do. */
export function listWays(
  shape: Shape,
  field: string,
  live: JsonArray,
  target: JsonArray,
  writer: ItemWriter,
): ListWays {
  const cannot = (words: readonly string[], because: string): Impossible => ({
    directives: words.map((word) => `${word}/${field}`),
    because,
  });
  if (writer.directives === 'replace' || writer.directives === 'plain') {
    const unknown = 'the platform does not honour directives for the items of lists';
    return { ways: [], impossible: [cannot(['$patch', '$drop', '$retain', '$append'], unknown)] };
  }
  const named = nameItems(shape, live, target, writer);
  if (typeof named === 'string') {
    const unnamed = cannot(['$patch', '$drop', '$retain'], named);
    const append = onlyAppended(shape, field, live, target, writer);
    if (append !== undefined) return { ways: [append], impossible: [unnamed] };
    const notAdded = cannot(['$append'], 'what is live is not the beginning of what is wanted');
    return { ways: [], impossible: [unnamed, notAdded] };
  }
  const ways = keepItems(shape, field, named, writer);
  const moved = 'no live item can keep its place, or one that stays cannot be changed by itself';
  return { ways, impossible: ways.length > 0 ? [] : [cannot(['$patch', '$drop', '$retain', '$append'], moved)] };
}
