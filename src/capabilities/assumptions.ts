import type { Assumption } from './rows/assumption.ts';
import { patchingRows } from './rows/patching.ts';
import { readingRows } from './rows/reading.ts';
import { unlearntRows } from './rows/unlearnt.ts';
import { writingRows } from './rows/writing.ts';

export type { Assumption } from './rows/assumption.ts';

/**
 * What Gantry takes for granted of a platform beyond the stated text of the specification. `docs/platform/assumptions.md`
 * is generated from this table. A row that `gantry doctor` cannot ask about stands in `doctor/learntByRuns.ts`.
 */
export const assumptions = {
  ...readingRows,
  ...writingRows,
  ...unlearntRows,
  ...patchingRows,
  'read.query': {
    assumed: 'POST /org/ORG/KIND/-query finds the records of a kind by tag and by name.',
    section: '4.6',
    evidence: 'observed',
    learnt: 'answer',
    otherwise: 'The kind is listed and filtered by Gantry.',
    test: 'test/client/snapshot.test.ts',
  },
  'write.preconditions': {
    assumed: 'A PATCH for another id or version than the record has is refused with 409.',
    section: '9',
    evidence: 'observed',
    learnt: 'probe',
    otherwise: 'Each record is read and compared directly before its PATCH.',
    eachRun: 'holds',
    test: 'test/apply/precondition.test.ts',
  },
  'write.directives': {
    assumed:
      'The directives for the items of a list are honoured, items are found by our keys, and a plain list replaces.',
    section: '4.2',
    evidence: 'documented',
    learnt: 'discovery',
    otherwise:
      'The whole list is written with $replace; what a write has made of it otherwise is set right in the same run.',
    test: 'test/apply/directives.test.ts',
  },
  'value.case': {
    assumed: 'A word of an enumeration is answered in the case in which the schema has it (`standard`, `HTTP`).',
    section: '2.4',
    evidence: 'proposed',
    learnt: 'answer',
    otherwise: 'Words of an enumeration are compared without case.',
    test: 'test/plan/spelling.test.ts',
  },
  'value.types': {
    assumed: 'A value is answered as the JSON type that the schema has: 1 and not "1".',
    section: '4.2',
    evidence: 'proposed',
    learnt: 'answer',
    otherwise: 'Both are compared as the type of the field.',
    test: 'test/plan/spelling.test.ts',
  },
  'value.tags': {
    assumed: 'Only clients write tags.',
    section: '2.1',
    evidence: 'proposed',
    learnt: 'own-write',
    otherwise: 'Tags that nobody declares may appear and change with each write; none of them is removed.',
    test: 'test/apply/stored.test.ts',
  },
  'value.defaults': {
    assumed: 'What is left out means the default that is documented.',
    section: '2.4.1',
    evidence: 'documented',
    learnt: 'own-write',
    otherwise: 'What the platform fills in on its own where nothing is declared is its default, and no difference.',
    eachRun: 'holds',
    test: 'test/plan/platformValues.test.ts',
  },
  'value.digests': {
    assumed: 'An image is stored as it was written.',
    section: '2.4.1',
    evidence: 'proposed',
    learnt: 'own-write',
    otherwise: 'A digest that the platform adds to a declared tag is no difference.',
    eachRun: 'holds',
    test: 'test/plan/platformValues.test.ts',
  },
  'value.empty': {
    assumed: 'A declared false, empty text, list or object is stored.',
    section: '4.2',
    evidence: 'proposed',
    learnt: 'own-write',
    otherwise: 'An empty value that the platform drops is no difference where its absence means the same.',
    eachRun: 'holds',
    test: 'test/plan/platformValues.test.ts',
  },
} as const satisfies Readonly<Record<string, Assumption>>;

export type AssumptionId = keyof typeof assumptions;

/** Where they hold, what differs from a declaration is never taken for the platform's own. */
export const storedValues = [
  'value.defaults',
  'value.digests',
  'value.empty',
] as const satisfies readonly AssumptionId[];
