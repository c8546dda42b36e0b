/** The name of a user-defined kind, which the schema does not describe. */
export type CustomKind = string & { readonly [brand]: true };
declare const brand: unique symbol;

/** The valid names of custom kinds: they are path segments. */
export const customKindName = /^[a-z][a-z0-9-]{0,62}$/;

/** All known facts of a custom kind. */
export interface CustomKindFacts {
  /** Where its records are. */
  readonly scope: 'org' | 'gvc';
  /** Dotted paths of fields that cannot be changed in place. */
  readonly immutable: readonly string[];
  /** By the dotted path of a list, the field that identifies its items. */
  readonly listKeys: Readonly<Record<string, string>>;
  /** Whether deleting a record loses nothing that cannot be created again. */
  readonly disposable: boolean;
}

/** The facts about a kind if only its name is known. */
export const onlyNamed: CustomKindFacts = { scope: 'org', immutable: [], listKeys: {}, disposable: false };

type Registry = Map<unknown, CustomKindFacts>;

/**
 * One registry for the process: the package of a stack and the command line are different copies of this module, and
 * the embedded platform serves the kinds that its projects define.
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
 * For a process that serves several projects, each with its own definitions: sets the function that returns the current
 * project's; undefined for all definitions of the process.
 */
export function separateCustomKinds(ofProjectAtHand: () => Registry | undefined): void {
  registryAtHand = ofProjectAtHand;
}

function registry(): Registry {
  return registryAtHand() ?? registryOfProcess();
}

/** Allows records of this kind to be declared, read and served. A later definition replaces an earlier one. */
export function defineCustomKind(name: string, facts: CustomKindFacts): void {
  for (const known of [registry(), registryOfProcess()]) {
    const before = known.get(name);
    if (before === undefined || !sameFacts(before, facts)) known.set(name, facts);
  }
}

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
  return registry().get(kind);
}

/** The custom kind of this name; undefined if not defined. */
export function customKind(name: unknown): CustomKind | undefined {
  return isCustomKind(name) ? name : undefined;
}

export function isCustomKind(kind: unknown): kind is CustomKind {
  return customKindFacts(kind) !== undefined;
}

/** All defined custom kinds, sorted by name. */
export function customKinds(): readonly CustomKind[] {
  return [...registry().keys()].sort().filter(isCustomKind);
}
