import { actionWords } from '../../plan/model/actionWords.ts';
import type { Action } from '../../plan/model/change.ts';
import type { Palette } from '../../terminal/palette.ts';

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
  create: { symbol: '+', ...actionWords.create, paint: 'add' },
  adopt: { symbol: '»', ...actionWords.adopt, paint: 'change' },
  patch: { symbol: '~', ...actionWords.patch, paint: 'change' },
  replace: { symbol: '±', ...actionWords.replace, paint: 'replace' },
  delete: { symbol: '-', ...actionWords.delete, paint: 'remove' },
  forget: { symbol: '«', ...actionWords.forget, paint: 'remove' },
  refuse: { symbol: '!', ...actionWords.refuse, paint: 'refuse' },
  keep: { symbol: ' ', ...actionWords.keep, paint: 'faint' },
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
