import type { JsonValue } from '../schema/json.ts';
import { withoutSecrets } from './repeatedSecrets.ts';

/** Refusals become messages: what the other side repeats of a token or a secret must not get into them. */
export function parseRefusal(text: string, hidden: readonly string[]): JsonValue | undefined {
  try {
    return withoutSecrets(JSON.parse(text), hidden);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
