/** A test of a law with its figures, in words. */
export interface LawRun {
  readonly file: string;
  readonly name: string;
  readonly figures: string;
  readonly milliseconds: number;
}

export interface LawRuns {
  readonly number: number;
  readonly says: string;
  readonly tests: readonly LawRun[];
}

/** The two sections of test/laws.md. */
export const titles = {
  sample: 'In a test run (`npm run laws`)',
  whole: 'In full (`npm run laws -- --whole`; `npm run sweep` and `npm run soak` alone)',
} as const;
type Title = (typeof titles)[keyof typeof titles];

const introduction = `# Laws

The laws, and the tests that show them, with what they run. Written by
\`npm run laws -- --write\`; \`npm run laws\` fails where a run gives anything else, and prints how long each took.
Properties count cases, sweeps the points at which something was interrupted or met, all from fixed seeds or in full.
`;

/**
 * The document with some sections replaced, and the others unchanged. It has no timings, because no law is about them.
 */
export function lawsDocument(anew: { readonly [title in Title]?: readonly LawRuns[] }, before: string): string {
  const sections = Object.values(titles).map((title) => {
    const runs = anew[title];
    return runs === undefined ? sectionOf(before, title) : `## ${title}\n\n${runs.map(entry).join('')}`;
  });
  return `${introduction}\n${sections.map((section) => section.trim()).join('\n\n')}\n`;
}

export function sectionOf(document: string, title: Title): string {
  const [, rest = ''] = document.split(`## ${title}\n`);
  return `## ${title}\n${rest.split('\n## ')[0] ?? ''}`;
}

function entry({ number, says, tests }: LawRuns): string {
  if (tests.length === 0) return '';
  const lines = tests.map(({ file, name, figures }) => `- ${figures}: \`${file}\`, ${name}\n`);
  return `### ${number}. ${says}\n\n${lines.join('')}\n`;
}
