import type { IConstruct } from 'constructs';
import { present } from '../src/base/json/present.ts';
import type { ToolError } from '../src/base/toolError.ts';
import { fileProblem, type LocatedProblem } from '../src/manifest/model/locatedProblem.ts';
import type { ResourceId } from '../src/schema/record/ref.ts';
import { Origin } from './origin.ts';
import { isStackError } from './stackError.ts';

/**
 * Where the program that runs a stack file collects mistakes after which the file can go on: all of them are told at
 * once. A registered symbol, because the stack may use another copy of this package than the program.
 */
export const mistakesFound: unique symbol = Symbol.for('gantry.mistakes');

/** The construct that is being made. */
export interface BeingMade {
  readonly scope: IConstruct;
  readonly id: string;
  /** Where it was to have another one. */
  readonly shownId?: string;
}

/** The ids of what could not be made as it was asked for. */
const unusable = new WeakMap<IConstruct, Set<string>>();

/** A mistake in a call. Whoever reports one goes on with what makes no further mistakes of it. */
export function report(
  error: ToolError,
  { node, id }: IConstruct & { readonly id?: ResourceId },
  origin: Origin = new Origin(report),
): void {
  collect(error, { construct: node.path, ...present({ resource: id }) }, origin);
}

/** A mistake for which a construct cannot be what it should: it and what is inside of it make no manifest. */
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

/** Before it is made. */
export function isUnusableAs({ scope, id }: BeingMade): boolean {
  return unusable.get(scope)?.has(nodeId(id)) === true;
}

/** As `constructs` writes it. */
function nodeId(id: string): string {
  return id.replaceAll('/', '--');
}

/** Throws where nobody collects mistakes. */
function collect(error: ToolError, what: Pick<LocatedProblem, 'construct' | 'resource'>, origin: Origin): void {
  const mistakes: unknown = Reflect.get(globalThis, mistakesFound);
  if (!Array.isArray(mistakes)) throw error;
  const callers = origin.callers();
  const code = { ...what, ...(callers.length === 0 ? {} : { callers }) };
  const problems = isStackError(error)
    ? error.problems
    : [fileProblem(origin.position(), error.code, error.message, error.hint)];
  mistakes.push(...problems.map((problem) => ({ ...problem, ...code })));
}
