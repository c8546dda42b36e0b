/**
 * Ways in which an installation may show the same record differently (platform/concepts.tags,
 * platform/concepts.rewritten), for tests that clients do not depend on them:
 *
 * - `bare`: without default values;
 * - `filled`: with all default values;
 * - `shuffled`: sets and keyed lists in another order;
 * - `short`: links in their short form;
 * - `tagged`: with tags of other clients and of the service;
 * - `legacy`: shorthands expanded, and fields replaced by their shorthand (`port` of a container);
 * - `respelled`: quantities, addresses and JSON texts in another notation, scalars of tags as text.
 */
export const answerForms = ['bare', 'filled', 'shuffled', 'short', 'tagged', 'legacy', 'respelled'] as const;

export type AnswerForm = (typeof answerForms)[number];

export function isAnswerForm(word: string): word is AnswerForm {
  return answerForms.some((form) => form === word);
}
