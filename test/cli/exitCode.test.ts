import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitCode, exitCodeOf, retryOf } from '../../src/terminal/exitCode.ts';

const root = new URL('../..', import.meta.url).pathname;

/** Families of codes by the word before the dot; their codes end with 1 unless they are listed below. */
const families = [
  ...'add adopt api apply automation ci cli client data delete dialect doctor edit explain file init internal'.split(
    ' ',
  ),
  ...'input live notify output owner part patch plan platform policies promote provider read reconcile'.split(' '),
  ...'reference rename replace report saved selection server settings stack status terraform undo update'.split(' '),
];

const others: Readonly<Record<string, number>> = {
  'plan.refused': 3,
  'plan.rehearsal': 3,
  'selection.breaks': 3,
  'plan.stale': 4,
  'plan.fact': 4,
  'saved.secret-changed': 4,
  'saved.signature-expired': 4,
  'saved.signature-invalid': 3,
  'saved.signature-unknown': 3,
  'saved.approvals': 3,
  'saved.own-approval': 3,
  'saved.tampered': 3,
  'saved.unsigned': 3,
  'saved.other-org': 3,
  'saved.other-stack': 3,
  'saved.other-endpoint': 3,
  'saved.other-environment': 3,
  'saved.other-project': 3,
  'delete.referenced': 3,
  'delete.closure-unknown': 3,
  'doctor.unusable': 3,
  'apply.partly': 5,
  'api.unavailable': 6,
  'api.reply-lost': 6,
  'api.too-slow': 6,
  'apply.stale-read': 6,
  'reconcile.git-unreachable': 6,
  'reconcile.store-away': 6,
  'cli.usage': 64,
  'cli.interrupted': 130,
  'apply.interrupted': 130,
};

/** Every dotted code of an error or a refusal in the source. */
function codesOfSource(): readonly string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  const found = files.flatMap((path) =>
    [...readFileSync(join(root, 'src', path), 'utf8').matchAll(/\bcode(?:: | = )'([a-z]+\.[a-z-]+)'/g)].map(
      ([, code = '']) => code,
    ),
  );
  return [...new Set(found)].sort();
}

test('every code in the source belongs to a family and has its exit code', () => {
  const codes = codesOfSource();
  expect(codes.length).toBeGreaterThan(80);
  expect(codes.filter((code) => !families.includes(code.split('.')[0] ?? ''))).toEqual([]);
  expect(codes.map((code) => [code, exitCodeOf(code)])).toEqual(codes.map((code) => [code, others[code] ?? 1]));
});

test.each(Object.entries(others))('%s ends with %i', (code, expected) => {
  expect(exitCodeOf(code)).toBe(expected);
});

test.each(['constructor', '__proto__', '', 'unknown.code'])('the unknown code %j ends with 1', (code) => {
  expect(exitCodeOf(code)).toBe(1);
});

test('only stale, partly applied, unreachable and interrupted runs are worth a retry, each in its own way', () => {
  const retries = Object.values(exitCode).map((code) => [code, retryOf('any.code', code)]);
  expect(retries.filter(([, retry]) => retry !== 'no')).toEqual([
    [4, 'plan-again'],
    [5, 'run-again'],
    [6, 'later'],
    [130, 'run-again'],
  ]);
});

test('a run that was only not ready can be run again', () => {
  expect(exitCodeOf('apply.not-ready')).toBe(1);
  expect(retryOf('apply.not-ready', exitCode.failed)).toBe('run-again');
});

test('docs/guarantees.md lists which codes of saved plans are refused, and which are stale', () => {
  const document = readFileSync(join(root, 'docs/guarantees.md'), 'utf8');
  const sentence = /The codes `saved\.` have three.*?\n\n/s.exec(document)?.[0] ?? '';
  const saved = Object.entries(others).filter(([code]) => code.startsWith('saved.'));
  const said = (exit: number) =>
    [
      ...(new RegExp(`\\b${exit}, [a-z]+: (.*?)\\. ?(?=\\d|$)`, 's').exec(sentence)?.[1] ?? '').matchAll(
        /`([a-z]+-?[a-z]*)`/g,
      ),
    ]
      .map(([, name = '']) => name)
      .sort();
  const names = (exit: number) =>
    [
      ...new Set(saved.filter(([, is]) => is === exit).map(([code]) => code.slice(6).replace(/^other-.*/, 'other-'))),
    ].sort();
  expect([said(3), said(4)]).toEqual([names(3), names(4)]);
});
