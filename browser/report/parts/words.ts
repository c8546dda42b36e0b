import type { Action } from '../../../src/plan/model/change.ts';
import type { Risk } from '../../../src/schema/facts/risk.ts';

interface ActionWords {
  readonly symbol: string;
  /** Of one change: `create`. */
  readonly verb: string;
  /** Of several: `3 to create`. */
  readonly todo: string;
}

/** How each action is told; a symbol too, as not everybody sees colours. */
export const actionWords: Readonly<Record<Action, ActionWords>> = {
  refuse: { symbol: '!', verb: 'refused', todo: 'refused' },
  delete: { symbol: '−', verb: 'delete', todo: 'to delete' },
  replace: { symbol: '±', verb: 'replace', todo: 'to replace' },
  patch: { symbol: '~', verb: 'change', todo: 'to change' },
  create: { symbol: '+', verb: 'create', todo: 'to create' },
  adopt: { symbol: '»', verb: 'adopt', todo: 'to adopt' },
  forget: { symbol: '«', verb: 'forget', todo: 'to forget' },
  keep: { symbol: '=', verb: 'unchanged', todo: 'unchanged' },
};

/** In the order in which people want to know of them. */
export const actionOrder = ['refuse', 'delete', 'replace', 'patch', 'create', 'adopt', 'forget', 'keep'] as const;

/** From harmless to worst, with what each means. */
export const riskWords: Readonly<Record<Risk, string>> = {
  none: 'nothing that is in use is touched',
  metadata: 'only words that nothing acts on',
  'cost-up': 'it may cost more',
  'rolling-restart': 'replicas restart one after the other',
  reschedule: 'replicas may move to other machines',
  'capacity-down': 'there is less capacity',
  'endpoint-change': 'an address changes',
  exposure: 'something becomes reachable for more',
  downtime: 'something is interrupted',
  'data-loss': 'data is lost for good',
};

export const riskOrder = Object.keys(riskWords);

/** 0: no risk; 1: worth a look; 2: worth a talk; 3: the worst. */
export function riskLevel(risk: string | undefined): 0 | 1 | 2 | 3 {
  const rank = risk === undefined ? 0 : riskOrder.indexOf(risk);
  if (rank <= 1) return 0;
  if (rank <= 4) return 1;
  return rank <= 7 ? 2 : 3;
}
