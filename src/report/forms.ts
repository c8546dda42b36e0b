import type { Report } from './report.ts';

export interface ReportForm {
  readonly name: string;
  /** The endings of its file names. */
  readonly endings: readonly string[];
  /** Whether it shows the proven effect of each PATCH. */
  readonly proofs: boolean;
  /** Loads the form's code on demand. */
  readonly load: () => Promise<(report: Report) => string>;
}

/** Every form of a report. If several endings match a name, the first form is used. */
export const reportForms: readonly ReportForm[] = [
  {
    name: 'html',
    endings: ['.html', '.htm'],
    proofs: true,
    load: async () => (await import('./renderHtml.ts')).renderHtml,
  },
  {
    name: 'markdown',
    endings: ['.md', '.markdown'],
    proofs: true,
    load: async () => (await import('./renderMarkdown.ts')).renderMarkdown,
  },
  {
    name: 'junit',
    endings: ['.xml'],
    proofs: false,
    load: async () => (await import('./renderJunit.ts')).renderJunit,
  },
  {
    name: 'sarif',
    endings: ['.sarif', '.sarif.json'],
    proofs: false,
    load: async () => (await import('./renderSarif.ts')).renderSarif,
  },
  {
    name: 'codequality',
    endings: ['.codequality.json'],
    proofs: false,
    load: async () => (await import('./renderCodequality.ts')).renderCodequality,
  },
  {
    name: 'json',
    endings: ['.json'],
    proofs: false,
    load: async () => (await import('./renderJson.ts')).renderJson,
  },
];

/** Finds a form by its name, or by an ending of its files: `markdown`, `md`. */
export function formNamed(name: string): ReportForm | undefined {
  return reportForms.find((form) => form.name === name) ?? formOfFile(`.${name}`);
}

/** The form for a file of this name. */
export function formOfFile(file: string): ReportForm | undefined {
  return reportForms.find(({ endings }) => endings.some((ending) => file.toLowerCase().endsWith(ending)));
}
