import { counted } from '../../base/text/counted.ts';
import { actionWords } from '../../plan/model/actionWords.ts';
import { type Risk, worse } from '../../schema/facts/risk.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Report, ReportedCommand, ReportedPlan } from '../model/report.ts';
import { code, codes } from './inline.ts';
import { mostStacks } from './sections.ts';

const titles: Readonly<Record<ReportedCommand, string>> = {
  plan: 'Gantry plan',
  show: 'Gantry plan',
  apply: 'Gantry apply',
  destroy: 'Gantry destroy',
  undo: 'Gantry undo',
  drift: 'Gantry drift',
  validate: 'Gantry validation',
  explain: 'Gantry explanation',
};

/** `### Gantry plan: shop in acme, environment prod`. */
export function title({
  command,
  subject: { stack, stacks = stack === undefined ? [] : [stack], org, environment },
}: Report): string {
  const of = [
    ...(stacks.length === 0 ? [] : [codes(stacks, mostInTitle, 100)]),
    ...(org === undefined ? [] : [`in ${code(org, 100)}`]),
    ...(environment === undefined ? [] : [`environment ${code(environment, 100)}`]),
  ];
  return `### ${titles[command]}${of.length === 0 ? '' : `: ${of.join(' ')}`}`;
}

/** What an outcome means. One without words does not compile. */
const words: Readonly<Record<Outcome, string>> = {
  'no-changes': 'No changes.',
  changes: 'Changes are planned.',
  refused: 'Refused: nothing was written, and nothing will be.',
  done: 'Done: everything that was planned is written.',
  partly: 'Partly done: something was written, and something else was not.',
  'not-ready': 'Everything is written, but not everything became ready in time.',
  failed: 'Failed.',
  stale: 'Stale: what is live has changed since the plan was made; nothing was written.',
  interrupted: 'Interrupted.',
  drift: 'Drift: something changed outside of the code.',
  'no-drift': 'No drift.',
  valid: 'Valid.',
  invalid: 'Not valid.',
  explained: 'Explained.',
};

/** The outcome, and for each plan its counts and its worst risk. */
export function headline({ outcome, plans, error }: Report): readonly string[] {
  const shown = planLines(plans);
  const more = plans.length - shown.length;
  return [
    `**${words[outcome]}**${error === undefined ? '' : ` ${code(error.code)}: ${code(error.message)}`}`,
    ...(shown.length === 0 ? [] : [[...shown, ...(more > 0 ? [`- and ${more} more stacks`] : [])].join('\n')]),
    ...(error?.hint === undefined ? [] : [`What to do: ${code(error.hint)}`]),
  ];
}

const mostInTitle = 5;
/** In characters. */
const roomForPlans = 12_000;
const mostNamed = 3;

/** Of as many as there is room for. */
function planLines(plans: readonly ReportedPlan[]): readonly string[] {
  let left = roomForPlans;
  const lines = plans.slice(0, mostStacks).map((plan) => planLine(plan, plans.length > 1));
  return lines.filter(({ length }) => {
    left -= length;
    return left >= 0;
  });
}

function planLine({ document }: ReportedPlan, named: boolean): string {
  const { stack, summary, changes, risk, requests } = document;
  const counts = Object.entries(actionWords).flatMap(([action, { todo }]) => {
    const count = changes.filter((change) => change.action === action).length;
    return count === 0 ? [] : [`${count} ${todo}`];
  });
  const said = counts.length === 0 ? 'nothing is declared' : counts.join(', ');
  const worst = worstText(changes, risk);
  const sent = summary.keep === changes.length ? '' : ` ${counted(requests.apply, 'request')} to apply.`;
  return `- ${named ? `${code(stack)}: ` : ''}${said}.${worst}${sent}`;
}

function worstText(changes: ReportedPlan['document']['changes'], risk: Risk): string {
  if (worse(risk, 'metadata') === 'metadata') return '';
  const ids = changes.filter((change) => change.risk === risk).map(({ id }) => id);
  return ` Worst risk: **${risk}** (${codes(ids, mostNamed)}).`;
}
