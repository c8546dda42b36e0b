/** The name of a kind that the schema does not describe and that the user defined. */
export type CustomKind = string & { readonly [brand]: true };
declare const brand: unique symbol;

/** The legal names of such a kind: they are segments of paths. */
export const customKindName = /^[a-z][a-z0-9-]{0,62}$/;

/** All that is known of such a kind. */
export interface CustomKindFacts {
  /** Where its records live. */
  readonly scope: 'org' | 'gvc';
  /** Dotted paths of fields that cannot be changed in place. */
  readonly immutable: readonly string[];
  /** The dotted path of a list, and the field that tells its items apart. */
  readonly listKeys: Readonly<Record<string, string>>;
  /** Nothing that cannot be made again is lost when a record is deleted. */
  readonly disposable: boolean;
}

/** The facts about a kind of which only the name is known. */
export const onlyNamed: CustomKindFacts = { scope: 'org', immutable: [], listKeys: {}, disposable: false };

type Registry = Map<string, CustomKindFacts>;

/**
 * One registry for the process: the package of a stack and the command line are different copies of this module, and
 * the platform in the process serves what its projects define.
 */
const registryName = Symbol.for('gantry.customKinds');

function registryOfProcess(): Registry {
  const known: unknown = Reflect.get(globalThis, registryName);
  if (known instanceof Map) return known;
  const made: Registry = new Map();
  Reflect.set(globalThis, registryName, made);
  return made;
}

let registryAtHand: () => Registry | undefined = () => undefined;

/**
 * For a process that works for several projects at a time, each with definitions of its own: tells those of the project
 * that is worked for at the moment; undefined: all that were defined in the process.
 */
export function separateCustomKinds(ofProjectAtHand: () => Registry | undefined): void {
  registryAtHand = ofProjectAtHand;
}

function registry(): Registry {
  return registryAtHand() ?? registryOfProcess();
}

/** From now on records of this kind can be declared, read and served. A later definition replaces an earlier one. */
export function defineCustomKind(name: string, facts: CustomKindFacts): void {
  for (const known of [registry(), registryOfProcess()]) {
    const before = known.get(name);
    if (before === undefined || !sameFacts(before, facts)) known.set(name, facts);
  }
}

/** Several, by name. */
export type CustomKinds = Readonly<Record<string, CustomKindFacts>>;

export function defineCustomKinds(kinds: CustomKinds): void {
  for (const [name, facts] of Object.entries(kinds)) defineCustomKind(name, facts);
}

export function sameFacts(a: CustomKindFacts, b: CustomKindFacts): boolean {
  return JSON.stringify(comparable(a)) === JSON.stringify(comparable(b));
}

function comparable({ scope, immutable, listKeys, disposable }: CustomKindFacts): unknown {
  return [scope, [...immutable].sort(), Object.entries(listKeys).sort(), disposable];
}

export function customKindFacts(kind: unknown): CustomKindFacts | undefined {
  return typeof kind === 'string' ? registry().get(kind) : undefined;
}

/** The custom kind of this name; undefined: none was defined. */
export function customKind(name: unknown): CustomKind | undefined {
  return isCustomKind(name) ? name : undefined;
}

export function isCustomKind(kind: unknown): kind is CustomKind {
  return customKindFacts(kind) !== undefined;
}

/** All that were defined, by name. */
export function customKinds(): readonly CustomKind[] {
  return [...registry().keys()].sort().filter(isCustomKind);
}
