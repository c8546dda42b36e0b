import { fieldIn, isArray, isObject, type JsonObject, type JsonValue, put } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { suggest } from '../base/text/suggest.ts';
import { limits } from './limits.ts';
import { fileProblem, type LocatedProblem } from './model/locatedProblem.ts';
import type { ManifestDocument, Written } from './model/manifest.ts';
import type { NamedValues, ValuePosition } from './outsidePlaces.ts';

/** Manifests filled with the values of an environment. */
export interface FilledDocuments {
  readonly documents: readonly ManifestDocument[];
  readonly problems: readonly LocatedProblem[];
}

export interface FillOptions {
  /** Whether positions of filled places are those of the values, with their names, instead of those of the manifest. */
  readonly locateValues?: boolean;
}

/**
 * Replaces references to values (`${values.web.tag}`) in all texts of the manifests, except keys. A text that is one
 * reference becomes the value, of any type; within other text the value is inserted as written. Inserted values are not
 * searched again. `environmentValues`: undefined if no environment was chosen.
 */
export function fillValues(
  documents: readonly ManifestDocument[],
  environmentValues: NamedValues | undefined,
  options: FillOptions = {},
): FilledDocuments {
  const budget = new SizeBudget();
  const filled = documents.map((document) => new Filling(document, environmentValues, { ...options, budget }));
  return {
    documents: filled.map((each) => each.document),
    problems: filled.flatMap(({ problems }) => problems),
  };
}

class Filling {
  readonly document: ManifestDocument;
  readonly problems: LocatedProblem[] = [];
  readonly #environmentValues: NamedValues | undefined;
  readonly #budget: SizeBudget;
  readonly #original: ManifestDocument;
  /** The filled values, by place. */
  readonly #filled = new Map<string, Filled>();

