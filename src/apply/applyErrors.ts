import { present } from '../base/json/present.ts';
import { firstOf } from '../base/text/firstOf.ts';
import { ToolError } from '../base/toolError.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { flagOf } from '../plan/model/permits.ts';
import type { BodyProblem } from '../schema/record/problem.ts';
import type { ResourceId } from '../schema/record/ref.ts';

/** The live record has changed since the plan was made. */
export class StaleError extends ToolError {
  readonly id: ResourceId;

  constructor(id: ResourceId, moved: string) {
    super({
      code: 'plan.stale',
      message: `${id} has changed since the plan was made: ${moved}`,
      hint: 'Plan again, review the differences, and apply the new plan.',
      resource: id,
    });
    this.id = id;
  }
}

/** The platform stored something other than the proof of the plan. Nothing more is written after it. */
export class DivergenceError extends ToolError {
  readonly id: ResourceId;
  /** Dotted, list items by key. */
  readonly paths: readonly string[];

  constructor(id: ResourceId, paths: readonly string[], wording: DivergenceWording = unexpectedValues) {
    const { code, hint } = wording;
    super({ code, message: `${id} was written, but ${wording.finding} ${paths.join(', ')}`, hint, resource: id });
    this.id = id;
    this.paths = paths;
  }
}

interface DivergenceWording {
  readonly code: string;
  readonly finding: string;
  readonly hint: string;
}

/** Without these tags, Gantry could not find again what it has written. */
export const tagsNotKept: DivergenceWording = {
  code: 'apply.divergence',
  finding: 'the platform did not keep the tags by which Gantry finds what it owns:',
  hint: 'Gantry cannot be used on this platform, and nothing more was written. Delete by hand what is named here.',
};

const unexpectedValues: DivergenceWording = {
  code: 'apply.divergence',
  finding: 'the platform returned unexpected values for',
  hint:
    'Nothing more was written. Read the record, plan again, and report this: ' +
    'the platform behaves differently than Gantry expects.',
};

/** The platform stores the keys of tags in lower case. */
export const tagsInLowerCase: DivergenceWording = {
  code: 'apply.tag-case',
  finding: 'the platform has the keys of its tags in lower case:',
  hint: 'Nothing more was written. Declare these keys in lower case, and apply again.',
};

/** The resource was written, or is unchanged, and did not become ready in time. */
export class NotReadyError extends ToolError {
  constructor(id: ResourceId, ms: number, last: string) {
    super({
      code: 'apply.not-ready',
      message: `${id} was not ready after ${Math.round(ms / 1000)} s: ${last}`,
      hint:
        'gantry status shows why. Apply again with --wait to wait longer; ' +
        '--wait-timeout and lifecycle.waitTimeout set how long.',
    });
  }
}

/** The platform would refuse the creation of a replacement, so nothing was deleted. */
export class CreationRefusedError extends ToolError {
  constructor(created: ResourceId, deleted: ResourceId, problems: readonly BodyProblem[]) {
    const what = created === deleted ? 'it again' : `${created} in its place`;
    const lines = problems
      .slice(0, mostProblems)
      .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    const more = problems.length > mostProblems ? [`… and ${problems.length - mostProblems} more`] : [];
    super({
      code: 'apply.creation-refused',
      message:
        `${deleted} was not deleted, because the platform would refuse to ` +
        `create ${what}: ${[...lines, ...more].join('\n  ')}`,
      hint: 'Nothing was written to it. Correct these problems, then plan again.',
      resource: created,
      causes: lines.map((message) => ({ code: 'api.invalid', message, resource: created })),
    });
  }
}

/** The platform does not accept the mark of a replacement, so nothing was deleted. */
export class UnmarkedError extends ToolError {
  constructor(id: ResourceId, refused: ToolError, carries: readonly string[]) {
    super({
      code: 'apply.unmarked',
      message:
        `${id} was not deleted: it could not be marked (${refused.message}), so if the run had been killed ` +
        `before it was created again, this would have been lost: ${firstOf(carries, 10)}`,
      hint: `${flagOf('allowUnmarked')} replaces it anyway.`,
      resource: id,
      cause: refused,
    });
  }
}

/** The platform does not delete a GVC with its content, and some of that content belongs to other owners. */
export class NotEmptyError extends ToolError {
  constructor(id: ResourceId, strangers: readonly ResourceId[]) {
    super({
      code: 'apply.not-empty',
      message: `${id} was not deleted: the platform does not delete a GVC that is not empty, and others own ${firstOf([...strangers].sort(), 10)}`,
      hint: 'Delete these, or ask their owners to; then apply again.',
      resource: id,
    });
  }
}

/** The platform refuses to delete a referenced record. `refused` names the referrers, if the platform does. */
export class InUseError extends ToolError {
  constructor(id: ResourceId, refused: ToolError) {
    super({
      code: 'apply.in-use',
      message: `${id} was not deleted: the platform refuses that each time, as of a record that is busy or in use (${refused.message})`,
      hint: 'Remove what refers to it, or wait until it is free, and apply again. --consistency-timeout sets how long a refused deletion is repeated.',
      resource: id,
      cause: refused,
    });
  }
}

/** The platform does not allow the name of a deleted record to be used again. */
export class NameSpentError extends ToolError {
  /** `refused` is set if this run deleted the record; otherwise the reason was found before the deletion. */
  constructor(id: ResourceId, refused?: ToolError) {
    const words = 'the platform does not give the name of a deleted record again';
    super({
      code: 'apply.name-spent',
      message:
        refused === undefined
          ? `${id} was not deleted, because it could not be created again: ${words}`
          : `${id} was deleted to be replaced, and cannot be created again: ${words} (${refused.message})`,
      hint:
        refused === undefined
          ? 'Nothing was written to it. Give the new resource another name: lifecycle.previously moves to it what refers to this one.'
          : 'Give it another name in your code, and apply again: it is created as declared, and what refers to it is changed.',
      resource: id,
      ...present({ cause: refused }),
    });
  }
}

/** The maximum number of problems in one message. */
const mostProblems = 20;

export class TimeoutError extends ToolError {
  /** `because`: what is known of the reason. */
  constructor(id: ResourceId, waitedFor: string, ms: number, because?: string) {
    super({
      code: 'apply.timeout',
      message: `${id} was not ${waitedFor} after ${Math.round(ms / 1000)} s${because === undefined ? '' : `: ${because}`}`,
      hint: 'It may still become so. Apply again to continue.',
      resource: id,
    });
  }
}

/** The run was interrupted while a change waited; this is not an error of the change. */
export class Interrupted extends Error {}

/** How the record has changed, in words. */
export function movement(live: LiveResource | undefined, uid: string | undefined, version: number | undefined): string {
  if (live === undefined) return 'it no longer exists';
  if (live.uid !== uid) return 'it was deleted, and another record was created under its name';
  if (live.version === version) return `it was written since, although its version is still ${version}`;
  return `it was at version ${version ?? '?'}, now it is at ${live.version}`;
}

export function isCode(error: unknown, ...codes: readonly string[]): error is ToolError {
  return error instanceof ToolError && codes.includes(error.code);
}
