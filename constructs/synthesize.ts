import type { IConstruct } from 'constructs';
import type { ManifestDocument } from '../src/manifest/document.ts';
import type { JsonObject } from '../src/schema/json.ts';
import type { ResourceId } from '../src/schema/ref.ts';
import { isResource, type Resource } from './resource.ts';

/** The manifest of one construct; its place is the line of user code that made it. */
export interface SynthesizedDocument extends ManifestDocument {
  readonly value: JsonObject;
}

/** One document per resource of the tree, in the order in which they were made. */
export function synthesize(root: IConstruct): readonly SynthesizedDocument[] {
  const documents: SynthesizedDocument[] = [];
  visit(root, [], documents);
  return documents;
}

/** `inherited`: what an enclosing construct waits for, its resources wait for too. */
function visit(construct: IConstruct, inherited: readonly IConstruct[], documents: SynthesizedDocument[]): void {
  const { node } = construct;
  const own = node.dependencies;
  const targets = own.length === 0 ? inherited : [...inherited, ...own];
  if (isResource(construct)) {
    const { origin } = construct;
    documents.push({
      value: construct.toManifest(targets.length === 0 ? [] : idsOf(targets, construct)),
      locate: () => origin.position(),
    });
  }
  const passedOn = isResource(construct) ? inherited : targets;
  for (const child of node.children) visit(child, passedOn, documents);
}

/** All resources of what it depends on; of something that it lies in, only that itself. */
function idsOf(targets: readonly IConstruct[], dependent: Resource): readonly ResourceId[] {
  const around = new Set(dependent.node.scopes);
  const resources = targets.flatMap((target) => (around.has(target) ? [target] : target.node.findAll()));
  return resources.filter(isResource).flatMap((resource) => (resource === dependent ? [] : [resource.id]));
}
