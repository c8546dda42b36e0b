import type { Action } from '../plan/model/change.ts';
import type { Risk } from '../schema/facts/risk.ts';
import type { DriftState } from './drift.ts';
import type { ResourceState } from './status.ts';

/** A colour by its meaning: from the palette of a terminal, or the style sheet of a page. */
export type Tone = 'add' | 'change' | 'replace' | 'remove' | 'refuse' | 'faint';

/** The sign means the same as the colour, for readers who do not see colours. */
interface Look {
  readonly sign: string;
  readonly tone: Tone;
}

interface ActionWords extends Look {
  /** For one change: `create`. */
  readonly verb: string;
  /** For several: `3 to create`, `3 created`. */
  readonly todo: string;
  readonly done: string;
  /** In a sentence about the resource. */
  readonly will: string;
}

/** The words for each action, in the order of summaries. An action without words does not compile. */
export const actionWords: Readonly<Record<Action, ActionWords>> = {
  create: { sign: '+', tone: 'add', verb: 'create', todo: 'to create', done: 'created', will: 'will be created' },
  adopt: { sign: '»', tone: 'change', verb: 'adopt', todo: 'to adopt', done: 'adopted', will: 'will be adopted' },
  patch: { sign: '~', tone: 'change', verb: 'change', todo: 'to change', done: 'changed', will: 'will be changed' },
  replace: {
    ...{ sign: '±', tone: 'replace', verb: 'replace', todo: 'to replace', done: 'replaced' },
    will: 'will be deleted and created again',
  },
  delete: { sign: '-', tone: 'remove', verb: 'delete', todo: 'to delete', done: 'deleted', will: 'will be deleted' },
  forget: {
    ...{ sign: '«', tone: 'remove', verb: 'forget', todo: 'to forget', done: 'forgotten' },
    will: 'will be forgotten: it stays, without an owner',
  },
  refuse: { sign: '!', tone: 'refuse', verb: 'refused', todo: 'refused', done: 'refused', will: 'is refused' },
  keep: { sign: '=', tone: 'faint', verb: 'unchanged', todo: 'unchanged', done: 'unchanged', will: 'stays as it is' },
};

export const actionOrder = ['create', 'adopt', 'patch', 'replace', 'delete', 'forget', 'refuse', 'keep'] as const;

/** `3 to create, 1 to change, 9 unchanged`; omits counts of zero. */
export function countActions(actions: Iterable<Action>, tense: 'todo' | 'done'): string {
  const counts = new Map<Action, number>();
  for (const action of actions) counts.set(action, (counts.get(action) ?? 0) + 1);
  return actionOrder
    .flatMap((action) => (counts.has(action) ? [`${counts.get(action)} ${actionWords[action][tense]}`] : []))
    .join(', ');
}

interface RiskWords {
  readonly tone: Tone;
  /** 0: no risk; 1: worth a look; 2: worth a discussion; 3: the worst. */
  readonly level: 0 | 1 | 2 | 3;
  readonly means: string;
}

/** The words for each risk, from harmless to worst. */
export const riskWords: Readonly<Record<Risk, RiskWords>> = {
  none: { tone: 'faint', level: 0, means: 'nothing that is in use is touched' },
  metadata: { tone: 'faint', level: 0, means: 'only words that nothing acts on' },
  'cost-up': { tone: 'change', level: 1, means: 'it may cost more' },
  'rolling-restart': { tone: 'change', level: 1, means: 'replicas restart one after the other' },
  reschedule: { tone: 'change', level: 1, means: 'replicas may move to other machines' },
  'capacity-down': { tone: 'remove', level: 2, means: 'there is less capacity' },
  'endpoint-change': { tone: 'replace', level: 2, means: 'an address changes' },
  exposure: { tone: 'remove', level: 2, means: 'something becomes reachable for more' },
  downtime: { tone: 'remove', level: 3, means: 'something is interrupted' },
  'data-loss': { tone: 'refuse', level: 3, means: 'data is lost for good' },
};

