import { actionWords } from '../../../src/change/words.ts';
import type { Picture } from '../../../src/report/picture/picture.ts';
import type { Area } from './zoom.ts';

/** An item of a picture that can be chosen: one resource, or a box that stands for many. */
export interface Item extends Area {
  readonly id: string;
  readonly box: number;
  readonly action: keyof typeof actionWords | undefined;
  readonly role: Picture['nodes'][number]['role'];
  readonly title: string;
  readonly subtitle: string;
  /** For the ear. */
  readonly words: string;
  readonly group?: Picture['boxes'][number];
}

export function itemsOf(picture: Picture): readonly Item[] {
  return picture.grouped ? groupItems(picture) : nodeItems(picture);
}

function nodeItems({ nodes }: Picture): readonly Item[] {
  return nodes.map(({ id, kind, name, gvc, action, role, x, y, width, height, box }) => ({
    ...{ id, action, role, x, y, width, height, box },
    title: name,
    subtitle: gvc === undefined ? kind : `${kind} in ${gvc}`,
    words: `${id}: ${fate(action, role)}`,
  }));
}

function groupItems({ boxes }: Picture): readonly Item[] {
  return boxes.map((group, box) => {
    const { kind, gvc, action, role, count, x, y, width, height } = group;
    const words = `${count.toLocaleString('en')} of ${kind}`;
    return {
      ...{ id: String(box), action, role, x, y, box, width, height, group },
      title: words,
      subtitle: `${gvc === undefined ? '' : `in ${gvc}, `}${fate(action, role)}`,
      words: `${words}${gvc === undefined ? '' : ` in ${gvc}`}: ${fate(action, role)}`,
    };
  });
}

function fate(action: Item['action'], role: Item['role']): string {
  if (role === 'goes-along') return 'goes along';
  if (role === 'hit') return 'is hit';
  return action === undefined ? '' : actionWords[action].verb;
}

/** The nearest one in a direction; the first of all where none is chosen. */
export function nextItem(
  items: readonly Item[],
  chosen: Item | undefined,
  direction: { readonly x: number; readonly y: number },
): Item | undefined {
  if (chosen === undefined) return items[0];
  let [best, bestCost] = [chosen, Number.POSITIVE_INFINITY];
  for (const item of items) {
    const [x, y] = [item.x - chosen.x, item.y - chosen.y];
    const along = x * direction.x + y * direction.y;
    const across = Math.abs(x * direction.y) + Math.abs(y * direction.x);
    const cost = along + 3 * across;
    if (along > 0 && across <= 3 * along && cost < bestCost) [best, bestCost] = [item, cost];
  }
  return best;
}
