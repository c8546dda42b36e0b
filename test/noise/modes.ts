import type { AnswerForm } from '../../src/server/records/decisions/shownRecord.ts';

/** The answer forms of an installation. */
export interface Mode {
  readonly name: string;
  readonly answers: readonly AnswerForm[];
}

const alone: readonly AnswerForm[] = ['bare', 'filled', 'shuffled', 'short', 'tagged', 'legacy', 'respelled'];

/** Each form alone, to find out which one makes a difference. */
export const singleModes: readonly Mode[] = alone.map((form) => ({ name: form, answers: [form] }));

/** All forms together, with either of the two that exclude each other. */
export const fullModes: readonly Mode[] = [
  { name: 'as little as possible', answers: ['bare', 'shuffled', 'short', 'tagged', 'legacy'] },
  { name: 'as much as possible', answers: ['filled', 'shuffled', 'respelled', 'tagged'] },
];
