import { expect, test } from 'vitest';
import { driftToJson, summariseDrift } from '../../../src/change/documents/driftDocument.ts';
import { explanationDocumentForm, explanationToJson } from '../../../src/change/documents/explanationDocument.ts';
import { differs, promotionToJson } from '../../../src/change/documents/promotionDocument.ts';
import { signatureStates } from '../../../src/change/documents/signaturesDocument.ts';
import { signatureWords } from '../../../src/change/documents/signatureWords.ts';
import { statusToJson } from '../../../src/change/documents/statusDocument.ts';
import type { DriftRecord } from '../../../src/change/drift.ts';
import type { Promotion } from '../../../src/change/promotion.ts';
import type { ResourceStatus } from '../../../src/change/status.ts';
import { examples } from './examples.ts';

const stack = { org: 'acme', stack: 'shop', declarationsKnown: true, requests: 2 };

test('a status counts the resources in each state, and contains the worst state', () => {
  const resource = (state: ResourceStatus['state']): ResourceStatus => ({
    ...{ id: 'gvc/g', state, health: 'exists', reasons: [] },
  });
  const resources = (['ready', 'failed', 'not-ready', 'ready', 'ready', 'not-ready'] as const).map(resource);
  expect(statusToJson({ ...stack, resources })).toEqual({
    ...{ formatVersion: 1, ...stack, state: 'failed', resources },
    summary: { ready: 3, 'not-ready': 2, failed: 1 },
  });
});

test('a drift counts the resources in each state, and marks parts and unknown secrets', () => {
  const record: DriftRecord = {
    ...{ id: 'gvc/g', state: 'touched', part: true, orphaned: true, version: 4, recordedVersion: 3 },
    ...{ fields: [], writes: null, secretsUnknown: true },
  };
  const whole: DriftRecord = { ...record, state: 'untouched', part: false, orphaned: false, secretsUnknown: false };
  const document = driftToJson({ ...stack, records: [record, whole, whole] });
  const { part: _part, secretsUnknown: _unknown, ...unmarked } = whole;
  expect(document).toEqual({
    ...{ formatVersion: 1, ...stack, drifted: true, resources: [record, unmarked, unmarked] },
    summary: { ...examples.drift.summary, touched: 1, untouched: 2, orphaned: 1 },
  });
  expect(driftToJson({ ...stack, records: [whole] })).toMatchObject({ drifted: false });
  expect(summariseDrift([])).toEqual({ ...examples.drift.summary, touched: 0 });
});

test('an explanation is written unchanged, with its format number', () => {
  const document: unknown = examples.explanation;
  expect(explanationDocumentForm.is(document) && explanationToJson(document)).toEqual(document);
});

const at = { file: 'gantry.yaml', line: 3, column: 5 };
const promotion: Promotion = { from: 'dev', to: 'prod', carried: [], isWritten: true, differences: [] };
const difference = { resource: 'gvc/g', path: 'spec.a', mayDiffer: false };

test('a promotion is written with paths as strings, and without undefined members', () => {
  const side = (value?: number) => ({
    ...(value === undefined ? {} : { value }),
    at,
    values: [['web', 'replicas'], ['tag']],
  });
  const shown = { at, values: ['web.replicas', 'tag'] };
  const document = promotionToJson({
    ...promotion,
    carried: [
      { path: ['web', 'tag'], from: 1, to: 2 },
      { path: ['key'], from: undefined, to: undefined },
    ],
    differences: [
      { ...difference, from: side(1), to: side(2) },
      { ...difference, path: '', to: side() },
      { ...difference, path: '', from: side() },
    ],
  });
  expect(document).toStrictEqual({
    ...{ formatVersion: 1, from: 'dev', to: 'prod', differs: true, written: true },
    carried: [{ value: 'values.web.tag', from: 1, to: 2 }, { value: 'values.key' }],
    differences: [
      { ...difference, from: { value: 1, ...shown }, to: { value: 2, ...shown } },
      { ...difference, path: '', to: shown },
      { ...difference, path: '', from: shown },
    ],
  });
});

test.each<{ it: string; of: Partial<Promotion>; isDifferent: boolean }>([
  { it: 'nothing', of: {}, isDifferent: false },
  { it: 'a value to promote', of: { carried: [{ path: ['tag'], from: 1, to: 2 }] }, isDifferent: true },
  { it: 'a permitted difference', of: { differences: [{ ...difference, mayDiffer: true }] }, isDifferent: false },
  {
    it: 'a difference that is not permitted',
    of: { differences: [{ ...difference, mayDiffer: true }, difference] },
    isDifferent: true,
  },
])('two environments with $it differ: $isDifferent', ({ of, isDifferent }) => {
  expect(differs({ ...promotion, ...of })).toBe(isDifferent);
});

test('each state of a signature has its own text', () => {
  const words = signatureStates.map((state) => signatureWords[state]);
  expect(new Set(words).size).toBe(signatureStates.length);
  expect(words.every((each) => each.length > 0)).toBe(true);
});
