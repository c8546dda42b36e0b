import { firstLines, firstOf } from '../../base/text/firstOf.ts';
import type { Rehearse, StackPlan } from '../../gantry/gantry.ts';
import type { Point, Rehearsal, RehearsalProblem, SentRequest } from '../../rehearsal/rehearsal.ts';
import { show } from '../../terminal/answer/show.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { GlobalOptions, PlanTextOptions, RehearseOption } from '../../terminal/line/options.ts';
import type { Palette } from '../../terminal/palette.ts';
import { printable } from '../../terminal/printable.ts';
import { planText } from '../planText/showPlan.ts';

/** More than these are counted only. */
const most = 10;

/** How `--rehearse` is meant. */
export function rehearseOf({ rehearse }: RehearseOption): Rehearse {
  return rehearse ?? false;
}

/** A plan, and below it how it went in rehearsal, where it was rehearsed. */
export function showPlan(
  { plan, rehearsal, toJSON }: StackPlan,
  context: CommandContext<GlobalOptions & PlanTextOptions>,
): Promise<void> {
  return show(context, {
    async text() {
      const text = await planText(plan, context);
      return rehearsal === undefined ? text : `${text}\n\n${renderRehearsal(rehearsal, context.terminal.palette)}`;
    },
    document: toJSON,
  });
}

/** What stands below a plan that was rehearsed. It never says that something is safe: it was tried, not proven. */
export function renderRehearsal(rehearsal: Rehearsal, palette: Palette): string {
  const { problem, requests, stoodInFor, proposed, unreadReferrers } = rehearsal;
  if (problem === undefined && requests === 0) {
    return `${palette.strong('Rehearsal:')} nothing to send; a new plan is empty too.`;
  }
  return [
    ...(problem === undefined ? consistent(rehearsal, palette) : inconsistent(rehearsal, problem, palette)),
    ...named('Not read from the platform; simulated in the rehearsal', stoodInFor),
    ...named(
      'Relies on list keys that the platform does not document (if it uses other keys, the apply stops with ' +
        'apply.divergence)',
      proposed,
    ),
    ...named('Deleted only if nothing else refers to it; not all possible referrers were read', unreadReferrers),
  ].join('\n');
}

function named(what: string, texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [];
  return [`  ${what}: ${firstOf(texts.map(printable), most)}`];
}

function consistent({ requests, points }: Rehearsal, palette: Palette): readonly string[] {
  const untried = points.tried === 0 && points.of > 0 ? '; --rehearse=crash tries them' : '';
  const sample = points.seed === undefined ? untried : `; a sample, seed ${printable(points.seed)}`;
  const tried = `${points.tried} of ${points.of} interruption points${sample}`;
  return [`${palette.strong('Rehearsal:')} consistent in rehearsal: ${requests} requests, ${tried}.`];
}

function inconsistent(rehearsal: Rehearsal, problem: RehearsalProblem, palette: Palette): readonly string[] {
  const { differences } = problem;
  return [
    `${palette.strong('Rehearsal:')} ${palette.refuse('not consistent; the plan is refused.')}`,
    `  ${happened(rehearsal, problem)}:`,
    ...firstLines(differences.map(printable), most).map((line) => `    ${line}`),
  ];
}

function happened({ requests, points }: Rehearsal, { what, point, request }: RehearsalProblem): string {
  if (point !== undefined) {
    const before = `${points.tried} of ${points.of} points converged before it`;
    return `Interrupted ${where(point, requests)} (${before}), ${afterwards[what]}`;
  }
  if (what === 'plan') return 'After the run, a new plan is not empty';
  return request === undefined ? 'The run failed' : `The run failed at ${numbered(request)}`;
}

const afterwards: Readonly<Record<RehearsalProblem['what'], string>> = {
  apply: 'applying a new plan fails',
  state: 'planning and applying again ends in a different state',
  plan: 'after planning and applying again, the plan is still not empty',
};

function where({ request, when }: Point, requests: number): string {
  const place = `${numbered(request)} of ${requests}`;
  return when === 'before' ? `before ${place}` : `after ${place}, its answer lost`;
}

function numbered({ number, method, path }: SentRequest): string {
  return `request ${number} (${method} ${printable(path)})`;
}
