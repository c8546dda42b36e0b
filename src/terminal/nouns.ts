import { creatableKinds } from '../schema/record/kinds.ts';

/** The first words of commands on single resources: the kinds, and some others. */
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

/** Options with a value that may precede the noun. */
const valued = /^(?:-o|--(?:profile|org|gvc|endpoint|token|token-file|data|dialect|output|ts|max))$/;

/** Commands of the project that begin with a noun: `gantry policy test` is about policies as code. */
const ofProject: Readonly<Partial<Record<Noun, readonly string[]>>> = { policy: ['test'] };

/** Moves the noun of a command line on single resources to the front; undefined for others. */
export function nounFirst(args: readonly string[]): readonly [Noun, ...string[]] | undefined {
  const at = wordAt(0, args);
  const noun = nouns.find((each) => each === args[at]);
  if (noun !== undefined && ofProject[noun]?.includes(wordAfter(at, args)) === true) return undefined;
  return noun === undefined ? undefined : [noun, ...args.slice(at + 1), ...args.slice(0, at)];
}

function wordAfter(at: number, args: readonly string[]): string {
  return args[wordAt(at + 1, args)] ?? '';
}

/** The index of the first word from here that is neither an option nor a value of one. */
function wordAt(from: number, args: readonly string[]): number {
  let at = from;
  while (args[at]?.startsWith('-') === true && args[at] !== '--') at += valued.test(args[at] ?? '') ? 2 : 1;
  return at;
}
