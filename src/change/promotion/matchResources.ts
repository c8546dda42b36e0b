import { addTo } from '../../base/multimap.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { formatRef } from '../../schema/record/ref.ts';

/** The declarations of one environment. */
export interface EnvironmentSide {
  readonly desired: readonly DesiredResource[];
  readonly org: string;
  /** Of its settings: two environments may call the same GVC differently. */
  readonly gvc: string | undefined;
}

/** The same resource in both. */
export interface Pair {
  readonly from: DesiredResource;
  readonly to: DesiredResource;
  /** It is the GVC that the settings of each environment name. */
  readonly isNamedBySettings: boolean;
}

export interface Matched {
  readonly pairs: readonly Pair[];
  readonly onlyFrom: readonly DesiredResource[];
  readonly onlyTo: readonly DesiredResource[];
}

/**
 * By their ids, in which the GVC of the settings counts as one; what is left by the place that declares it, in its
 * order there: what is written once is one resource, whatever it is called.
 */
export function matchResources(from: EnvironmentSide, to: EnvironmentSide): Matched {
  const byId = matchBy(from.desired, to.desired, {
    keyFrom: (resource) => keyOf(resource, from.gvc),
    keyTo: (resource) => keyOf(resource, to.gvc),
  });
  const byPlace = matchBy(byId.onlyFrom, byId.onlyTo, { keyFrom: placeOf, keyTo: placeOf });
  const pairs = [...byId.pairs, ...byPlace.pairs].map((pair) => ({
    ...pair,
    isNamedBySettings: isContainer(pair.to.ref.kind) && pair.to.ref.name === to.gvc && pair.from.ref.name === from.gvc,
  }));
  return { pairs, onlyFrom: byPlace.onlyFrom, onlyTo: byPlace.onlyTo };
}

function keyOf({ ref }: DesiredResource, gvc: string | undefined): string {
  if (gvc === undefined) return formatRef(ref);
  if (ref.gvc === gvc) return formatRef({ ...ref, gvc: '*' });
  return isContainer(ref.kind) && ref.name === gvc ? formatRef({ ...ref, name: '*' }) : formatRef(ref);
}

function placeOf({ ref, locate }: DesiredResource): string {
  const { file, line, column } = locate([]);
  return `${ref.kind} ${line}:${column} ${file}`;
}

interface Keys {
  readonly keyFrom: (resource: DesiredResource) => string;
  readonly keyTo: (resource: DesiredResource) => string;
}

/** Of several with the same key, the first is matched with the first. */
function matchBy(
  from: readonly DesiredResource[],
  to: readonly DesiredResource[],
  { keyFrom, keyTo }: Keys,
): Omit<Matched, 'pairs'> & { readonly pairs: readonly Omit<Pair, 'isNamedBySettings'>[] } {
  const waiting = new Map<string, DesiredResource[]>();
  for (const resource of from) addTo(waiting, keyFrom(resource), resource);
  const pairs: Omit<Pair, 'isNamedBySettings'>[] = [];
  const onlyTo: DesiredResource[] = [];
  for (const resource of to) {
    const other = waiting.get(keyTo(resource))?.shift();
    if (other === undefined) onlyTo.push(resource);
    else pairs.push({ from: other, to: resource });
  }
  return { pairs, onlyFrom: [...waiting.values()].flat(), onlyTo };
}
