import {
  type At,
  choice,
  described,
  dictionary,
  flag,
  list,
  map,
  object,
  optionals,
  type Reader,
  readEach,
  textLike,
} from '../base/form/read.ts';
import { isObject, type JsonValue } from '../base/json/json.ts';
import { type CustomKindFacts, type CustomKinds, customKindName, onlyNamed } from '../schema/record/customKinds.ts';
import { isKnownKind } from '../schema/record/kinds.ts';
import { customShape } from './shapeOf.ts';

/** The facts that a user states of a custom kind; omitted facts are treated as unknown. */
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
   * The field that identifies the items of a list, by the path of the list (`{'spec.rules': 'name'}`): such items are
   * compared and merged one by one. Other lists are one value. @default none
   */
  readonly listKeys?: Readonly<Record<string, string>>;
  /**
   * Whether a record can be deleted and created again without a loss. @default false: its deletion needs
   * `--allow-data-loss`
   */
  readonly disposable?: boolean;
}

/** Kinds of responses that contain records, and of manifests that declare none. */
const notKinds: ReadonlySet<string> = new Set(['list', 'queryresult', 'output']);

const ownPaths = 'the paths of its own fields, such as spec.size';
const plainName = /^(?!__proto__$)[\w$-]{1,128}$/;
const path = textLike(isFieldPath, `one of ${ownPaths}`);
const field = textLike((given) => plainName.test(given), 'the name of a field, such as name');

const options: Reader<CustomKindOptions> = object(
  optionals({
    scope: described(
      'Where its records are. org (the default): at /org/ORG/KIND/NAME; gvc: at /org/ORG/gvc/GVC/KIND/NAME.',
      choice('org', 'gvc'),
    ),
    immutable: described(
      'Paths that cannot be changed in place: a change is a replacement. Default: none.',
      list(path, `a list of ${ownPaths}`),
    ),
    listKeys: described(
      'The field that tells the items of a list apart, by the path of the list. Default: none.',
      map(
        dictionary(field, {
          isName: isFieldPath,
          what: `one of ${ownPaths}`,
          expected: 'an object such as `{spec.rules: name}`',
        }),
        Object.fromEntries<string>,
      ),
    ),
    disposable: described(
      'Nothing is lost that cannot be made again: deletion needs no --allow-data-loss, replacement no permission. Default: false.',
      flag,
    ),
  }),
  { expected: 'an object such as `{scope: gvc}`' },
);

/** Reads the facts of one kind. `said`: undefined or null if only its name is known. Errors: `Unreadable`. */
export function readCustomKind(name: string, said: unknown, at: At): CustomKindFacts {
  if (isKnownKind(name)) throw at.bad(`: Gantry knows the kind ${name} already`);
  if (notKinds.has(name) || !customKindName.test(name)) {
    throw at.bad(`: ${JSON.stringify(name.slice(0, 80))} cannot be a kind: use lower-case letters, digits and "-"`);
  }
  if ((said ?? null) === null) return onlyNamed;
  const {
    scope = 'org',
    immutable = [],
    listKeys = {},
    disposable = false,
  } = options.read(isObject(said) ? said : '', at);
  return { scope, immutable, listKeys, disposable };
}

/** `kinds` of `gantry.yaml`: kinds unknown to the schema. */
export const customKinds: Reader<CustomKinds> = {
  schema: {
    type: ['object', 'null'],
    additionalProperties: { ...options.schema, type: ['object', 'null'] },
  },
  read(given: JsonValue, at) {
    if (!isObject(given)) throw at.bad('must be an object such as `kinds: {widget: {scope: org}}`');
    const reads = Object.entries(given).map(
      ([name, said]) =>
        () =>
          [name, readCustomKind(name, said, at.key(name))] as const,
    );
    return Object.fromEntries(readEach(reads));
  },
};

/** Whether it is a path of the kind's own fields; those of every record are known. */
function isFieldPath(path: string): boolean {
  const names = path.split('.');
  const [first = ''] = names;
  return names.every((name) => plainName.test(name)) && !customShape().fields.has(first);
}
