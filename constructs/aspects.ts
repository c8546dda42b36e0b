import type { IConstruct } from 'constructs';
import { ToolError } from '../src/base/toolError.ts';

/** An operation on every construct of a part of the tree. */
export interface Aspect {
  /** Called once for each construct of the scope, the scope itself first, before anything is validated. */
  visit(node: IConstruct): void;
}

/** The order in which aspects visit a construct: lower numbers first; for equal ones, that of the outer scope first. */
export const AspectPriority = {
  /** For aspects that change the constructs. */
  mutating: 200,
  default: 500,
  /** For aspects that only read, after all others. */
  readonly: 1000,
} as const;

export interface AspectOptions {
  /** Lower values come first. @default AspectPriority.default */
  readonly priority?: number;
}

interface Added {
  readonly aspect: Aspect;
  readonly priority: number;
}

/** On a construct: its own aspects. Registered symbols, because libraries may use another copy of this package. */
const ofConstruct: unique symbol = Symbol.for('gantry.aspects');
/** On a construct: the aspects that have visited it. */
const visitors: unique symbol = Symbol.for('gantry.visitors');

/**
 * The aspects of a scope: operations on everything inside of it, from any code.
 *
 *     Aspects.of(app).add({
 *       visit(node) {
 *         if (node instanceof VolumeSet) node.node.addValidation({ validate: () => limitsOf(node) });
 *       },
 *     });
 *
 * They run when the tree is synthesized, before its validations. An aspect may add constructs and further aspects.
 */
export class Aspects {
  readonly #scope: IConstruct;

  private constructor(scope: IConstruct) {
    this.#scope = scope;
  }

  static of(scope: IConstruct): Aspects {
    return new Aspects(scope);
  }

  add(aspect: Aspect, { priority = AspectPriority.default }: AspectOptions = {}): void {
    Reflect.set(this.#scope, ofConstruct, [...addedTo(this.#scope), { aspect, priority } satisfies Added]);
  }

  get all(): readonly Aspect[] {
    return addedTo(this.#scope).map(({ aspect }) => aspect);
  }
}

function addedTo(scope: IConstruct): readonly Added[] {
  const added: unknown = Reflect.get(scope, ofConstruct);
  return Array.isArray(added) ? added : [];
}

/** More than any terminating set of aspects needs. */
const mostPasses = 100;

/**
 * Lets every aspect of the tree, and those of the enclosing scopes of `root`, visit the constructs that it has not
 * visited yet.
 *
 * Errors: `stack.aspect` if aspects add to the tree without end.
 */
export function invokeAspects(root: IConstruct): void {
  const above = root.node.scopes.slice(0, -1).flatMap(addedTo);
  for (let pass = 0; pass < mostPasses; pass += 1) if (!visit(root, above)) return;
  throw new ToolError({
    code: 'stack.aspect',
    message: `aspects still add constructs or aspects after ${mostPasses} passes over the tree`,
    hint: 'Let an aspect add something only to constructs that do not have it.',
  });
}

/** Whether there was anything to do. */
function visit(construct: IConstruct, inherited: readonly Added[]): boolean {
  let found = false;
  const own = addedTo(construct);
  const all = own.length === 0 ? inherited : [...inherited, ...own].sort((a, b) => a.priority - b.priority);
  if (all.length > 0) {
    const visited = visitorsOf(construct);
    for (const { aspect } of all) {
      if (visited.has(aspect)) continue;
      visited.add(aspect);
      found = true;
      aspect.visit(construct);
    }
  }
  for (const child of construct.node.children) if (visit(child, all)) found = true;
  return found;
}

function visitorsOf(construct: IConstruct): Set<unknown> {
  const before: unknown = Reflect.get(construct, visitors);
  if (before instanceof Set) return before;
  const none = new Set<unknown>();
  Reflect.set(construct, visitors, none);
  return none;
}
