import type { Action, Change } from '../model/change.ts';

/** How many resources each action concerns. */
export type ActionCounts = Readonly<Record<Action, number>>;

export function actionCounts(changes: readonly Pick<Change, 'action'>[]): ActionCounts {
  const counts = { create: 0, patch: 0, replace: 0, delete: 0, keep: 0, adopt: 0, forget: 0, refuse: 0 };
  for (const { action } of changes) counts[action] += 1;
  return counts;
}
