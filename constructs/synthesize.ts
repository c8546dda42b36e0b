import type { IConstruct } from 'constructs';
import type { ToolError } from '../src/errors/toolError.ts';
import type { ManifestDocument } from '../src/manifest/model/document.ts';
import { fileProblem, type LocatedProblem } from '../src/manifest/model/locatedProblem.ts';
import type { Position } from '../src/manifest/model/manifest.ts';
import type { JsonObject } from '../src/schema/json/json.ts';
import type { ResourceId } from '../src/schema/record/ref.ts';
import { wasSynthesized } from './appCollector.ts';
import { nowhere } from './origin.ts';
import { isResource, type Resource } from './resource.ts';
import { StackError } from './stackError.ts';

/** The manifest of one construct; its place is the line of user code that made it. */
export interface SynthesizedDocument extends ManifestDocument {
  readonly value: JsonObject;
}

/**
 * One document per resource of the tree, in the order in which they were made.
 *
 * Errors: `StackError` with all that validations of the tree (`node.addValidation`) find wrong.
 */
export function synthesize(root: IConstruct): readonly SynthesizedDocument[] {
  Reflect.set(root.node.root, wasSynthesized, true);
  const documents: SynthesizedDocument[] = [];
  const problems: LocatedProblem[] = [];
  visit(root, [], documents, problems);
  if (problems.length > 0) throw new StackError(problems);
  return documents;
}

/** `inherited`: what an enclosing construct waits for, its resources wait for too. */
function visit(
  construct: IConstruct,
  inherited: readonly IConstruct[],
  documents: SynthesizedDocument[],
  problems: LocatedProblem[],
): void {
  const { node } = construct;
  problems.push(...node.validate().map((message) => validationProblem(construct, message)));
  const own = node.dependencies;
  const targets = own.length === 0 ? inherited : [...inherited, ...own];
  if (isResource(construct)) {
    documents.push({
      value: manifestOf(construct, targets.length === 0 ? [] : idsOf(targets, construct)),
      locate: (pointer) => construct.positionOf(pointer),
    });
  }
  const passedOn = isResource(construct) ? inherited : targets;
  for (const child of node.children) visit(child, passedOn, documents, problems);
}

function manifestOf(resource: Resource, waitsFor: readonly ResourceId[]): JsonObject {
  try {
    return resource.toManifest(waitsFor);
  } catch (error) {
    if (error instanceof StackError || !isToolError(error)) throw error;
    throw new StackError([fileProblem(resource.origin.position(), error.code, error.message, error.hint)]);
  }
}

/** Of this copy of the package, or of another one: `gantry/testing` has its own. */
function isToolError(error: unknown): error is ToolError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'hint' in error;
}

function validationProblem(construct: IConstruct, message: unknown): LocatedProblem {
  const { path } = construct.node;
  const text = path === '' ? String(message) : `${path}: ${String(message)}`;
  return fileProblem(placeOf(construct), 'stack.validation', text, 'A validation of the construct says so.');
}

/** Of its own resource, else of one that it holds, else of one that it lies in. */
function placeOf({ node }: IConstruct): Position {
  for (const construct of [...node.findAll(), ...node.scopes.toReversed()]) {
    if (isResource(construct)) return construct.origin.position();
  }
  return nowhere;
}

/** All resources of what it depends on; of something that it lies in, only that itself. */
function idsOf(targets: readonly IConstruct[], dependent: Resource): readonly ResourceId[] {
  const around = new Set(dependent.node.scopes);
  const resources = targets.flatMap((target) => (around.has(target) ? [target] : target.node.findAll()));
  return resources.filter(isResource).flatMap((resource) => (resource === dependent ? [] : [resource.id]));
}
