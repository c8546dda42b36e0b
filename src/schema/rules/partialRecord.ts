import { isArray, isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { isWithin, type Pointer } from '../../base/json/pointer.ts';
import { shapeAt } from '../shape/paths.ts';
import type { Shape } from '../shape/shape.ts';

/** A place in a record whose value is not known yet. */
export interface Unknown {
  readonly pointer: Pointer;
  /** The value is there, and may have more members or items than it shows. */
  readonly members?: true;
}

/** Is the value at this place known, whole, and whether it is there? */
export function isKnownAt(unknowns: readonly Unknown[], pointer: Pointer): boolean {
  return !unknowns.some(
    ({ pointer: open, members }) => isWithin(open, pointer) || (members !== true && isWithin(pointer, open)),
  );
}

/** The unknown values at a place and below it, by the next step. */
interface Node {
  unknown?: Unknown;
  members?: Unknown;
  readonly below: Map<string, Node>;
}

/** Of a record, for all rules that look at it. */
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

/** The object for a message: what a rule reads of it decides nothing. */
export function shownOf(object: JsonObject): JsonObject {
  const shown: JsonValue | undefined = Reflect.get(object, asShown);
  return isObject(shown) ? shown : object;
}

/**
 * A record of which something is not known yet, for one rule. It notes which unknown values the rule reads: what the rule
 * has found without them is so whatever they will be. An unknown value shows as absent, an unknown object of a list as an
 * empty one.
 */
export class PartialRecord {
  readonly record: JsonObject;
  readonly #shape: Shape;
  /** Read by name, and come across in going through all that a list or map has. */
  readonly #named = new Set<Unknown>();
  readonly #listed = new Set<Unknown>();
  readonly #wrapped = new Map<Node, JsonValue>();

  constructor(record: JsonObject, { root, shape }: Unknowns) {
    this.#shape = shape;
    const wrapped = this.#wrap(record, root);
    this.record = isObject(wrapped) ? wrapped : record;
  }

  /**
   * Does what was found at this place count? Not where the rule has read an unknown value before; but one in another item
   * of the same list, or in another entry of a map, makes no difference to a rule that goes through them one by one.
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

  /** The value as it is where nothing below it is unknown. */
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
    // Of an object that stands for an unknown one it counts what is read of it.
    const isStandIn = isThere && typeof Reflect.get(target, key) === 'object';
    if (member !== undefined && !isStandIn) for (const each of allIn(member)) this.#named.add(each);
    if (unknown !== undefined) this.#named.add(unknown);
    if (members !== undefined && !isThere) this.#named.add(members);
    if (members !== undefined && key === 'length') this.#listed.add(members);
    return member;
  }
}
