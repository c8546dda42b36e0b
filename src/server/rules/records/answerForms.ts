/**
 * How an installation may show a record otherwise than the embedded platform does, and mean the same
 * (platform/concepts.tags, platform/concepts.rewritten): for tests of what must not be noticed.
 *
 * - `bare`: without what is only a default;
 * - `filled`: with the defaults of everything that it holds;
 * - `shuffled`: sets and keyed lists in another order;
 * - `short`: links in their short form;
 * - `tagged`: with tags that other clients and the service add;
 * - `legacy`: shorthands written out, and what can be said by one said by it (`port` of a container);
 * - `respelled`: quantities, addresses and JSON texts in other words, scalars of tags as text.
 */
export const answerForms = ['bare', 'filled', 'shuffled', 'short', 'tagged', 'legacy', 'respelled'] as const;

export type AnswerForm = (typeof answerForms)[number];

export function isAnswerForm(word: string): word is AnswerForm {
  return answerForms.some((form) => form === word);
}
