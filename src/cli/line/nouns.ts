import { creatableKinds } from '../../schema/record/kinds.ts';

/** The first words of commands on single resources: the kinds, and three others. None is the name of a command. */
export const nouns = [
  ...creatableKinds,
  'image',
  'org',
  'quota',
  'task',
  'user',
  'completion',
  'profile',
  'rest',
] as const;
export type Noun = (typeof nouns)[number];

/** Options that stand before the noun and have a value. */
const valued = /^(?:-o|--(?:profile|org|gvc|endpoint|token|token-file|data|dialect|output|ts|max))$/;

/** The command line with the noun in front, if it is one on single resources. */
export function nounFirst(args: readonly string[]): readonly [Noun, ...string[]] | undefined {
  let at = 0;
  while (args[at]?.startsWith('-') === true && args[at] !== '--') at += valued.test(args[at] ?? '') ? 2 : 1;
  const noun = nouns.find((each) => each === args[at]);
  return noun === undefined ? undefined : [noun, ...args.slice(at + 1), ...args.slice(0, at)];
}
