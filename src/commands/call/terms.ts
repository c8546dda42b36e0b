import type { JsonObject } from '../../base/json/json.ts';
import { UsageError } from '../../terminal/line/usageError.ts';
import type { Given } from './given.ts';
import { queryValue } from './tags.ts';

type Selector = 'property' | 'tag' | 'rel';

/** Longer operators first, so that `a<=5` is not read as `a<` and `=`. */
const operators = ['>=', '<=', '!=', '=~', '=', '>', '<', '~'] as const;

/**
 * `k=v` and the like; `k` means that it is there, `k!` that it is not, `~text` searches everything. The leftmost
 * operator counts (platform/clients.grammar). Errors: `cli.usage`.
 */
export function termOf(selector: Selector, text: string): JsonObject {
  const found = operators
    .map((op) => ({ op, at: text.indexOf(op) }))
    .filter(({ at }) => at >= 0)
    .reduce<{ op: string; at: number } | undefined>(
      (best, each) => (best && best.at <= each.at ? best : each),
      undefined,
    );
  if (found === undefined) {
    const isAbsent = text.endsWith('!');
    return { op: isAbsent ? '!exists' : 'exists', [selector]: keyOf(isAbsent ? text.slice(0, -1) : text) };
  }
  const key = text.slice(0, found.at);
  const value = queryValue(text.slice(found.at + found.op.length));
  const isAnywhere = key === '' && found.op === '~' && selector === 'property';
  return { op: found.op, [selector]: isAnywhere ? '*' : keyOf(key), value };

  function keyOf(name: string): string {
    if (name.trim() !== '') return name;
    throw new UsageError(
      `--${selector} ${JSON.stringify(text)} names no ${selector}`,
      `Write --${selector} NAME=VALUE, or NAME alone for those that have it.`,
    );
  }
}

/** The terms of `--property`, `--tag` and `--rel`; with `prefix` those of `--query-property` and so on. */
export function termsOf(given: Given, prefix = ''): readonly JsonObject[] {
  const selectors = ['property', 'tag', 'rel'] as const;
  return selectors.flatMap((selector) => {
    const name = prefix === '' ? selector : `${prefix}${selector[0]?.toUpperCase()}${selector.slice(1)}`;
    return given.list(name).map((text) => termOf(selector, text));
  });
}
