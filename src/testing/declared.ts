import { readFileSync } from 'node:fs';
import type { IConstruct } from 'constructs';
import { validators } from '#validators/declarable';
import { resolve } from '../../constructs/resolve.ts';
import { StackError } from '../../constructs/stackError.ts';
import { synthesize } from '../../constructs/synthesize.ts';
import type { JsonObject } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { type CheckedManifests, checkManifests } from '../manifest/checkManifests.ts';
import { withFieldPlaces } from '../manifest/fieldPlaces.ts';
import type { LocatedProblem } from '../manifest/model/locatedProblem.ts';
import type { ManifestDocument } from '../manifest/model/manifest.ts';
import { graphProblems } from '../plan/order/orderChanges.ts';

/** Values that the project's settings provide outside of tests. */
export interface SynthOptions {
  /** @default test */
  readonly org?: string;
  /** The GVC for `gvc: { fromSettings: true }`. */
  readonly gvc?: string;
}

/** Declared resources: a tree of constructs or a part of one, or manifests. */
export type Declaration = IConstruct | readonly JsonObject[];

export interface Declared extends CheckedManifests {
  readonly documents: readonly ManifestDocument[];
  /** Problems of the tree itself, which may prevent resources. */
  readonly ofTree: readonly LocatedProblem[];
}

/**
 * The declared resources, checked by every rule that needs no platform. Those with errors are included as far as they
 * can be read.
 */
export function declared(declaration: Declaration, { org = 'test', gvc }: SynthOptions = {}): Declared {
  const { documents, problems: ofTree } = synthesized(declaration);
  const checked = checkManifests(documents, { org, ...present({ gvc }), validators });
  const ofGraph = graphProblems(checked.resources, org);
  return { ...checked, problems: [...ofTree, ...checked.problems, ...ofGraph], ofTree, documents };
}

/** All errors, each at the field in the code of the stack. */
export function errorsOf(declaration: Declaration, options?: SynthOptions): readonly LocatedProblem[] {
  return declared(declaration, options).problems.filter(({ severity }) => severity === 'error');
}

/** The manifests as data, and the problems of their tree. */
function synthesized(declaration: Declaration): StackParts {
  if (isConstruct(declaration)) {
    const { documents, problems } = partsOf(declaration);
    return { documents: withFieldPlaces(documents, (file) => readFileSync(file, 'utf8')), problems };
  }
  const documents = declaration.map((manifest, index) => {
    const position = { file: `manifests[${index}]`, line: 1, column: 1 };
    return { value: resolve([manifest]).manifest, locate: () => position };
  });
  return { documents, problems: [] };
}

interface StackParts {
  readonly documents: readonly ManifestDocument[];
  readonly problems: readonly LocatedProblem[];
}

function partsOf(construct: IConstruct): StackParts {
  try {
    return { documents: synthesize(construct), problems: [] };
  } catch (error) {
    if (error instanceof StackError) return error;
    throw error;
  }
}

export function isConstruct(value: unknown): value is IConstruct {
  return typeof value === 'object' && value !== null && 'node' in value;
}