  constructor(
    original: ManifestDocument,
    environmentValues: NamedValues | undefined,
    { budget, locateValues = false }: FillOptions & { readonly budget: SizeBudget },
  ) {
    this.#original = original;
    this.#environmentValues = environmentValues;
    this.#budget = budget;
    const value = this.#fill(original.value, []);
    this.document = value === original.value ? original : { ...original, value, written: this.#written };
    if (locateValues) this.document = { ...this.document, locate: this.#locate };
  }

  /** Returns the same value if nothing is filled in. */
  #fill(value: JsonValue, at: Pointer): JsonValue {
    if (typeof value === 'string') return this.#fillText(value, at);
    if (isArray(value)) {
      const items = value.map((item, index) => this.#fill(item, [...at, index]));
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    return isObject(value) ? this.#fillObject(value, at) : value;
  }

  #fillObject(value: JsonObject, at: Pointer): JsonObject {
    const made: Record<string, JsonValue> = {};
    let isSame = true;
    for (const [key, member] of Object.entries(value)) {
      const filled = this.#fill(member, [...at, key]);
      isSame &&= filled === member;
      put(made, key, filled);
    }
    return isSame ? value : made;
  }

  #fillText(text: string, at: Pointer): JsonValue {
    const filled = fillText(text, this.#environmentValues);
    if (filled === undefined) return text;
    if (filled.faults.length > 0) {
      this.problems.push(...filled.faults.map((fault) => this.#problem(fault, at)));
      return text;
    }
    return this.#put(filled, at);
  }

  #put(filled: Filled, at: Pointer): JsonValue {
    const { value } = filled;
    const tooMuch = this.#budget.spend(value);
    if (tooMuch !== undefined) {
      this.problems.push(this.#problem(tooMuch, at));
      return null;
    }
    this.#filled.set(JSON.stringify(at), filled);
    return value;
  }

  #problem({ rule, message, hint }: FillFault, at: Pointer): LocatedProblem {
    return fileProblem(this.#original.locate(at, 'value'), rule, message, hint);
  }

  readonly #written: Written = (pointer) => {
    const found = this.#placeOf(pointer);
    if (found === undefined) return this.#original.written?.(pointer);
    const [source = []] = found.filled.isWhole ? found.filled.sources : [];
    return found.filled.isWhole ? this.#environmentValues?.written([...source, ...found.below]) : undefined;
  };

  /** With the values that a filled place was made of. */
  readonly #locate = (pointer: Pointer, of?: 'field' | 'value'): ValuePosition => {
    const found = this.#placeOf(pointer);
    const [first] = found?.filled.sources ?? [];
    const position = this.#original.locate(pointer, of);
    if (found === undefined || first === undefined) return { ...position, values: this.#sourcesBelow(pointer) };
    const below = found.filled.isWhole ? found.below : [];
    const values = found.filled.sources.map((source) => [...source, ...below].map(String));
    return { ...(this.#environmentValues?.locate?.([...first, ...below], 'value') ?? position), values };
  };

  #sourcesBelow(pointer: Pointer): readonly (readonly string[])[] {
    const prefix = pointer.length === 0 ? '[' : `${JSON.stringify(pointer).slice(0, -1)},`;
    return [...this.#filled].flatMap(([place, { sources }]) =>
      place.startsWith(prefix) ? sources.map((source) => source.map(String)) : [],
    );
  }

  /** The value filled in there, or at an enclosing place. `below`: the remaining path. */
  #placeOf(pointer: Pointer): { readonly filled: Filled; readonly below: Pointer } | undefined {
    for (let length = pointer.length; length >= 0; length -= 1) {
      const filled = this.#filled.get(JSON.stringify(pointer.slice(0, length)));
      if (filled !== undefined) return { filled, below: pointer.slice(length) };
    }
    return undefined;
  }
}

/** A text with its references replaced. */
interface Filled {
  readonly value: JsonValue;
  /** The places of the inserted values, among the environment's values. */
  readonly sources: readonly Pointer[];
  /** Whether the text is only one reference, so that the value is its source's. */
  readonly isWhole: boolean;
  /** If not empty, the value must not be used. */
  readonly faults: readonly FillFault[];
}

/** `$${values.` is text; a reference ends at its brace. */
const references = /\$\$\{values\.|\$\{values\.([^{}\s]*)(\}?)/g;
const path = /^[\w-]+(?:\.[\w-]+)*$/;

/** Undefined if there is nothing to replace. Messages never repeat a text of the manifest, which may be a secret. */
function fillText(text: string, environmentValues: NamedValues | undefined): Filled | undefined {
  if (!text.includes('${values.')) return undefined;
  const faults: FillFault[] = [];
  const sources: Pointer[] = [];
  let onlyReference: FoundValue | undefined;
  let insertedLength = 0;
  const value = text.replaceAll(references, (reference: string, name: string | undefined, end: string) => {
    if (name === undefined) return '${values.';
    const found = findValue(name, end, environmentValues);
    if ('rule' in found) {
      faults.push(found);
      return '';
    }
    sources.push(found.at);
    if (reference.length === text.length) {
      onlyReference = found;
      return '';
    }
    const shown = textOf(found, environmentValues);
    if (shown === undefined) faults.push(notText(name));
    insertedLength += shown?.length ?? 0;
    return insertedLength > limits.scalarLength ? '' : (shown ?? '');
  });
  if (insertedLength > limits.scalarLength) faults.push(tooLong());
  return {
    value: onlyReference === undefined ? value : onlyReference.value,
    sources,
    isWhole: onlyReference !== undefined,
    faults,
  };
}

interface FoundValue {
  readonly value: JsonValue;
  readonly at: Pointer;
}

function findValue(name: string, end: string, environmentValues: NamedValues | undefined): FoundValue | FillFault {
  if (end === '' || !path.test(name)) return noReference;
  if (environmentValues === undefined) return noEnvironment(name);
  const at = name.split('.');
  let value: JsonValue = environmentValues.values;
  for (const [index, key] of at.entries()) {
    const next: JsonValue | undefined = fieldIn(value, key);
    if (next === undefined) return missing(at, index, value, environmentValues.environment);
    value = next;
  }
  return { value, at };
}

/** The value for insertion in other text: numbers as written. Undefined if it cannot be text. */
function textOf({ value, at }: FoundValue, environmentValues: NamedValues | undefined): string | undefined {
  if (value === null || isArray(value) || isObject(value)) return undefined;
  return typeof value === 'string' ? value : (environmentValues?.written(at) ?? String(value));
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
  const suggestion = isObject(inside) ? suggest(key, Object.keys(inside)) : undefined;
  const place = `environments.${environment}.values.${at.join('.')}`;
  return {
    rule: 'values.missing',
    message: `the environment ${environment} has no value ${at.join('.')}`,
    hint:
      suggestion === undefined || !path.test(suggestion)
        ? `Write ${place} into gantry.yaml.`
        : `Did you mean values.${[...above, suggestion].join('.')}? Else write ${place} into gantry.yaml.`,
  };
}

function notText(name: string): FillFault {
  return {
    rule: 'values.type',
    message: `values.${name} is a list, an object or null, so it cannot be inserted into a text`,
    hint: 'Let the reference be the whole value.',
  };
}

/** Maximum characters that values may insert into all manifests of a project together. */
const mostCharacters = 64 * 1_048_576;

/** Limits the size, so that a few values, inserted many times, cannot exhaust memory. */
class SizeBudget {
  #nodes: number = limits.aliasedNodes;
  #characters = mostCharacters;

  /** Returns undefined if there is room. */
  spend(value: JsonValue): FillFault | undefined {
    if (typeof value === 'string') {
      if (value.length > limits.scalarLength) return tooLong();
      this.#characters -= value.length;
    } else if (this.#nodes >= 0) this.#nodes -= sizeOf(value);
    if (this.#nodes >= 0 && this.#characters >= 0) return undefined;
    return tooMuch('values.too-many', `the values that are put into manifests are more than can be handled`);
  }
}

/** The number of values in a list or object; a text also counts once for each 1,024 characters. */
function sizeOf(value: JsonValue): number {
  if (typeof value === 'string') return value.length / 1024;
  const members = isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return members.reduce<number>((sum, member) => sum + 1 + sizeOf(member), 0);
}

interface FillFault {
  readonly rule: string;
  readonly message: string;
  readonly hint: string;
}

/** The fault of a text that became too long. */
function tooLong(): FillFault {
  return tooMuch('manifest.too-long', `one value has more than ${limits.scalarLength} characters`);
}

function tooMuch(rule: string, message: string): FillFault {
  return { rule, message, hint: 'Write shorter values, or refer to large ones less often.' };
}
