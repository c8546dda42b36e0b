import { type JsonObject, numberAt } from '../../base/json/json.ts';

/** The bounds of a value, as sentences: `1 to 65535.`, `At most 20 items.`; empty where there are none. */
export function boundsOf(node: JsonObject): string {
  const [least, most] = [numberAt(node, 'minimum'), numberAt(node, 'maximum')];
  const [fewest, items] = [numberAt(node, 'minItems'), numberAt(node, 'maxItems')];
  const [shortest, longest] = [numberAt(node, 'minLength'), numberAt(node, 'maxLength')];
  return [
    range(least, most, ''),
    range(fewest, items, ' items'),
    // A quantity has few characters anyway; saying how many helps nobody.
    Array.isArray(node['type']) ? '' : range(shortest === 1 ? undefined : shortest, longest, ' characters'),
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}.`;
  if (least !== undefined) return `At least ${least}${least === 1 ? unit.replace(/s$/, '') : unit}.`;
  return most === undefined ? '' : `At most ${most}${unit}.`;
}
