import type { Tone } from '../../src/change/words.ts';
import { type StackStateName, type StackSummary, stackStates } from '../../src/reconcile/model.ts';

/** Colours of states, in the order of their urgency. */
export const stateTones: Readonly<Record<StackStateName, Tone>> = {
  failing: 'remove',
  waiting: 'change',
  drifted: 'replace',
  running: 'faint',
  new: 'faint',
  paused: 'faint',
  'in line': 'add',
};

const byNeed = Object.keys(stateTones);

export const statesByNeed = [...stackStates].toSorted((a, b) => byNeed.indexOf(a) - byNeed.indexOf(b));

/** Stacks that need attention first, then by name. */
export function inOrder(stacks: readonly StackSummary[]): readonly StackSummary[] {
  return stacks.toSorted(
    (a, b) => byNeed.indexOf(a.state.state) - byNeed.indexOf(b.state.state) || (a.entry.name < b.entry.name ? -1 : 1),
  );
}

export interface Filter {
  readonly text: string;
  /** Empty for all. */
  readonly states: ReadonlySet<StackStateName>;
}

/** Every word must be in the text of a row. */
export function passes({ entry, state }: StackSummary, { text, states }: Filter): boolean {
  if (states.size > 0 && !states.has(state.state)) return false;
  const said = [entry.name, entry.mode, entry.env, entry.org, state.state, state.because, state.worstRisk, state.commit]
    .join(' ')
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}

export function timeOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
