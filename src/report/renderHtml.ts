import { script, scriptHash, style, styleHash } from '#report-page';
import { compact, present } from '../base/json/present.ts';
import { firstOf } from '../base/text/firstOf.ts';
import { escapeHtml } from '../base/text/html.ts';
import { visible } from './invisibleCharacters.ts';
import type { PageData } from './pageData.ts';
import { pagePlan } from './pagePlan.ts';
import type { Report, ReportedError } from './report.ts';
import { driftTree } from './tree/drift.ts';
import { explanationTree } from './tree/explanation.ts';
import { grown } from './tree/tree.ts';

/** Nothing is loaded, and only the two parts with these hashes run. */
const policy = [
  "default-src 'none'",
  `script-src '${scriptHash}'`,
  `style-src '${styleHash}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** A self-contained page: its data is a block of JSON, which no browser runs, and its script shows the data as text. */
export function renderHtml(report: Report): string {
  const page = pageOf(report);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${escapeHtml(visible(page.title))}</title>
<style>${style}</style>
</head>
<body>
<div id="page" aria-busy="true"></div>
<noscript>${escapeHtml(visible(page.title))}: this page is drawn by a script of its own, and scripts are off here. The other forms of the report need none: gantry show FILE --report FILE.md</noscript>
<script type="application/json" id="report">${jsonInScript(page)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** Characters that could end the block or begin a comment in it, and those that reorder the displayed source. */
const unsafe = /[<>&\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** JSON for a block in a page: all special characters are written as `\uXXXX`, which means the same. */
export function jsonInScript(value: object): string {
  return JSON.stringify(value).replace(unsafe, (found) =>
    Array.from(
      { length: found.length },
      (_, unit) => `\\u${found.charCodeAt(unit).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

function pageOf(report: Report): PageData {
  const { tool, command, subject, made, outcome, exitCode, error, drifts, explanation, problems } = report;
  return {
    title: titleOf(report),
    ...{ tool, command, subject, outcome, exitCode, problems },
    sections: compact([
      ...drifts.map(driftTree),
      explanation === undefined ? undefined : explanationTree(explanation),
    ]).map((section) => grown(section)),
    plans: report.plans.map(pagePlan),
    ...present({ made, error: error === undefined ? undefined : errorOf(error) }),
  };
}

/** The title of the page of each command. */
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

function titleOf({ command, subject: { stack, stacks = compact([stack]), org } }: Report): string {
  if (stacks.length > 0) return `${titles[command]} of ${firstOf(stacks, mostInTitle)}`;
  return org === undefined ? titles[command] : `${titles[command]} in ${org}`;
}

const mostInTitle = 5;

/** JSON does not include an error's message. */
function errorOf({ code, message, hint, resource, place, causes }: ReportedError): ReportedError {
  return { code, message, hint, resource, place, causes };
}
