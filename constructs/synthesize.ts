import type { IConstruct } from 'constructs';
import { type JsonObject, type JsonValue, objectAt, put } from '../src/base/json/json.ts';
import { compact, nonEmpty, present } from '../src/base/json/present.ts';
import type { ToolError } from '../src/base/toolError.ts';
import type { LocatedProblem } from '../src/manifest/model/locatedProblem.ts';
import type { MadeBy, ManifestDocument } from '../src/manifest/model/manifest.ts';
import { isContainer } from '../src/schema/record/kinds.ts';
import type { ResourceId } from '../src/schema/record/ref.ts';
import { type Annotation, annotationsOf } from './annotations.ts';
import { warningsFound, wasSynthesized } from './appCollector.ts';
import { invokeAspects } from './aspects.ts';
import { isUnusable } from './mistakes.ts';
import { nowhere, type Origin } from './origin.ts';
import { isOutput } from './output.ts';
import { isResource, type Resource } from './resource.ts';
import { isStackError, StackError } from './stackError.ts';
import { enclosingStack, isStack, type StackNode } from './stackOf.ts';
import { tagsAddedTo } from './tags.ts';

/** The manifest of one construct, with the line of user code that created it. */
export interface SynthesizedDocument extends ManifestDocument {
  readonly value: JsonObject;
}

/**
 * One document per resource and output of the tree, in the order of their creation. Aspects run first, then
 * validations.
 *
 * Errors: `StackError` with all problems of the tree: those of its validations (`node.addValidation`) and annotations,
 * and resources that are not data.
 */
export function synthesize(root: IConstruct): readonly SynthesizedDocument[] {
  Reflect.set(root.node.root, wasSynthesized, true);
  invokeAspects(root);
  const synthesis: Synthesis = { documents: [], problems: [...namesakes(root), ...inOtherStacks(root)] };
  visit(root, [], enclosingStack(root), synthesis);
  const { documents, problems } = synthesis;
  if (problems.some(({ severity }) => severity === 'error')) throw new StackError(problems, documents);
  if (problems.length > 0) Reflect.set(root.node.root, warningsFound, problems);
  return documents;
}

interface Synthesis {
  readonly documents: SynthesizedDocument[];
  readonly problems: LocatedProblem[];
}

/** Stacks with the same name would treat each other's resources as their own. */
function namesakes(root: IConstruct): LocatedProblem[] {
  const first = new Map<string, StackNode>();
  const problems: LocatedProblem[] = [];
  for (const stack of root.node.findAll().filter(isStack)) {
    if (isUnusable(stack)) continue;
    const before = first.get(stack.name);
    if (before === undefined) first.set(stack.name, stack);
    else {
      const { file, line } = before.origin.position();
      const message = `two stacks have the name ${JSON.stringify(stack.name)}; the first one is at ${file}:${line}`;
      problems.push(problemAt(stack, { rule: 'stack.name', message, hint: 'Give one of them another id or name.' }));
    }
  }
  return problems;
}

/**
 * A construct inside of a `Gvc` belongs to the stack of that GVC, even if the code of another stack creates it. Reports
 * resources that the constructor of a stack creates in the GVC of another one, and empty stacks beside a stack with
 * resources in a GVC.
 */
function inOtherStacks(root: IConstruct): readonly LocatedProblem[] {
  const all = root.node.findAll();
  const stacks = all.filter(isStack);
  if (stacks.length < 2) return [];
  const inGvcs = all.filter(isResource).filter(({ node }) => isResource(node.scope) && isContainer(node.scope.kind));
  const told = new Set<StackNode>();
  const misplaced = inGvcs.flatMap((resource) => {
    const own = enclosingStack(resource);
    const maker = stacks.find((stack) => stack !== own && isMadeBy(resource, stack));
    if (own === undefined || maker === undefined || maker.constructor === own.constructor) return [];
    told.add(maker);
    const message = `it belongs to the stack "${own.name}", as it is made inside of a Gvc of that stack, although the code of the stack "${maker.name}" makes it`;
    const hint = `new ${resource.constructor.name}(this, ${JSON.stringify(resource.node.id)}, { gvc, … }) puts it into "${maker.name}".`;
    return [{ ...problemAt(resource, { rule: 'stack.elsewhere', message, hint, severity: 'warning' }) }];
  });
  const empty = stacks.filter(
    (stack) => !told.has(stack) && !stack.node.findAll().some((each) => isResource(each) || isOutput(each)),
  );
  const besides = empty.filter((stack) => inGvcs.some((resource) => enclosingStack(resource) !== stack));
  const message = 'this stack has no resources; what is made inside of a Gvc belongs to the stack of that GVC';
  return [
    ...misplaced,
    ...besides.map((stack) => {
      const hint = `Give a resource this stack as its scope, and name the GVC: new Workload(stack, "api", { gvc, … }).`;
      return problemAt(stack, { rule: 'stack.elsewhere', message, hint, severity: 'warning' });
    }),
  ];
}

/** Whether the constructor of this stack class created it. Frames contain the names of constructors. */
function isMadeBy({ origin: { stack: frames } }: Resource, stack: StackNode): boolean {
  const { name } = stack.constructor;
  return name !== 'Stack' && typeof frames === 'string' && frames.includes(`new ${name} (`);
}

