import { ToolError } from '../../base/toolError.ts';
import type { ResourceId } from '../../schema/record/ref.ts';

/** One link of a cycle, with the place where it was written. */
export interface CycleLink {
  readonly from: ResourceId;
  readonly on: ResourceId;
  readonly because: string;
  /** `file:line:column`; undefined for references of live records only. */
  readonly at: string | undefined;
}

/** Resources wait for each other, and no edge among them can be postponed. */
export class DependencyCycleError extends ToolError {
  readonly cycle: readonly CycleLink[];

  constructor(cycle: readonly CycleLink[]) {
    const links = cycle.map(({ from, on, because, at }) => `  ${at ?? 'live'}  ${from} waits for ${on}: ${because}`);
    super({
      code: 'plan.cycle',
      message: ['resources wait for each other:', ...links].join('\n'),
      hint: 'Remove one of these links, then plan again.',
    });
    this.cycle = cycle;
  }
}
