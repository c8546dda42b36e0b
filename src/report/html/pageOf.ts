import type { Report, ReportedError, ReportedPlan } from '../model/report.ts';
import type { PageData, PagePlan } from './pageData.ts';
import { pictureOf } from './picture/picture.ts';

/** What the page of a report shows. */
export function pageOf(report: Report): PageData {
  const { tool, command, subject, outcome, exitCode, error, drift, explanation, problems } = report;
  return {
    title: titleOf(report),
    ...{ tool, command, subject, outcome, exitCode, problems },
    plans: report.plans.map(planOf),
    ...(error === undefined ? {} : { error: errorOf(error) }),
    ...(drift === undefined ? {} : { drift }),
    ...(explanation === undefined ? {} : { explanation }),
  };
}

/** What each command is called at the top of its page. */
const titles: Readonly<Record<Report['command'], string>> = {
  plan: 'Plan',
  apply: 'Apply',
  destroy: 'Destroy',
  undo: 'Undo',
  show: 'Saved plan',
  drift: 'Drift',
  validate: 'Validation',
  explain: 'Explanation',
};

function titleOf({ command, subject: { stack, org } }: Report): string {
  if (stack !== undefined) return `${titles[command]} of ${stack}`;
  return org === undefined ? titles[command] : `${titles[command]} in ${org}`;
}

function planOf({ document, outcome, proofs }: ReportedPlan): PagePlan {
  const picture = document.changes.length === 0 ? undefined : pictureOf(document.changes);
  return { document, outcome, proofs: Object.fromEntries(proofs), picture: picture ?? null };
}

/** An error keeps its message where JSON does not look. */
function errorOf({ code, message, hint, resource, place, causes }: ReportedError): ReportedError {
  return { code, message, hint, resource, place, causes };
}
