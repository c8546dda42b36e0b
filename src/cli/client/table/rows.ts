import type { Noun } from '../../line/nouns.ts';
import type { CommandRow } from '../call/command.ts';
import { genericRows } from './generic.ts';
import { ownRows } from './kinds.ts';
import { completionRows, profileRows, restRows } from './others.ts';

/** Every command of a noun, in alphabetical order. */
export function rowsOf(noun: Noun): readonly CommandRow[] {
  if (noun === 'profile') return profileRows;
  if (noun === 'rest') return restRows;
  if (noun === 'completion') return completionRows;
  return [...genericRows(noun), ...ownRows(noun)].sort((a, b) => (a.verb < b.verb ? -1 : 1));
}

/** What a noun is, in its help. */
export function aboutNoun(noun: Noun): string {
  if (noun === 'profile') return 'Profiles: where a platform is, and who you are there.';
  if (noun === 'rest') return 'Requests to any path of the platform.';
  if (noun === 'completion') return 'Completion of command lines in a shell, with the names of resources.';
  return `Commands on single resources of the kind ${noun}.`;
}
