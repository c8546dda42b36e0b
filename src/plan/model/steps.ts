import type { Position } from '../../manifest/model/manifest.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { Draft } from './draft.ts';

/** The steps of a change: its first write (or its deletion), the DELETE half of a replacement, the second write. */
export type Step = 'main' | 'delete' | 'then';

export interface StepEdge {
  readonly from: ResourceId;
  readonly fromStep: Step;
  readonly on: ResourceId;
  readonly onStep: Step;
  readonly because: string;
  readonly soft: boolean;
  readonly ready: boolean;
  /** The waiting step would be refused, or stuck, without the other, although that is there already. */
  readonly needed?: true;
  /** Of a deletion: it does not need the other itself, but what is created in its place does. */
  readonly forCreation?: true;
  /** Its position in the manifest; undefined for references of live records only. */
  readonly locate?: (() => Position) | undefined;
}

/** The step that deletes the live record. */
export function deletionStep(draft: Draft): Step {
  return draft.action === 'replace' ? 'delete' : 'main';
}

export function stepsOf(draft: Draft): readonly Step[] {
  const steps: Step[] = [];
  if (draft.action === 'replace') steps.push('delete');
  steps.push('main');
  if (draft.then !== undefined) steps.push('then');
  return steps;
}

/** A draft in an edge; `step`: by default its main one. */
interface EdgeEnd {
  readonly draft: Draft;
  readonly step?: Step;
}

/** An edge that does not come from a field; its position is that of the waiting resource. */
export function derivedEdge(from: EdgeEnd, on: EdgeEnd, because: string, soft: boolean): StepEdge {
  const { desired } = from.draft;
  const locate = desired === undefined ? undefined : () => desired.locate([]);
  const steps = { fromStep: from.step ?? 'main', onStep: on.step ?? 'main' } as const;
  return { from: from.draft.id, on: on.draft.id, ...steps, because, soft, ready: false, locate };
}
