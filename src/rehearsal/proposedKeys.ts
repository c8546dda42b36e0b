import { isArray, isObject, type JsonObject, type JsonValue } from '../base/json/json.ts';
import type { Change } from '../plan/model/change.ts';
import type { Plan } from '../plan/model/plan.ts';
import { childShape } from '../schema/shape/paths.ts';
import type { ListShape, Shape } from '../schema/shape/shape.ts';
import { shapeOf } from '../schema/shape/shapeOf.ts';

/**
 * The list keys in the patches of a plan that are only our ruling (platform/patch.list-keys): the real platform may
 * identify these items otherwise. In words, sorted: `the list key of spec.containers.ports (workload/shop/web)`.
 */
export function proposedKeys({ changes }: Plan): readonly string[] {
  return [...new Set(changes.flatMap(keysOf))].sort();
}

function keysOf({ id, kind, patch, then }: Change): readonly string[] {
  return [patch, then].flatMap((body) => {
    if (body === undefined) return [];
    const document = body.expose();
    const found: string[] = [];
    inObject(shapeOf(kind, document), document, [], (path) => found.push(`the list key of ${path} (${id})`));
    return found;
  });
}

type Report = (path: string) => void;

/** Directives that name items: `$append` needs no key. */
const naming = /^\$(?:patch|drop|retain)\/(.+)$/;

function inObject(shape: Shape | undefined, object: JsonObject, at: readonly string[], report: Report): void {
  for (const [key, value] of Object.entries(object)) {
    const named = naming.exec(key)?.[1];
    const field = named ?? key.replace(/^\$[a-z]+\//, '');
    const member = childShape(shape, field);
    const place = [...at, field];
    if (named !== undefined && member?.type === 'list' && isProposed(member)) report(place.join('.'));
    inside(member, value, place, report);
  }
}

function inside(shape: Shape | undefined, value: JsonValue, at: readonly string[], report: Report): void {
  if (isObject(value)) inObject(shape, value, at, report);
  if (!isArray(value) || shape?.type !== 'list') return;
  for (const item of value) if (isObject(item)) inObject(shape.item, item, at, report);
}

function isProposed({ facts }: ListShape): boolean {
  return facts.list?.class === 'keyed' && facts.list.key.evidence === 'proposed';
}
