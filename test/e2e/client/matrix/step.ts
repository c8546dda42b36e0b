import { allRows } from '../../../../src/commands/table/rows.ts';
import { type Noun, nouns } from '../../../../src/terminal/nouns.ts';
import type { Platform } from '../../harness/platform.ts';

export interface Step {
  readonly noun: Noun;
  readonly verb: string;
  /** The arguments after the verb. */
  readonly words: readonly string[];
  readonly input?: string;
  /** A regular expression that its text output matches. */
  readonly says?: string;
  /** Path of a record whose commands must have ended before. */
  readonly settled?: string;
}

export type Ask = Platform['call'];

/** A step, or a function that makes one from values that the platform chose. */
export type Planned = Step | ((ask: Ask) => Promise<Step>);

const rows = await allRows();

/** The step of a command line. */
export function stepOf(line: string, more: Omit<Partial<Step>, 'noun' | 'verb' | 'words'> = {}): Step {
  const [first, ...words] = line.split(' ').filter((word) => word !== '');
  const noun = nouns.find((each) => each === first);
  if (noun === undefined) throw new Error(`${first} is no noun`);
  const verb = rows
    .get(noun)
    ?.map((row) => row.verb)
    .find((each) => each === words.slice(0, each.split(' ').length).join(' '));
  if (verb === undefined) throw new Error(`${line} is no command`);
  return { noun, verb, words: words.slice(verb.split(' ').length), ...more };
}
