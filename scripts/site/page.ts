/** One page of the site. */
export interface Page {
  /** From the top of the site: `kinds/workload.html`. */
  readonly path: string;
  readonly title: string;
  /** The part of the navigation that it belongs to. */
  readonly part: Part;
  /** False: it is found by search and links alone. */
  readonly isListed?: boolean;
  /** HTML. Headings of the second level carry an `id`, and begin a section of their own in the search. */
  readonly body: string;
}

/** In the order of the navigation. */
export const parts = [
  'Start',
  'Guides',
  'Reference',
  'Kinds',
  'API',
  'Commands',
  'Terraform',
  'Platform',
  'About',
] as const;
export type Part = (typeof parts)[number];

/** The way from one page to another. */
export function relativePath(from: string, to: string): string {
  const up = from.split('/').length - 1;
  return `${'../'.repeat(up)}${to}`;
}
