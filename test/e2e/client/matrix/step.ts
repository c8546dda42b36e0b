import { allRows } from '../../../../src/commands/table/rows.ts';
import { type Noun, nouns } from '../../../../src/terminal/nouns.ts';
import type { Platform } from '../../harness/platform.ts';

/** One call of one command. */
export interface Step {
  readonly noun: Noun;
  readonly verb: string;
  /** Behind the verb. */
  readonly words: readonly string[];
  readonly input?: string;
  /** What a line of its text output matches. */
  readonly says?: string;
  /** Commands on this record must have ended before. */
  readonly settled?: string;
}

export type Ask = Platform['call'];

/** A step, or what asks the platform for what it chose itself, and makes one. */
export type Planned = Step | ((ask: Ask) => Promise<Step>);

const rows = await allRows();

/** The command that a line names, and the words behind it. */
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
