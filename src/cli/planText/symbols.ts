import type { Action } from '../../plan/model/change.ts';
import type { Palette } from '../terminal/palette.ts';

interface ActionLook {
  readonly symbol: string;
  /** `3 to create`. */
  readonly todo: string;
  /** `3 created`. */
  readonly done: string;
  readonly paint: keyof Palette;
}

/** How each action is shown. An action without an entry does not compile. */
export const looks: Readonly<Record<Action, ActionLook>> = {
  create: { symbol: '+', todo: 'to create', done: 'created', paint: 'add' },
  adopt: { symbol: '»', todo: 'to adopt', done: 'adopted', paint: 'change' },
  patch: { symbol: '~', todo: 'to change', done: 'changed', paint: 'change' },
  replace: { symbol: '±', todo: 'to replace', done: 'replaced', paint: 'replace' },
  delete: { symbol: '-', todo: 'to delete', done: 'deleted', paint: 'remove' },
  forget: { symbol: '«', todo: 'to forget', done: 'forgotten', paint: 'remove' },
  refuse: { symbol: '!', todo: 'refused', done: 'refused', paint: 'refuse' },
  keep: { symbol: ' ', todo: 'unchanged', done: 'unchanged', paint: 'faint' },
};

/** The order of counts in summaries. */
export const summaryOrder = ['create', 'adopt', 'patch', 'replace', 'delete', 'forget', 'refuse', 'keep'] as const;

/** `3 to create, 1 to change, 9 unchanged`; without what there is none of. */
export function renderCounts(actions: Iterable<Action>, tense: 'todo' | 'done'): string {
  const counts = new Map<Action, number>();
  for (const action of actions) counts.set(action, (counts.get(action) ?? 0) + 1);
  const parts = summaryOrder.flatMap((action) => {
    const count = counts.get(action);
    return count === undefined ? [] : [`${count} ${looks[action][tense]}`];
  });
  return parts.join(', ');
}
