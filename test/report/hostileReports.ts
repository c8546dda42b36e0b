import fc from 'fast-check';
import type { Report } from '../../src/report/report.ts';
import { changeOf, driftDocument, planReport } from './makeReports.ts';

/** Part of each hostile text and of nothing else: where it occurs, there is foreign text. */
export const canary = 'zqxw';

/** Texts with a meaning in Markdown, HTML, forges, terminals, XML, SARIF or pipeline runners. */
// biome-ignore format: a row is a case
const fragments = [
  ...['`', '``', '```', '````', '~~~', '\n```\n', '\n~~~\n', '`\n\n# heading\n\n`'],
  ...['</code>', '</details>', '</summary>', '<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '<!--',
    '-->'],
  ...['<b>', '&lt;', '&#60;', '&amp;', ']]>', '<![CDATA[', '<?xml?>', '<!DOCTYPE x>'],
  ...['[a](https://evil.example)', '![a](https://evil.example/x.png)', '[a]: https://evil.example', '[^1]', '[[x]]'],
  ...['https://evil.example/?a=b', 'www.evil.example', 'mail@evil.example', '<https://evil.example>', '#12',
    'org/repo#1'],
  ...['@everyone', '@acme/team', '!12', '$1', '~label', '%1', '&1', 'GH-12',
    'deadbeefdeadbeefdeadbeefdeadbeefdeadbeef'],
  ...[
    '|',
    '\\|',
    '\\',
    '\\`',
    '*',
    '**',
    '_',
    '__',
    '$`x`$',
    '$$',
    ':smile:',
    '- [ ] x',
    '> ',
    '# ',
    '1. ',
    '---',
    '===',
  ],
  ...['\u202e', '\u2066', '\u200f', '\u061c', '\u200b', '\ufeff', '\u00ad', '\u2028', '\u0085', '\u{e0041}', '\ud800',
    '\udc00'],
  ...['\u001b[31m', '\u001b]8;;https://evil.example\u0007', '\u0000', '\u0007', '\r', '\n', '\r\n', '\t', '\ufffe',
    '\uffff'],
  ...['::error::x', '##[error]x', '%0A', '{0}', '{{', '}', '"', "'", ' ', '  ', ''],
] as const;

/** A text with the canary between hostile fragments. */
export const hostileText: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fragments) }, fc.string({ unit: 'binary', maxLength: 8 })),
      { maxLength: 8 },
    ),
    fc.array(fc.constantFrom(...fragments), { maxLength: 8 }),
  )
  .map(([before, after]) => `${before.join('')}${canary}${after.join('')}`);

/** A report in which every text from a manifest, a record or the platform is hostile. */
export const hostileReport: fc.Arbitrary<Report> = fc
  .array(hostileText, { minLength: 40, maxLength: 40 })
  .map((texts) => {
    let at = 0;
    const next = (): string => texts[at++ % texts.length] ?? canary;
    const place = () => ({ file: next(), line: 3, column: 4 });
    const refusals = () => [{ code: next(), message: next(), allow: next() }];
    const change = (id: string, action: 'patch' | 'refuse') =>
      changeOf({
        id,
        name: next(),
        gvc: next(),
        action,
        ...(action === 'refuse' ? { intended: 'delete' } : {}),
        reason: next(),
        place: place(),
        risk: 'downtime',
        fields: [
          {
            path: next(),
            old: next(),
            new: next(),
            cause: { others: [{ name: next(), type: next(), version: 1, at: next() }] },
          },
          { path: next(), new: { [next()]: [next()] } },
          { path: next(), old: `${next()}\n${next()}`, new: `${next()}\n${next()}` },
        ],
        patch: { [next()]: next() },
        then: { [next()]: next() },
        via: next(),
        cascadesTo: [next()],
        victims: [next()],
        losesData: [next()],
        waitsFor: [{ step: 'write', on: next(), because: next(), soft: false }],
        refusals: action === 'refuse' ? refusals() : [],
        notes: [next()],
      });
    const [one, two] = [next(), next()];
    return planReport(
      {
        org: next(),
        stack: next(),
        changes: [change(one, 'patch'), change(two, 'refuse')],
        refusals: refusals(),
        notes: [next(), next()],
        risk: 'downtime',
        leftOut: [{ id: next(), action: 'create' }],
        storage: {
          before: { gb: 1, cost: 1 },
          after: { gb: 2, cost: 2 },
          ceiling: { gb: 3, cost: 3 },
          currency: next(),
          sets: [{ id: next(), before: 1, after: 2, ceiling: 3, concerned: true }],
        },
        rehearsal: {
          consistent: false,
          requests: 1,
          points: { tried: 1, of: 1 },
          stoodInFor: [next()],
          proposed: [next()],
          unreadReferrers: [next()],
          problem: { what: 'plan', differences: [next()] },
        },
        result: {
          outcome: 'partly',
          done: [one],
          failed: [{ id: two, code: next(), message: next(), hint: next() }],
          skipped: [{ id: next(), because: next() }],
          changes: [
            {
              ...{ id: one, outcome: 'done', startedAt: '2026-11-20T14:03:00.000Z', elapsedMs: 12 },
              endpoints: [next(), next()],
            },
          ],
          requests: 3,
          verified: false,
          differences: [next()],
          interrupted: false,
          races: [
            {
              ...{ id: next(), outcome: 'written', from: 1, to: 2 },
              ...{ theirs: [next()], notWritten: [next()], by: [next()] },
            },
          ],
          notes: [next()],
        },
      },
      {
        subject: { org: next(), stack: next(), environment: next() },
        outcome: 'partly',
        exitCode: 5,
        error: { code: 'apply.partly', message: next(), hint: next(), causes: [] },
        problems: [
          {
            ...place(),
            rule: next(),
            path: next(),
            message: next(),
            hint: next(),
            severity: 'error',
            resource: next(),
          },
          { ...place(), rule: next(), path: '', message: next(), severity: 'warning' },
        ],
        drifts: [
          driftDocument([
            {
              id: next(),
              state: 'other-owner',
              orphaned: true,
              owner: next(),
              fields: [{ path: next(), old: next(), new: next() }],
              writes: [{ action: 'edit', version: 2, at: next(), by: { name: next(), type: next() }, fields: [] }],
            },
          ]),
        ],
      },
    );
  });

/** Such a report of two stacks. */
export const hostileReports: fc.Arbitrary<Report> = fc.tuple(hostileReport, hostileReport).map(([one, other]) => ({
  ...one,
  subject: { stacks: [one, other].flatMap(({ subject: { stack } }) => stack ?? []) },
  plans: [...one.plans, ...other.plans],
  drifts: [...one.drifts, ...other.drifts],
}));
