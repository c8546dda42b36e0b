import { isArray, isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { isWithin, type Pointer } from '../../base/json/pointer.ts';
import { shapeAt } from '../shape/paths.ts';
import type { Shape } from '../shape/shape.ts';

/** A place in a record with an unknown value. */
export interface Unknown {
  readonly pointer: Pointer;
  /** The value exists, but may have more members or items than shown. */
  readonly members?: true;
}

/** Whether the value at this place, or its absence, is completely known. */
export function isKnownAt(unknowns: readonly Unknown[], pointer: Pointer): boolean {
  return !unknowns.some(
    ({ pointer: open, members }) => isWithin(open, pointer) || (members !== true && isWithin(pointer, open)),
  );
}

/** The unknown values at and below a place, by the next step. */
interface Node {
  unknown?: Unknown;
  members?: Unknown;
  readonly below: Map<string, Node>;
}

/** The unknown values of a record, shared by all rules. */
export interface Unknowns {
  readonly root: Node;
  readonly shape: Shape;
}

export function unknownsOf(places: readonly Unknown[], shape: Shape): Unknowns {
  const root: Node = { below: new Map() };
  for (const place of places) {
    let node = root;
    for (const step of place.pointer) {
      const next = node.below.get(String(step)) ?? { below: new Map() };
      node.below.set(String(step), next);
      node = next;
    }
    node[place.members === true ? 'members' : 'unknown'] ??= place;
  }
  return { root, shape };
}

function allIn({ unknown, members, below }: Node): readonly Unknown[] {
  const own = [unknown, members].filter((each) => each !== undefined);
  return [...own, ...[...below.values()].flatMap(allIn)];
}

const asShown: unique symbol = Symbol('as shown');

/** The object for use in a message: reading it does not affect the result of a rule. */
export function shownOf(object: JsonObject): JsonObject {
  const shown: JsonValue | undefined = Reflect.get(object, asShown);
  return isObject(shown) ? shown : object;
}

/**
 * A partially unknown record, for one rule. It records which unknown values the rule reads: findings made without
 * reading any are certain. An unknown value appears absent, an unknown object of a list empty.
 */
export class PartialRecord {
  readonly record: JsonObject;
  readonly #shape: Shape;
  /** Unknown values read by name, and those visited while iterating over a list or map. */
  readonly #named = new Set<Unknown>();
  readonly #listed = new Set<Unknown>();
  readonly #wrapped = new Map<Node, JsonValue>();

  constructor(record: JsonObject, { root, shape }: Unknowns) {
    this.#shape = shape;
    const wrapped = this.#wrap(record, root);
    this.record = isObject(wrapped) ? wrapped : record;
  }

  /**
   * Whether a finding at this place is certain: the rule has read no unknown value before it. Unknown values in another
   * item of the same list, or another entry of a map, do not affect rules that check these one by one.
   */
  isCertain(pointer: Pointer, comparesItems: boolean): boolean {
    const isBeside = ({ pointer: open, members }: Unknown, type: 'list' | 'map'): boolean => {
      const parting = open.findIndex((step, index) => pointer[index] !== step);
      const at = parting === -1 && members === true ? open.length : parting;
      return at !== -1 && at < pointer.length && shapeAt(this.#shape, open.slice(0, at))?.type === type;
    };
    const isInOtherItem = (open: Unknown): boolean => !comparesItems && isBeside(open, 'list');
    return (
      [...this.#named].every(isInOtherItem) &&
      [...this.#listed].every((open) => isInOtherItem(open) || isBeside(open, 'map'))
    );
  }

  /** Returns the value itself if nothing below it is unknown. */
  #wrap(value: JsonValue, node: Node): JsonValue {
    if (!(isObject(value) || isArray(value))) return value;
    const known = this.#wrapped.get(node);
    if (known !== undefined) return known;
    const made: JsonValue = new Proxy(value, {
      get: (target, key, receiver) => {
        if (key === asShown) return target;
        const below = this.#note(node, target, key);
        const member: JsonValue = Reflect.get(target, key, receiver);
        return below === undefined ? member : this.#wrap(member, below);
      },
      has: (target, key) => {
        this.#note(node, target, key);
        return Reflect.has(target, key);
      },
      getOwnPropertyDescriptor: (target, key) => {
        this.#note(node, target, key);
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
      ownKeys: (target) => {
        for (const each of [node, ...node.below.values()])
          if (each.unknown !== undefined) this.#listed.add(each.unknown);
        if (node.members !== undefined) this.#listed.add(node.members);
        return Reflect.ownKeys(target);
      },
    });
    this.#wrapped.set(node, made);
    return made;
  }

  #note({ unknown, members, below }: Node, target: object, key: string | symbol): Node | undefined {
    if (typeof key === 'symbol') return undefined;
    const member = below.get(key);
    const isThere = Object.hasOwn(target, key);
    // For an object in place of an unknown one, only the reads of its members count.
    const isStandIn = isThere && typeof Reflect.get(target, key) === 'object';
    if (member !== undefined && !isStandIn) for (const each of allIn(member)) this.#named.add(each);
    if (unknown !== undefined) this.#named.add(unknown);
    if (members !== undefined && !isThere) this.#named.add(members);
    if (members !== undefined && key === 'length') this.#listed.add(members);
    return member;
  }
}
