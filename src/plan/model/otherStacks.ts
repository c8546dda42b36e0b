import type { DesiredResource, Position } from '../../manifest/model/manifest.ts';
import type { ResourceId } from '../../schema/record/ref.ts';

/** Another stack of the same project: what it declares is known before anything is planned. */
export interface OtherStack {
  readonly owner: string;
  readonly desired: readonly DesiredResource[];
  /** The same run applies it too, so that a deletion can wait for it. */
  readonly inRun: boolean;
}

/** A declared use of something, in another stack. */
export interface DeclaredUse {
  readonly owner: string;
  readonly by: ResourceId;
  readonly path: string;
  readonly at: Position;
  /** The platform refuses the deletion. */
  readonly blocks: boolean;
}
