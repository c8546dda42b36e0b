import type { IConstruct } from 'constructs';
import { StackError } from '../../constructs/stackError.ts';
import { synthesize } from '../../constructs/synthesize.ts';
import { resolve } from '../../constructs/values/resolve.ts';
import { type CheckedManifests, checkManifests } from '../manifest/check/checkManifests.ts';
import type { ManifestDocument } from '../manifest/model/document.ts';
import type { LocatedProblem } from '../manifest/model/locatedProblem.ts';
import type { JsonObject } from '../schema/json/json.ts';
import { validators } from './validators.ts';

/** Where the resources of a test are: what the settings say elsewhere. */
export interface SynthOptions {
  /** @default test */
  readonly org?: string;
  /** What `gvc: { fromSettings: true }` stands for. */
  readonly gvc?: string;
}

/** What declares resources: a tree of constructs or a part of one, or manifests. */
export type Declaration = IConstruct | readonly JsonObject[];

export interface Declared extends CheckedManifests {
  readonly documents: readonly ManifestDocument[];
}

/** What is declared, checked by every rule that needs no platform. Errors: `StackError`, where nothing can be checked. */
export function declared(declaration: Declaration, { org = 'test', gvc }: SynthOptions = {}): Declared {
  const documents = documentsOf(declaration);
  const checked = checkManifests(documents, { org, ...(gvc === undefined ? {} : { gvc }), validators });
  return { ...checked, documents };
}

/** All that is wrong, each at the line of the stack that made the resource. */
export function errorsOf(declaration: Declaration, options?: SynthOptions): readonly LocatedProblem[] {
  try {
    return declared(declaration, options).problems.filter(({ severity }) => severity === 'error');
  } catch (error) {
    if (error instanceof StackError) return error.problems;
    throw error;
  }
}

function documentsOf(declaration: Declaration): readonly ManifestDocument[] {
  if (isConstruct(declaration)) return synthesize(declaration);
  return declaration.map((manifest, index) => {
    const position = { file: `manifests[${index}]`, line: 1, column: 1 };
    return { value: resolve([manifest]).manifest, locate: () => position };
  });
}

export function isConstruct(value: unknown): value is IConstruct {
  return typeof value === 'object' && value !== null && 'node' in value;
}
