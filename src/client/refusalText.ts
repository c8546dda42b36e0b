import type { JsonValue } from '../schema/json.ts';

/** Refusals become messages: what the other side repeats of a token or a secret must not get into them. */
export function parseRefusal(text: string, hidden: readonly string[]): JsonValue | undefined {
  let shown = text;
  for (const secret of hidden) shown = shown.replaceAll(JSON.stringify(secret).slice(1, -1), '***');
  try {
    return JSON.parse(shown);
  } catch {
    return undefined;
  }
}
