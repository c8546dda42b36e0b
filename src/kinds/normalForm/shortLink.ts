import { expandLink, type RecordContext } from '../../schema/record/ref.ts';
import type { ScalarShape } from '../../schema/shape/shape.ts';
import { equalValues } from './equal.ts';

/**
 * The shortest text that means the same link: `//identity/x` in its own GVC, `//secret/x` in its own org
 * (platform/concepts.links).
 */
export function shortLink(shape: ScalarShape, text: string, context: RecordContext): string {
  const { org, gvc } = context;
  const full = expandLink(text, context);
  if (!full.startsWith('/org/')) return text; // most texts are no links
  const own = gvc === undefined ? undefined : after(full, `/org/${org}/gvc/${gvc}/`);
  const candidates = [own, after(full, `/org/${org}/`)].flatMap((rest) => (rest === undefined ? [] : [`//${rest}`]));
  return candidates.find((candidate) => equalValues(shape, candidate, text, context)) ?? text;
}

function after(text: string, prefix: string): string | undefined {
  return text.startsWith(prefix) ? text.slice(prefix.length) : undefined;
}
