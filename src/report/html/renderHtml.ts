import { script, scriptHash, style, styleHash } from '#report-page';
import type { Report } from '../model/report.ts';
import { visible } from '../text/visible.ts';
import { escapeHtml, jsonInScript } from './escape.ts';
import { pageOf } from './pageOf.ts';

/** Nothing is loaded from anywhere, and nothing runs but the two parts whose hashes these are. */
const policy = [
  "default-src 'none'",
  `script-src '${scriptHash}'`,
  `style-src '${styleHash}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * A page that is whole in itself: its data is a block of JSON, which no browser runs, and its script makes everything
 * that is seen of that, as text.
 */
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
