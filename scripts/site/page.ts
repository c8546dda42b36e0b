import { textOf } from './html.ts';

/** One page of the site. */
export interface Page {
  /** Relative to the top of the site: `kinds/workload.html`. */
  readonly path: string;
  readonly title: string;
  /** Its part of the navigation. */
  readonly part: Part;
  /** False if it is only found by search and links. */
  readonly isListed?: boolean;
  /** HTML. Headings of the second level have an `id`, and begin a new section in the search. */
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

/** The relative path from one page to another. */
export function relativePath(from: string, to: string): string {
  const up = from.split('/').length - 1;
  return `${'../'.repeat(up)}${to}`;
}

/** The pages of the navigation, in its order. */
export function listedPages(pages: readonly Page[]): readonly Page[] {
  return parts.flatMap((part) => pages.filter((page) => page.part === part && page.isListed !== false));
}

export interface Section {
  readonly id: string;
  readonly title: string;
  /** Including its heading. */
  readonly html: string;
}

/** The text before the first heading of the second level, and a section for each of these. */
export function splitBody(body: string): { readonly beginning: string; readonly sections: readonly Section[] } {
  const [beginning = '', ...rest] = body.split(/(?=<h2 id=")/);
  const sections = rest.map((html) => {
    const [, id = '', heading = ''] = /^<h2 id="([^"]*)">(.*?)<\/h2>/s.exec(html) ?? [];
    return { id, title: textOf(heading.replace(/<a class="anchor".*?<\/a>/, '')), html };
  });
  return { beginning, sections };
}

/** Shared by the generator, which writes the index, and the page, which reads it. */
export const searchOptions = {
  fields: ['title', 'text'],
  storeFields: ['path', 'title', 'part'],
  // `firewallConfig.external` is found by each of its words, `inboundAllowCIDR` as a whole.
  tokenize: (text: string): string[] => text.split(/[\s\p{P}\p{S}]+/u).filter((word) => word !== ''),
  searchOptions: {
    prefix: true,
    fuzzy: 0.15,
    boost: { title: 3 },
    combineWith: 'AND' as const,
    // The sections of the Terraform provider's reference have the same headings on each page.
    boostDocument: (_: unknown, __: string, stored: Readonly<Record<string, unknown>> = {}): number =>
      /^terraform\/.*#/.test(String(stored['path'])) ? 0.3 : 1,
  },
};
