import type { DriftDocument } from '../../change/documents/driftDocument.ts';
import type { Report, ReportedPlan } from '../model/report.ts';
import { type DetailItem, detailItems } from './detailItems.ts';
import { explanationFacts } from './explanationText.ts';
import { code } from './inline.ts';
import { planFacts } from './planFacts.ts';

/** What belongs together: one of several stacks, or all that there is. */
export interface Section {
  /** Its heading, where it has one, and what is said of it as a whole. */
  readonly before: readonly string[];
  /** How much of that there was no room for. */
  readonly missing: number;
  readonly items: readonly DetailItem[];
}

/** More stacks are counted only, in the headline too. */
export const mostStacks = 40;
/** Of what is said of plans as a whole, in characters. */
const roomForFacts = 16_000;

export function sectionsOf(report: Report): readonly Section[] {
  const { plans, drifts, explanation } = report;
  if (plans.length > 1)
    return [...plans.slice(0, mostStacks).map(ofStack), ofOthers({ plans: plans.slice(mostStacks) })];
  if (drifts.length > 1)
    return [...drifts.slice(0, mostStacks).map(ofDrift), ofOthers({ drifts: drifts.slice(mostStacks) })];
  const { before, missing } = fitting(plans.flatMap(planFacts), roomForFacts);
  const explained = explanation === undefined ? [] : [explanationFacts(explanation)];
  return [{ before: [...before, ...explained], missing, items: detailItems(report) }];
}

function ofStack(plan: ReportedPlan, _: number, { length }: readonly ReportedPlan[]): Section {
  const { before, missing } = fitting(planFacts(plan), Math.floor(roomForFacts / length));
  const heading = `#### Stack ${code(plan.document.stack, 100)}`;
  return { before: [heading, ...before], missing, items: detailItems({ plans: [plan], drifts: [] }) };
}

function ofDrift(drift: DriftDocument): Section {
  const before = [`#### Stack ${code(drift.stack, 100)}`, ...(drift.drifted ? [] : ['No drift.'])];
  return { before, missing: 0, items: detailItems({ plans: [], drifts: [drift] }) };
}

function ofOthers({ plans = [], drifts = [] }: Partial<Pick<Report, 'plans' | 'drifts'>>): Section {
  const items = detailItems({ plans, drifts }).map((item) => ({ ...item, levels: [''] }));
  return { before: [], missing: plans.flatMap(planFacts).length, items };
}

function fitting(facts: readonly string[], room: number): Pick<Section, 'before' | 'missing'> {
  let left = room;
  const before = facts.filter(({ length }) => {
    if (length > left) return false;
    left -= length;
    return true;
  });
  return { before, missing: facts.length - before.length };
}
