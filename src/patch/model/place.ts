import type { Pointer } from '../../base/json/pointer.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { quoted } from '../../schema/shape/paths.ts';

/** Where in a document we are: as keys and indexes, and in the words of messages. */
export interface Place {
  readonly pointer: Pointer;
  /** Dotted, list items by key. */
  readonly path: string;
}

export const root: Place = { pointer: [], path: '' };

/** `label`: what the path says, where that is not the step itself. */
export function inside(place: Place, step: string | number, label: string = String(step)): Place {
  const text = quoted(label);
  return { pointer: [...place.pointer, step], path: place.path === '' ? text : `${place.path}.${text}` };
}

/** Rule ids of what is wrong with a patch document itself (platform/patch.directives). */
export type PatchRule =
  | 'patch.unknown-directive'
  | 'patch.malformed'
  | 'patch.not-a-list'
  | 'patch.unkeyed-list'
  | 'patch.missing-key'
  | 'patch.append-exists'
  | 'patch.ambiguous-key';

export function patchProblem(rule: PatchRule, place: Place, message: string, hint: string): Problem {
  return { rule, path: place.path, pointer: place.pointer, message, hint, severity: 'error' };
}
