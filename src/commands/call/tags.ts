import { type JsonObject, type JsonValue, put } from '../../base/json/json.ts';
import { UsageError } from '../../terminal/usageError.ts';

const numeral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * `k=v`: a number is one, `null` and nothing are null, everything else is text; `k:v` is always text; `k` is the empty
 * text. The first `=` or `:` counts (platform/clients.grammar). Errors: `cli.usage`.
 */
export function tagsOf(given: readonly string[]): JsonObject {
  const tags: Record<string, JsonValue> = {};
  for (const text of given) {
    const at = text.search(/[=:]/);
    if (at === 0 || text.trim() === '') {
      throw new UsageError(`--tag ${JSON.stringify(text)} has no key`, 'Write --tag KEY=VALUE, or KEY alone.');
    }
    if (at < 0) put(tags, text, '');
    else put(tags, text.slice(0, at), text[at] === ':' ? text.slice(at + 1) : tagValue(text.slice(at + 1)));
  }
  return tags;
}

function tagValue(text: string): JsonValue {
  if (text === '' || text === 'null') return null;
  return numeral.test(text) ? Number(text) : text;
}

/** `true`, `false` and numbers are converted; everything else is text. */
export function queryValue(text: string): JsonValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return numeral.test(text) ? Number(text) : text;
}
