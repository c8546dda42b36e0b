import type { JsonObject } from '../base/json/json.ts';
import { type RehearsalDocument, rehearsalForm } from '../change/documents/rehearsalDocument.ts';
import type { ResourceId } from '../schema/record/ref.ts';

/** The result of a plan on an embedded platform that starts with the live state. */
export interface Rehearsal {
  /** Requests that the undisturbed run sent. */
  readonly requests: number;
  readonly points: Points;
  /** Records that were not read and had to be there, in words: `user/ann@example.com`, `secret/db (its values)`. */
  readonly stoodInFor: readonly string[];
  /** Rulings of ours about the platform that the plan relies on, in words. */
  readonly proposed: readonly string[];
  /** Deletions whose referrers were not all read: the real platform refuses to delete what is referred to. */
  readonly unreadReferrers: readonly ResourceId[];
  /** Absent: it is consistent. */
  readonly problem?: RehearsalProblem;
}

/** Points of interruption: before each request of the undisturbed run, and after each whose answer is lost. */
export interface Points {
  readonly tried: number;
  readonly of: number;
  /** Of the sample; absent where none was drawn. */
  readonly seed?: string;
}

export interface RehearsalProblem {
  /** `apply`: the run itself; `plan`: the plan after it; `state`: the state after an interruption. */
  readonly what: 'apply' | 'plan' | 'state';
  /** The point of interruption that did not converge; absent for the undisturbed run. */
  readonly point?: Point;
  /** The request of the undisturbed run that was refused or answered unexpectedly, if there is a single one. */
  readonly request?: SentRequest;
  /** The differences, sorted; no value is in it. */
  readonly differences: readonly string[];
}

/** One request of the undisturbed run. */
export interface SentRequest {
  /** From 1. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
}

export interface Point {
  readonly request: SentRequest;
  readonly when: 'before' | 'after';
}

/** In its documented form. */
export function rehearsalDocument(rehearsal: Rehearsal): RehearsalDocument {
  const { problem, ...others } = rehearsal;
  if (problem === undefined) return { ...others, consistent: true };
  const { point, ...what } = problem;
  const place = point === undefined ? {} : { point: { ...point.request, when: point.when } };
  return { ...others, consistent: false, problem: { ...what, ...place } };
}

export function rehearsalToJson(rehearsal: Rehearsal): JsonObject {
  return rehearsalForm.write(rehearsalDocument(rehearsal));
}

/** `kind/[gvc/]name` whose values were not read. */
export function valuesOf(id: ResourceId): string {
  return `${id} (its values)`;
}
