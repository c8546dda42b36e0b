import type { AttributePath, Diagnostic } from '../../hcl/diagnostic.ts';
import { attributeOf, isListValue, isObjectValue, type ObjectValue, unknown, type Value } from '../../hcl/value.ts';
import { pathText } from '../../hcl/values/manifestOf.ts';

interface Outcome {
  readonly planned: ObjectValue;
  readonly config: ObjectValue;
  /** The state as the platform answers. */
  readonly found: ObjectValue;
}

/**
 * Terraform blames the provider when a value differs from the plan, but it is the platform that stored a different one.
 * Known values only: what was unknown may be anything. Where the configuration says nothing it is the platform's default,
 * which may be another one than is documented: the state has what was planned until it is read again.
 */
export function asPlanned(
  id: string,
  { planned, config, found }: Outcome,
): { readonly state: ObjectValue; readonly told: readonly Diagnostic[] } {
  const paths = differences(planned, found, []);
  const own = paths.filter((path) => valueAt(config, path) === null);
  const told = paths.map((path): Diagnostic => {
    const [value, now] = [shortText(valueAt(planned, path)), shortText(valueAt(found, path))];
    return own.includes(path)
      ? {
          severity: 'warning',
          summary: 'The platform has another default than planned',
          detail:
            `${id}: it filled in ${now} for ${pathText(path)}, which the configuration leaves out; ${value} was planned. ` +
            'The state shows it from the next plan on, and nothing has to be changed.',
          path,
        }
      : {
          severity: 'error',
          summary: `${id}: the platform stored a different ${pathText(path)} than planned`,
          detail: 'The resource was written. Plan again to see the difference, and adjust the configuration to match.',
          path,
        };
  });
  return { state: own.reduce((state, path) => withValue(state, path, valueAt(planned, path)), found), told };
}

/** Null in what is left out as a whole. */
function valueAt(value: Value, [step, ...rest]: AttributePath): Value {
  if (step === undefined) return value;
  if (isListValue(value)) return valueAt(value[Number(step)] ?? null, rest);
  return isObjectValue(value) ? valueAt(attributeOf(value, String(step)), rest) : null;
}

function withValue(object: ObjectValue, [step, ...rest]: AttributePath, value: Value): ObjectValue {
  const members = Object.entries(object);
  return Object.fromEntries(members.map(([name, old]) => [name, name === step ? replaced(old, rest, value) : old]));
}

function replaced(before: Value, path: AttributePath, value: Value): Value {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (isListValue(before)) return before.map((item, index) => (index === step ? replaced(item, rest, value) : item));
  return isObjectValue(before) ? withValue(before, path, value) : before;
}

function shortText(value: Value): string {
  return value === null ? 'nothing' : JSON.stringify(value);
}

function differences(planned: Value, state: Value, path: AttributePath): readonly AttributePath[] {
  if (planned === unknown) return [];
  if (isListValue(planned) && isListValue(state) && planned.length === state.length) {
    return planned.flatMap((item, index) => differences(item, state[index] ?? null, [...path, index]));
  }
  if (isObjectValue(planned) && isObjectValue(state)) {
    const names = [...new Set([...Object.keys(planned), ...Object.keys(state)])];
    return names.flatMap((name) => differences(attributeOf(planned, name), attributeOf(state, name), [...path, name]));
  }
  return planned === state ? [] : [path];
}
