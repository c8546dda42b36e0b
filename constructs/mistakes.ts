import type { IConstruct } from 'constructs';
import { nonEmpty, present } from '../src/base/json/present.ts';
import type { ToolError } from '../src/base/toolError.ts';
import { fileProblem, type LocatedProblem } from '../src/manifest/model/locatedProblem.ts';
import type { ResourceId } from '../src/schema/record/ref.ts';
import { Origin } from './origin.ts';
import { isStackError } from './stackError.ts';

/**
 * The key under which the program that runs a stack file collects mistakes that do not end the file: they are reported
 * together. A registered symbol, because the stack may use another copy of this package than the program.
 */
export const mistakesFound: unique symbol = Symbol.for('gantry.mistakes');

/** The construct that is being created. */
export interface BeingMade {
  readonly scope: IConstruct;
  readonly id: string;
  /** The intended id, if it differs. */
  readonly shownId?: string;
}

/** The ids of constructs that could not be created as requested. */
const unusable = new WeakMap<IConstruct, Set<string>>();

/** Reports a mistake in a call. The caller continues with a value that causes no further mistakes. */
export function report(
  error: ToolError,
  { node, id }: IConstruct & { readonly id?: ResourceId },
  origin: Origin = new Origin(report),
): void {
  collect(error, { construct: node.path, ...present({ resource: id }) }, origin);
}

/** Reports a mistake that makes a construct unusable: it and its content make no manifest. */
export function reportUnusable(
  error: ToolError,
  { scope, id, shownId = id }: BeingMade,
  origin: Origin = new Origin(reportUnusable),
): void {
  const path = scope.node.path === '' ? shownId : `${scope.node.path}/${shownId}`;
  collect(error, { construct: path }, origin);
  const ids = unusable.get(scope) ?? new Set();
  unusable.set(scope, ids.add(nodeId(id)));
}

export function isUnusable({ node }: IConstruct): boolean {
  return node.scope !== undefined && isUnusableAs({ scope: node.scope, id: node.id });
}

/** Can be called before its creation. */
export function isUnusableAs({ scope, id }: BeingMade): boolean {
  return unusable.get(scope)?.has(nodeId(id)) === true;
}

/** The id in the form of `constructs`. */
function nodeId(id: string): string {
  return id.replaceAll('/', '--');
}

/** Throws if mistakes are not collected. */
function collect(error: ToolError, what: Pick<LocatedProblem, 'construct' | 'resource'>, origin: Origin): void {
  const mistakes: unknown = Reflect.get(globalThis, mistakesFound);
  if (!Array.isArray(mistakes)) throw error;
  const callers = origin.callers();
  const code = { ...what, ...nonEmpty({ callers }) };
  const problems = isStackError(error)
    ? error.problems
    : [fileProblem(origin.position(), error.code, error.message, error.hint)];
  mistakes.push(...problems.map((problem) => ({ ...problem, ...code })));
}
