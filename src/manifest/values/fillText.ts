import { isArray, isObject, type JsonValue, own } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { suggest } from '../../base/text/suggest.ts';
import type { NamedValues } from '../model/values.ts';
import { limits } from '../text/limits.ts';
import { type FillFault, tooLong } from './fillFault.ts';

/** A text with its references replaced. */
export interface Filled {
  readonly value: JsonValue;
  /** The places, among the values of the environment, of what was put in. */
  readonly sources: readonly Pointer[];
  /** The text is one reference: the value is that of its source. */
  readonly isWhole: boolean;
  /** Not empty: the value means nothing. */
  readonly faults: readonly FillFault[];
}

/** `$${values.` is text; a reference ends at its brace. */
const references = /\$\$\{values\.|\$\{values\.([^{}\s]*)(\}?)/g;
const path = /^[\w-]+(?:\.[\w-]+)*$/;

/** Undefined: there is nothing to be done. No message repeats a text of the manifest, which may be a secret. */
export function fillText(text: string, given: NamedValues | undefined): Filled | undefined {
  if (!text.includes('${values.')) return undefined;
  const faults: FillFault[] = [];
  const sources: Pointer[] = [];
  let whole: Found | undefined;
  let putIn = 0;
  const value = text.replaceAll(references, (reference: string, name: string | undefined, end: string) => {
    if (name === undefined) return '${values.';
    const found = lookUp(name, end, given);
    if ('rule' in found) {
      faults.push(found);
      return '';
    }
    sources.push(found.at);
    if (reference.length === text.length) {
      whole = found;
      return '';
    }
    const shown = textOf(found, given);
    if (shown === undefined) faults.push(notText(name));
    putIn += shown?.length ?? 0;
    return putIn > limits.scalarLength ? '' : (shown ?? '');
  });
  if (putIn > limits.scalarLength) faults.push(tooLong());
  return { value: whole === undefined ? value : whole.value, sources, isWhole: whole !== undefined, faults };
}

interface Found {
  readonly value: JsonValue;
  readonly at: Pointer;
}

function lookUp(name: string, end: string, given: NamedValues | undefined): Found | FillFault {
  if (end === '' || !path.test(name)) return noReference;
  if (given === undefined) return noEnvironment(name);
  const at = name.split('.');
  let value: JsonValue = given.values;
  for (const [index, key] of at.entries()) {
    const next: JsonValue | undefined = isObject(value) ? own(value, key) : undefined;
    if (next === undefined) return missing(at, index, value, given.environment);
    value = next;
  }
  return { value, at };
}

/** Within other text: numbers as they are written. Undefined: it is no text. */
function textOf({ value, at }: Found, given: NamedValues | undefined): string | undefined {
  if (value === null || isArray(value) || isObject(value)) return undefined;
  return typeof value === 'string' ? value : (given?.written(at) ?? String(value));
}

const noReference: FillFault = {
  rule: 'values.reference',
  message: 'a reference is ${' + 'values. followed by names separated by dots, and }',
  hint: 'Write it as ${' + 'values.web.tag}, or as $${' + 'values. where the text itself is meant.',
};

function noEnvironment(name: string): FillFault {
  return {
    rule: 'values.environment',
    message: `values.${name} is a value of an environment, and gantry.yaml has no environments`,
    hint: 'Write `environments` into gantry.yaml of the project; or $${' + 'values. where the text itself is meant.',
  };
}

function missing(at: readonly string[], index: number, inside: JsonValue, environment: string): FillFault {
  const key = at[index] ?? '';
  const above = at.slice(0, index);
  const meant = isObject(inside) ? suggest(key, Object.keys(inside)) : undefined;
  const place = `environments.${environment}.values.${at.join('.')}`;
  return {
    rule: 'values.missing',
    message: `the environment ${environment} has no value ${at.join('.')}`,
    hint:
      meant === undefined || !path.test(meant)
        ? `Write ${place} into gantry.yaml.`
        : `Did you mean values.${[...above, meant].join('.')}? Else write ${place} into gantry.yaml.`,
  };
}

function notText(name: string): FillFault {
  return {
    rule: 'values.type',
    message: `values.${name} is a list, an object or null, so it cannot be inserted into a text`,
    hint: 'Let the reference be the whole value.',
  };
}