/** The words for the outcome of a command. */
export const outcomeWords = {
  'no-changes': { sign: '✓', tone: 'add', words: 'No changes.' },
  changes: { sign: '→', tone: 'faint', words: 'Changes are planned.' },
  refused: { sign: '✗', tone: 'refuse', words: 'Refused: nothing was written, and nothing will be.' },
  done: { sign: '✓', tone: 'add', words: 'Done: everything that was planned is written.' },
  partly: {
    ...{ sign: '!', tone: 'refuse' },
    words: 'Partly done: something was written, and something else was not.',
  },
  'not-ready': {
    ...{ sign: '!', tone: 'change' },
    words: 'Everything is written, but not everything became ready in time.',
  },
  failed: { sign: '✗', tone: 'refuse', words: 'Failed.' },
  stale: {
    ...{ sign: '!', tone: 'change' },
    words: 'Stale: what is live has changed since the plan was made; nothing was written.',
  },
  interrupted: { sign: '!', tone: 'change', words: 'Interrupted.' },
  drift: { sign: '!', tone: 'change', words: 'Drift: something changed outside of the code.' },
  'no-drift': { sign: '✓', tone: 'add', words: 'No drift.' },
  valid: { sign: '✓', tone: 'add', words: 'Valid.' },
  invalid: { sign: '✗', tone: 'refuse', words: 'Not valid.' },
  explained: { sign: '?', tone: 'faint', words: 'Explained.' },
} as const satisfies Readonly<Record<string, Look & { readonly words: string }>>;

/** How one change of a run ended. */
export const endWords = {
  done: { sign: '✓', tone: 'add' },
  ready: { sign: '✓', tone: 'add' },
  failed: { sign: '✗', tone: 'refuse' },
  skipped: { sign: '○', tone: 'faint' },
} as const satisfies Readonly<Record<string, Look>>;

interface DriftWords extends Look {
  readonly words: string;
  /** The consequence for the next apply, appended to the words. */
  readonly thus?: string;
  /** `3 written by others`. */
  readonly counted: string;
}

/** A state without words does not compile. */
export const driftWords: Readonly<Record<DriftState, DriftWords>> = {
  untouched: {
    ...{ sign: ' ', tone: 'faint', counted: 'unchanged' },
    words: 'unchanged since this stack last wrote it',
  },
  touched: { sign: '~', tone: 'change', counted: 'changed by others', words: 'written by others' },
  risen: {
    ...{ sign: ' ', tone: 'faint', counted: 'as declared at a newer version' },
    words: 'as declared, at a newer version than this stack wrote',
  },
  'left-alone': {
    ...{ sign: ' ', tone: 'faint', counted: 'left alone' },
    words: 'written by others, where apply changes nothing',
  },
  recreated: {
    ...{ sign: '±', tone: 'replace', counted: 'created again by others' },
    words: 'deleted and created again by others',
    thus: ', under its name and with its tags',
  },
  unrecorded: {
    ...{ sign: '?', tone: 'change', counted: 'without a record' },
    words: 'has the tag gantry/stack but not gantry/applied',
    thus: ': not deleted while that tag is missing',
  },
  copy: {
    ...{ sign: '?', tone: 'change', counted: 'cloned' },
    words: 'a copy of another resource, with its tags',
    thus: ': not owned, never deleted',
  },
  'owner-lost': {
    ...{ sign: '!', tone: 'refuse', counted: 'owner-lost' },
    words: 'the tag gantry/stack was removed',
  },
  'other-owner': { sign: '!', tone: 'refuse', counted: 'of other owners', words: 'now owned by another stack' },
  unfinished: {
    ...{ sign: '±', tone: 'refuse', counted: 'deleted by an unfinished replacement' },
    words: 'deleted by an unfinished replacement of this stack',
    thus: '; the next apply creates it again',
  },
  deleted: {
    ...{ sign: '-', tone: 'remove', counted: 'deleted' },
    words: 'deleted by others',
    thus: '; the next apply creates it again',
  },
  hidden: {
    ...{ sign: '?', tone: 'refuse', counted: 'hidden from this token' },
    words: 'this token cannot view it, so its state is not known',
  },
};

/** How each state of a resource is shown by `gantry status`. */
export const stateWords: Readonly<Record<ResourceState, Look & { readonly counted: string }>> = {
  ready: { sign: '✓', tone: 'add', counted: 'ready' },
  'not-ready': { sign: '…', tone: 'change', counted: 'not ready' },
  failed: { sign: '✗', tone: 'refuse', counted: 'failed' },
};
