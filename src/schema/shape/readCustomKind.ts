import { isArray, isObject, type JsonObject } from '../../base/json/json.ts';
import { available, suggestion } from '../../base/text/suggestion.ts';
import { type CustomKindFacts, type CustomKinds, customKindName, onlyNamed } from '../record/customKinds.ts';
import { isKnownKind } from '../record/kinds.ts';
import { customShape } from './customShape.ts';

/** What a user says of a custom kind; what is left out is not known. */
export interface CustomKindOptions {
  /**
   * Where its records live: in the org, at `/org/ORG/KIND/NAME`, or in a GVC, at `/org/ORG/gvc/GVC/KIND/NAME`.
   *
   * @default org
   */
  readonly scope?: 'org' | 'gvc';
  /** Paths (`spec.size`) that cannot be changed in place: a change is a replacement. @default none */
  readonly immutable?: readonly string[];
  /**
   * The field that tells the items of a list apart, by the path of the list (`{'spec.rules': 'name'}`): such items are
   * compared and merged one by one. Other lists are one value. @default none
   */
  readonly listKeys?: Readonly<Record<string, string>>;
  /** A record can be deleted and made again without a loss. @default false: its deletion needs `--allow-data-loss` */
  readonly disposable?: boolean;
}

export type CustomKindRead =
  | { readonly ok: true; readonly facts: CustomKindFacts }
  /** `at`: the option, or empty for the name. */
  | { readonly ok: false; readonly at: string; readonly message: string };

const options: readonly string[] = [
  'scope',
  'immutable',
  'listKeys',
  'disposable',
] satisfies readonly (keyof CustomKindOptions)[];

/** What was said of a kind, as facts; or what is wrong with it. */
export function readCustomKind(name: string, said: unknown): CustomKindRead {
  if (isKnownKind(name)) return wrong('', `Gantry knows the kind ${name} already`);
  if (notKinds.has(name) || !customKindName.test(name)) {
    return wrong('', `${JSON.stringify(name.slice(0, 80))} cannot be a kind: use lower-case letters, digits and "-"`);
  }
  if ((said ?? null) === null) return { ok: true, facts: onlyNamed };
  if (!isObject(said)) return wrong('', 'it must be an object such as `{scope: gvc}`');
  const unknown = Object.keys(said).find((key) => !options.includes(key));
  if (unknown !== undefined) {
    return wrong(
      '',
      `there is no option ${JSON.stringify(unknown.slice(0, 80))}. ${suggestion(unknown, options) ?? available(options)}`,
    );
  }
  const { scope = 'org', immutable = [], listKeys = {}, disposable = false } = said;
  if (scope !== 'org' && scope !== 'gvc') return wrong('scope', 'it must be org or gvc');
  if (typeof disposable !== 'boolean') return wrong('disposable', 'it must be true or false');
  if (!isArray(immutable) || !immutable.every((path) => typeof path === 'string' && isFieldPath(path))) {
    return wrong('immutable', `it must be a list of ${ownPaths}`);
  }
  if (!isObject(listKeys)) return wrong('listKeys', 'it must be an object such as `{spec.rules: name}`');
  const keys: Record<string, string> = {};
  for (const [path, field] of Object.entries(listKeys)) {
    if (!isFieldPath(path)) return wrong('listKeys', `${JSON.stringify(path.slice(0, 80))} is not one of ${ownPaths}`);
    if (typeof field !== 'string' || !plainName.test(field)) {
      return wrong('listKeys', `${path} needs the name of a field, such as name`);
    }
    keys[path] = field;
  }
  return { ok: true, facts: { scope, immutable: immutable.map(String), listKeys: keys, disposable } };
}

/** Several, by name; what is wrong with the first that is, with the place of it. */
export function readCustomKinds(
  said: JsonObject,
): { readonly ok: true; readonly kinds: CustomKinds } | { readonly ok: false; readonly message: string } {
  const kinds: Record<string, CustomKindFacts> = {};
  for (const [name, each] of Object.entries(said)) {
    const read = readCustomKind(name, each);
    if (!read.ok) {
      const place = read.at === '' ? name.slice(0, 80) : `${name}.${read.at}`;
      return { ok: false, message: `${place}: ${read.message}` };
    }
    kinds[name] = read.facts;
  }
  return { ok: true, kinds };
}

/** Kinds of answers that hold records. */
const notKinds: ReadonlySet<string> = new Set(['list', 'queryresult']);
const ownPaths = 'the paths of its own fields, such as spec.size';
const plainName = /^(?!__proto__$)[\w$-]{1,128}$/;

/** Of the kind's own fields: those that every record has are known. */
function isFieldPath(path: string): boolean {
  const names = path.split('.');
  const [first = ''] = names;
  return names.every((name) => plainName.test(name)) && !customShape().fields.has(first);
}

function wrong(at: string, message: string): CustomKindRead {
  return { ok: false, at, message };
}
