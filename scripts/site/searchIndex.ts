import MiniSearch from 'minisearch';
import { textOf } from './html.ts';
import { type Page, splitBody } from './page.ts';
import { searchOptions } from './searchOptions.ts';

/** A hit of the search: the beginning of a page, or one of its sections. */
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
  search.addAll(pages.flatMap(entriesOf).map((entry, id) => ({ id, ...entry })));
  return `globalThis.gantrySearchIndex = ${JSON.stringify(JSON.stringify(search))};\n`;
}

function entriesOf({ path, title, part, body }: Page): readonly Omit<Entry, 'id'>[] {
  const { beginning, sections } = splitBody(body);
  return [
    { path, title, part, text: textOf(beginning).slice(0, longestText) },
    ...sections.map((section) => ({
      path: `${path}#${section.id}`,
      title: `${title}: ${section.title}`,
      part,
      text: textOf(section.html).slice(0, longestText),
    })),
  ];
}
