import type { CommitNews, RunRecord, StackEvent, StackState } from '../model.ts';

/** An event of a stack to notify others of. */
export interface News {
  readonly event: StackEvent;
  readonly because?: string | undefined;
  /** The name of the plan, if it is about one. */
  readonly plan?: string | undefined;
  readonly error?: RunRecord['error'] | undefined;
}

/** The outcome of a run, reduced to the facts for notifications. */
export interface RunNews extends Omit<News, 'event'> {
  readonly isApplied: boolean;
  /** A digest of the changes by others; empty if there are none, undefined if nothing was planned. */
  readonly drift?: string | undefined;
}

/**
 * The news of a run. A lasting state is reported once. `toldDrift`: the drift reported last; failures are counted in a
 * row.
 */
export function newsOf(
  { failures: before }: Pick<StackState, 'failures'>,
  { failures: after }: Pick<StackState, 'failures'>,
  { isApplied, because, plan, error, drift }: RunNews,
  toldDrift: string,
): readonly News[] {
  const news: News[] = [];
  if (drift !== undefined && drift !== '' && drift !== toldDrift) news.push({ event: 'drift' });
  if (after > 0 && before === 0)
    news.push({ event: 'failed', plan, ...(error === undefined ? { because } : { error }) });
  if (after === 0 && before > 0) news.push({ event: 'recovered' });
  if (isApplied) news.push({ event: 'applied', plan });
  return news;
}

/** The status for the commit of a run. */
export function commitNewsOf(commit: string, { state, because }: Pick<StackState, 'state' | 'because'>): CommitNews {
  switch (state) {
    case 'in line':
      return { commit, state: 'success', description: 'the platform is as the code says' };
    case 'failing':
      return { commit, state: 'failure', description: because ?? 'it fails' };
    default:
      return { commit, state: 'pending', description: because ?? state };
  }
}
