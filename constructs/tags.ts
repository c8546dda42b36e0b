import type { IConstruct } from 'constructs';
import type { DeclarableKind } from '../src/schema/record/kinds.ts';
import { Aspects } from './aspects.ts';

type TagValue = string | number | boolean | null;

/** Selects resources of a scope. */
export interface TagOptions {
  /** Only resources of these kinds. @default all kinds */
  readonly kinds?: readonly DeclarableKind[];
  /** Excludes resources of these kinds. @default none */
  readonly exceptKinds?: readonly DeclarableKind[];
}

/** After other aspects of the same scope; removals after all additions. */
const priorities = { add: 300, remove: 400 } as const;

/** On a construct: the tags to add, and, as undefined, those to remove. */
const tagged: unique symbol = Symbol.for('gantry.tags');

/**
 * Tags for every resource of a scope.
 *
 *     Tags.of(app).add('cost-center', '4711');
 *     Tags.of(shop).add('team', 'payments', { exceptKinds: ['policy'] });
 *
 * The inner scope takes precedence, and an added tag replaces the same one in the props of a resource.
 */
export class Tags {
  readonly #scope: IConstruct;

  private constructor(scope: IConstruct) {
    this.#scope = scope;
  }

  static of(scope: IConstruct): Tags {
    return new Tags(scope);
  }

  add(key: string, value: TagValue, options: TagOptions = {}): void {
    this.#set(key, value, options, priorities.add);
  }

  /** Removes a tag from every source. */
  remove(key: string, options: TagOptions = {}): void {
    this.#set(key, undefined, options, priorities.remove);
  }

  #set(key: string, value: TagValue | undefined, { kinds, exceptKinds }: TagOptions, priority: number): void {
    const visit = (node: IConstruct): void => {
      const kind: unknown = Reflect.get(node, 'kind');
      const isKind = (each: DeclarableKind): boolean => each === kind;
      if (kinds !== undefined && !kinds.some(isKind)) return;
      if (exceptKinds?.some(isKind) === true) return;
      Reflect.set(node, tagged, new Map([...tagsAddedTo(node), [key, value]]));
    };
    Aspects.of(this.#scope).add({ visit }, { priority });
  }
}

/** The tags that aspects have added to a construct; undefined for removed ones. */
export function tagsAddedTo(construct: IConstruct): ReadonlyMap<string, TagValue | undefined> {
  const tags: unknown = Reflect.get(construct, tagged);
  return tags instanceof Map ? tags : none;
}

const none: ReadonlyMap<string, TagValue | undefined> = new Map();
