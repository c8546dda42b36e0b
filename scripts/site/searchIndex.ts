import MiniSearch from 'minisearch';
import { textOf } from './html.ts';
import type { Page } from './page.ts';
import { searchOptions } from './searchOptions.ts';

/** What the search finds: the beginning of a page, or one of its sections. */
interface Entry {
  readonly id: number;
  /** With its anchor. */
  readonly path: string;
  readonly title: string;
  readonly part: string;
  readonly text: string;
}

/** More would make the index larger than what it leads to. */
const longestText = 4_000;

/** The index as a script that the page loads when somebody searches: a file that is opened from a disk may not be fetched. */
export function searchIndexScript(pages: readonly Page[]): string {
  const search = new MiniSearch<Entry>(searchOptions);
  search.addAll(pages.flatMap(sectionsOf).map((entry, id) => ({ id, ...entry })));
  return `globalThis.gantrySearchIndex = ${JSON.stringify(JSON.stringify(search))};\n`;
}

function sectionsOf({ path, title, part, body }: Page): readonly Omit<Entry, 'id'>[] {
  const [head = '', ...rest] = body.split(/(?=<h2 id=")/);
  const beginning = { path, title, part, text: textOf(head).slice(0, longestText) };
  return [
    beginning,
    ...rest.map((html) => {
      const [, id = '', heading = ''] = /^<h2 id="([^"]*)">(.*?)<\/h2>/s.exec(html) ?? [];
      const words = textOf(heading.replace(/<a class="anchor".*?<\/a>/, ''));
      return { path: `${path}#${id}`, title: `${title}: ${words}`, part, text: textOf(html).slice(0, longestText) };
    }),
  ];
}
