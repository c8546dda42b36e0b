import type { Report } from './model/report.ts';

export interface ReportForm {
  readonly name: string;
  /** How the names of its files end. */
  readonly endings: readonly string[];
  /** It says what each PATCH is proven to do. */
  readonly proofs: boolean;
  /** Its code is loaded where somebody asks for the form. */
  readonly load: () => Promise<(report: Report) => string>;
}

/** Every form of a report. Where several endings fit a name, the first form counts. */
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

/** By its name, or by an ending of its files: `markdown`, `md`. */
export function formNamed(name: string): ReportForm | undefined {
  return reportForms.find((form) => form.name === name) ?? formOfFile(`.${name}`);
}

/** The form that a file of this name has. */
export function formOfFile(file: string): ReportForm | undefined {
  return reportForms.find(({ endings }) => endings.some((ending) => file.toLowerCase().endsWith(ending)));
}