/** `inherited`: the dependencies of enclosing constructs, which also apply to their resources. */
function visit(
  construct: IConstruct,
  inherited: readonly IConstruct[],
  around: StackNode | undefined,
  synthesis: Synthesis,
): void {
  const { node } = construct;
  if (isUnusable(construct)) return;
  const { documents, problems } = synthesis;
  const stack = around ?? (isStack(construct) ? construct : undefined);
  problems.push(...annotationsOf(construct).map((annotation) => annotationProblem(construct, annotation)));
  problems.push(...node.validate().map((message) => validationProblem(construct, message)));
  const own = node.dependencies;
  const targets = own.length === 0 ? inherited : [...inherited, ...own];
  if (own.includes(construct)) {
    const message = `${isResource(construct) ? construct.id : 'this construct'} depends on itself`;
    const hint = 'Remove this call of addDependency.';
    problems.push(problemAt(construct, { rule: 'manifest.depends-on', message, hint }));
  }
  if (isResource(construct)) {
    const value = manifestOf(construct, targets.length === 0 ? [] : idsOf(targets, construct), problems);
    if (value !== undefined) {
      documents.push({
        value,
        locate: (pointer) => construct.positionOf(pointer),
        madeBy: madeBy(construct, stack),
      });
    }
  }
  if (isOutput(construct)) {
    const { origin } = construct;
    documents.push({
      value: construct.toOutput(),
      locate: () => origin.position(),
      madeBy: madeBy({ node, origin, places: [], existing: [] }, stack),
    });
  }
  const passedOn = isResource(construct) ? inherited : targets;
  for (const child of node.children) visit(child, passedOn, stack, synthesis);
}

function madeBy(
  { node, origin, places, existing }: Pick<Resource, 'node' | 'origin' | 'places' | 'existing'>,
  stack: StackNode | undefined,
): MadeBy {
  return {
    construct: node.path,
    ...present({ stack: stack?.name }),
    ...nonEmpty({ places, existing }),
    get callers() {
      return origin.callers();
    },
  };
}

function manifestOf(
  resource: Resource,
  waitsFor: readonly ResourceId[],
  problems: LocatedProblem[],
): JsonObject | undefined {
  try {
    return withTags(resource.toManifest(waitsFor), resource);
  } catch (error) {
    if (isStackError(error)) {
      problems.push(
        ...error.problems.map((problem) => ({ ...problem, resource: resource.id, construct: resource.node.path })),
      );
      return undefined;
    }
    if (!isToolError(error)) throw error;
    const { code, message, hint } = error;
    problems.push(problemAt(resource, { rule: code, message, ...present({ hint }) }));
    return undefined;
  }
}

function withTags(manifest: JsonObject, resource: Resource): JsonObject {
  const added = tagsAddedTo(resource);
  if (added.size === 0) return manifest;
  const tags: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(objectAt(manifest, 'tags'))) if (!added.has(key)) put(tags, key, value);
  for (const [key, value] of added) if (value !== undefined) put(tags, key, value);
  return { ...manifest, tags };
}

/** Also for an error of another copy of the package, because `gantry/testing` has its own. */
function isToolError(error: unknown): error is ToolError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'hint' in error;
}

function annotationProblem(construct: IConstruct, { severity, message, hint }: Annotation): LocatedProblem {
  return problemAt(construct, {
    rule: 'stack.annotation',
    message,
    severity,
    hint: hint ?? 'Code of the stack says so, such as an aspect.',
  });
}

function validationProblem(construct: IConstruct, message: unknown): LocatedProblem {
  const hint = 'A validation of the construct says so.';
  return problemAt(construct, { rule: 'stack.validation', message: String(message), hint });
}

interface Said {
  readonly rule: string;
  readonly message: string;
  readonly hint?: string;
  readonly severity?: LocatedProblem['severity'];
}

/** At its own line, otherwise that of a resource in it, or of an enclosing one. */
function problemAt(construct: IConstruct, { severity = 'error', ...said }: Said): LocatedProblem {
  const origin = originOf(construct);
  const { path } = construct.node;
  const callers = origin?.callers() ?? [];
  return {
    ...said,
    path: '',
    pointer: [],
    severity,
    position: origin?.position() ?? nowhere,
    ...(isResource(construct) ? { resource: construct.id } : {}),
    ...nonEmpty({ construct: path, callers }),
  };
}

function originOf({ node }: IConstruct): Origin | undefined {
  for (const construct of [...node.findAll(), ...node.scopes.toReversed()]) {
    if (isResource(construct) || isStack(construct) || isOutput(construct)) return construct.origin;
  }
  return undefined;
}

/** All resources of its dependencies; for an enclosing construct, only that itself. */
function idsOf(targets: readonly IConstruct[], dependent: Resource): readonly ResourceId[] {
  const around = new Set(dependent.node.scopes);
  const resources = targets.flatMap((target) => (around.has(target) ? [target] : target.node.findAll()));
  return compact(resources.filter(isResource), (resource) => (resource === dependent ? undefined : resource.id));
}
