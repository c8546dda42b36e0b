import type { PageChange } from '../../../src/report/pageData.ts';
import { risks } from '../../../src/schema/facts/risk.ts';

export interface Filter {
  readonly text: string;
  /** Empty: all but what is unchanged. */
  readonly actions: ReadonlySet<string>;
  /** Empty: all. */
  readonly kind: string;
  readonly gvc: string;
  /** At least this one; empty: all. */
  readonly risk: string;
}

export const noFilter: Filter = { text: '', actions: new Set(), kind: '', gvc: '', risk: '' };

export const orders = ['risk', 'apply', 'name'] as const;
export type Order = (typeof orders)[number];

/** `onlyKept`: there is nothing but unchanged resources, so they are shown. */
export function passes(change: PageChange, filter: Filter, onlyKept: boolean): boolean {
  const { actions, kind, gvc, risk, text } = filter;
  const hidden = change.action === 'keep' && !change.hasNotes && !onlyKept;
  if (actions.size === 0 ? hidden : !actions.has(change.action)) return false;
  if (kind !== '' && change.kind !== kind) return false;
  if (gvc !== '' && change.gvc !== gvc) return false;
  if (risk !== '' && rankOf(change) < risks.findIndex((each) => each === risk)) return false;
  return text === '' || words(text).every((word) => textOf(change).includes(word));
}

export function isOpen({ text, actions, kind, gvc, risk }: Filter): boolean {
  return text === '' && actions.size === 0 && kind === '' && gvc === '' && risk === '';
}

export function ordered(changes: readonly PageChange[], order: Order): readonly PageChange[] {
  switch (order) {
    case 'apply':
      return changes;
    case 'name':
      return changes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    case 'risk':
      return changes.toSorted((a, b) => weightOf(b) - weightOf(a));
  }
}

/** Refused changes stand before everything else. */
function weightOf(change: PageChange): number {
  if (change.action === 'refuse') return risks.length + rankOf(change) + 1;
  return change.action === 'keep' ? -1 : rankOf(change);
}

export function rankOf({ risk = 'none' }: PageChange): number {
  return risks.indexOf(risk);
}

function words(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

const texts = new WeakMap<PageChange, string>();

/** Everything that is said of it. Made with the first search only: of ten thousand it takes a moment. */
function textOf(change: PageChange): string {
  const known = texts.get(change);
  if (known !== undefined) return known;
  const text = JSON.stringify(change).toLowerCase();
  texts.set(change, text);
  return text;
}
