import type { Action } from './change.ts';

interface ActionWords {
  /** `3 to create`. */
  readonly todo: string;
  /** `3 created`. */
  readonly done: string;
}

/** What each action is called. An action without an entry does not compile. */
export const actionWords = {
  create: { todo: 'to create', done: 'created' },
  adopt: { todo: 'to adopt', done: 'adopted' },
  patch: { todo: 'to change', done: 'changed' },
  replace: { todo: 'to replace', done: 'replaced' },
  delete: { todo: 'to delete', done: 'deleted' },
  forget: { todo: 'to forget', done: 'forgotten' },
  refuse: { todo: 'refused', done: 'refused' },
  keep: { todo: 'unchanged', done: 'unchanged' },
} as const satisfies Readonly<Record<Action, ActionWords>>;
