// The entry `gantry/automation`: the steps of the command line for programs. Each step loads its own code.

import { ToolError } from './base/toolError.ts';
import type { Gantry as OpenGantry, OpenOptions } from './gantry/gantry.ts';

/** A project and its platform. Opened by `Gantry.open()`, and closed by `close()` or `await using`. */
export type Gantry = OpenGantry;

export const Gantry = {
  /**
   * Opens a project; its platform is opened at its first use. Errors: `settings.file`, `automation.option`,
   * `automation.node`.
   *
   * @example
   * await using gantry = await Gantry.open({ project: 'infra', embedded: 'memory' });
   * const plan = await gantry.plan(await gantry.load());
   * await gantry.apply(plan, { on: (event) => console.log(event.type, event.id) });
   */
  async open(options: OpenOptions = {}): Promise<Gantry> {
    const { node } = process.versions;
    const [major = 0, minor = 0] = node.split('.').map(Number);
    if (major < 22 || (major === 22 && minor < 19)) throw tooOld(node);
    const { openGantry } = await import('./gantry/openGantry.ts');
    return openGantry(options);
  },
} as const;

function tooOld(node: string): ToolError {
  return new ToolError({
    code: 'automation.node',
    message: `gantry/automation and the rehearsals of gantry/testing need Node 22.19 or newer, this is ${node}`,
    hint: 'Add a newer one to your project: npm install -D node@24. Then run through npx or an npm script.',
  });
}

export type { ApplyEvent, ApplyResult, ChangeRun, Failed, RunOutcome, Skipped } from './apply/events.ts';
export type { ErrorCause } from './base/toolError.ts';
export type { Drift, DriftRecord } from './change/drift.ts';
export type { Explanation } from './change/explanation.ts';
export type { StackStatus } from './change/status.ts';
export type { AdoptionFile } from './gantry/adoptionFiles.ts';
export type { Adoption } from './gantry/adoptLive.ts';
export type {
  Abortable,
  AdoptOptions,
  Applied,
  ApplyError,
  ApplyOptions,
  ApproveOptions,
  LoadOptions,
  NewPlan,
  OpenOptions,
  PlanOptions,
  Rehearse,
  RehearseOptions,
  SignOptions,
  Stack,
  StackPlan,
  StackSource,
  StoredPlan,
  Synthesizable,
  UndoOptions,
  Validation,
} from './gantry/gantry.ts';
export type { LiveResource } from './manifest/live/snapshot.ts';
export type { LocatedProblem } from './manifest/model/locatedProblem.ts';
export type { DesiredResource } from './manifest/model/manifest.ts';
export type { Action, Change, FieldChange } from './plan/model/change.ts';
export type { Permits } from './plan/model/permits.ts';
export type { Plan } from './plan/model/plan.ts';
export type { GraphLink, GraphNode, ResourceGraph } from './plan/order/desiredGraph.ts';
export type { Notice } from './project/session/event.ts';
export type { Rehearsal } from './rehearsal/rehearsal.ts';
export { ToolError };
