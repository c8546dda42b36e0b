import { isArray, isObject, type JsonValue, own } from '../../base/json/json.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { SpellingError } from '../../dialect/translate.ts';
import type { Diagnostic } from '../../hcl/diagnostic.ts';
import type { ObjectValue } from '../../hcl/value.ts';
import { manifestOf } from '../../hcl/values/manifestOf.ts';
import type { WrittenKind } from '../../schema/record/kinds.ts';

/**
 * The platform's own words in a configuration. Terraform keeps each value as it is written, and the platform answers in
 * words that the provider makes neutral: such a value would differ after every apply, so it is refused before.
 */
export function platformWords(kind: WrittenKind, config: ObjectValue, dialect: Dialect): readonly Diagnostic[] {
  const { resource } = manifestOf(kind, config);
  try {
    const { value } = dialect.neutral(resource);
    const found = value === resource ? undefined : firstDifference(resource, value);
    return found === undefined ? [] : [refusal(found)];
  } catch (error) {
    if (!(error instanceof SpellingError)) throw error;
    return [{ severity: 'error', summary: error.message, detail: error.hint ?? '' }];
  }
}

interface Words {
  readonly written: string;
  readonly neutral: string;
}

function refusal({ written, neutral }: Words): Diagnostic {
  return {
    severity: 'error',
    summary: `${JSON.stringify(written)} is in the platform's own words`,
    detail: `Write ${JSON.stringify(neutral)}: the provider translates it by the dialect.`,
  };
}

/** The first name or text that differs. Both have the same form, with members in the same order. */
function firstDifference(written: JsonValue, neutral: JsonValue): Words | undefined {
  if (typeof written === 'string' && typeof neutral === 'string') {
    return written === neutral ? undefined : { written, neutral };
  }
  if (isArray(written) && isArray(neutral)) {
    for (const [index, item] of written.entries()) {
      const found = firstDifference(item, neutral[index] ?? null);
      if (found !== undefined) return found;
    }
  }
  if (!isObject(written) || !isObject(neutral)) return undefined;
  const others = Object.keys(neutral);
  for (const [index, key] of Object.keys(written).entries()) {
    const other = others[index] ?? key;
    if (other !== key) return { written: key, neutral: other };
    const found = firstDifference(own(written, key) ?? null, own(neutral, key) ?? null);
    if (found !== undefined) return found;
  }
  return undefined;
}
