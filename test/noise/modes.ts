import type { AnswerForm } from '../../src/server/records/decisions/shownRecord.ts';

/** Ways of one installation to show records. */
export interface Mode {
  readonly name: string;
  readonly answers: readonly AnswerForm[];
}

const alone: readonly AnswerForm[] = ['bare', 'filled', 'shuffled', 'short', 'tagged', 'legacy', 'respelled'];

/** Each way by itself, to find out which one is noticed. */
export const singleModes: readonly Mode[] = alone.map((form) => ({ name: form, answers: [form] }));

/** Everything at once, in the two ways that exclude each other. */
export const fullModes: readonly Mode[] = [
  { name: 'as little as possible', answers: ['bare', 'shuffled', 'short', 'tagged', 'legacy'] },
  { name: 'as much as possible', answers: ['filled', 'shuffled', 'respelled', 'tagged'] },
];
