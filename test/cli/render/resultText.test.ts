import { describe, expect, test } from 'vitest';
import { NotReadyError, StaleError } from '../../../src/apply/applyErrors.ts';
import type { ApplyResult } from '../../../src/apply/events.ts';
import { ToolError } from '../../../src/base/toolError.ts';
import { resultText } from '../../../src/cli/steps/resultText.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import { renderError } from '../../../src/terminal/errorText.ts';
import { makePalette, type Palette } from '../../../src/terminal/palette.ts';
import { wrapLines } from '../../../src/terminal/textWidth.ts';
import { changeWith } from '../../plan/changes.ts';

const palette = makePalette(false);
const renderResult = (of: Plan, result: ApplyResult, elapsedMs: number, look: Palette): string =>
  resultText(of, { result, elapsedMs, startedMs: 0, epochMs: 0 }, look);
const error = new ToolError({ code: 'api.invalid', message: 'POST: no\n  spec.x: bad', hint: 'Correct spec.x.' });
const plan: Plan = {
  formatVersion: 1,
  org: 'local',
  stack: 'shop',
  changes: [],
  refusals: [],
  notes: [],
  requests: { snapshot: 1, apply: 1 },
};
const compared = { written: 1, unchanged: 0, deleted: 0, released: 0, rewritten: [], notCompared: [] };
const good: ApplyResult = {
  done: ['gvc/a'],
  failed: [],
  skipped: [],
  requests: 4,
  verified: true,
  compared,
  interrupted: false,
};

/** The text of another result. */
const said = (part: Partial<ApplyResult>, elapsedMs = 0, of: Partial<Plan> = {}): string =>
  renderResult({ ...plan, ...of }, { ...good, ...part }, elapsedMs, palette);
const refused = { id: 'gvc/b', error: new ToolError({ code: 'api.invalid', message: 'no' }) };

test.each([{ failed: [refused] }, { skipped: [{ id: 'gvc/b', because: 'gvc/a' }] }])(
  'a run with failed or skipped changes is not called verified: %j',
  (part) => {
    expect(said(part)).not.toContain('Verified');
    expect(said(part)).toContain('What was done was compared: 1 written resource is there as planned.');
  },
);

test('the summary counts the changes and the verified records', () => {
  const ref = { kind: 'gvc', name: 'a' } as const;
  const changes = [changeWith({ id: 'gvc/a', action: 'create', ref, ...ref })];
  expect(said({}, 1500, { changes })).toBe(
    'Done: 1 created. 4 requests in 1.5 s.\nVerified: 1 written resource is there as planned.',
  );
  expect(said({ requests: 1 }, 1500, { changes })).toContain(' 1 request in 1.5 s.');
});

test('changes that another run had made are counted separately', () => {
  const changes = ['a', 'b', 'c'].map((name) =>
    changeWith({ id: `gvc/${name}`, action: 'create', ref: { kind: 'gvc', name }, kind: 'gvc', name }),
  );
  const done = changes.map(({ id }) => id);
  const runs = (...found: readonly string[]) =>
    done.map((id) => ({ id, outcome: 'done' as const, ...(found.includes(id) ? { already: true as const } : {}) }));
  const summary = (...found: readonly string[]) =>
    said({ done, changes: runs(...found) }, 0, { changes }).split('. ')[0];
  expect(summary('gvc/a')).toBe('Done: 2 created, 1 done by another run already');
  expect(summary('gvc/a', 'gvc/b', 'gvc/c')).toBe('Done: 3 done by another run already');
});

test('a change whose values have not moved is unchanged, not done by another run', () => {
  const changes = [{ id: 'gvc/a', outcome: 'done' as const, unchanged: true as const }];
  expect(said({ changes }).split('. ')[0]).toBe('Done: 1 unchanged');
});

const { compared: _compared, ...nothing } = good;
const more = (of: Partial<typeof compared>) => ({ compared: { ...compared, ...of } });

// biome-ignore format: a row is a case
test.each<[it: string, result: Partial<ApplyResult>, text: string]>([
  ['written and unchanged records', more({ unchanged: 8 }),
    '1 written and 8 unchanged resources are there as planned.'],
  ['deletions', more({ written: 0, deleted: 2 }), '2 deleted resources are gone.'],
  ['released records', more({ released: 1 }),
    '1 written resource is there as planned; 1 released resource is no longer owned.'],
  ['writes of others since', { compared: { ...compared, unchanged: 1, rewritten: ['gvc/b'] } },
    `1 written and 1 unchanged resources are there as planned.
  Written by somebody else since, and still as declared: gvc/b.`],
  ['records that it did not compare', { compared: { ...compared, unchanged: 1, notCompared: ['gvc/b'] } },
    `1 written and 1 unchanged resources are there as planned.
  At a newer version than in the saved plan, and not compared: gvc/b.`],
  ['undeclared records that stay', { inDoubt: 1 },
    '1 written resource is there as planned; 1 value that is not declared any more stays.'],
  ['undeclared records in a full verification', { verification: 'full', inDoubt: 2 },
    'a new plan of everything is empty; 2 values that are not declared any more stay.'],
  ['a new plan of everything', { verification: 'full' }, 'a new plan of everything is empty.'],
])('the verification names what it compared: %s', (_, result, text) => {
  expect(said(result).split('Verified: ')[1]).toBe(text);
});

test('the summary names each failure with code, message and hint', () => {
  const result: ApplyResult = {
    ...nothing,
    done: [],
    failed: [{ id: 'gvc/a', error }],
    skipped: [{ id: 'workload/a/x', because: 'gvc/a failed' }],
  };
  expect(renderResult(plan, result, 0, palette)).toBe(
    `gvc/a
error api.invalid: POST: no
  spec.x: bad
  hint: Correct spec.x.

Not finished: nothing done, 1 failed, 1 skipped. 4 requests in 0.0 s.
Nothing was written.`,
  );
});

test('the summary separates changes that were written but not awaited from skipped ones (Ctrl-C)', () => {
  const result: ApplyResult = {
    ...good,
    skipped: [
      { id: 'workload/a/x', because: 'the run was interrupted', reached: 'written' },
      { id: 'workload/a/y', because: 'the run was interrupted' },
    ],
    interrupted: true,
    verified: undefined,
  };
  expect(renderResult(plan, result, 0, palette)).toContain('1 written but not finished, 1 skipped.');
});

test('a record that was deleted and not recreated comes first, and nothing claims to be complete', () => {
  const result: ApplyResult = {
    ...good,
    compared: { ...compared, written: 0, deleted: 1 },
    done: [],
    failed: [{ id: 'workload/a/x', error, reached: 'deleted' }],
    skipped: [{ id: 'workload/a/y', because: 'workload/a/x failed' }],
  };
  expect(renderResult(plan, result, 0, palette)).toBe(
    `Deleted, not created again: workload/a/x.
  hint: Apply again now. It creates them with what others had written to them.

workload/a/x
error api.invalid: POST: no
  spec.x: bad
  hint: Correct spec.x.

Not finished: 1 deleted, not created again, 1 skipped. 4 requests in 0.0 s.
What was done was compared: 1 deleted resource is gone.`,
  );
});

test('a failure after a write is not reported as nothing done', () => {
  expect(said({ done: [], failed: [{ id: 'gvc/a', error, reached: 'written' }] })).toContain(
    '\nNot finished: 1 written but not finished. 4 requests',
  );
});

test('a user error has no stack; an internal error has one and asks for a report', () => {
  const versions = { gantry: '1.2.3', node: 'v24.0.0' };
  expect(renderError(error, versions, palette)).toBe(
    'error api.invalid: POST: no\n  spec.x: bad\n  hint: Correct spec.x.',
  );
  const ours = renderError(new TypeError('x is undefined'), versions, palette);
  expect(ours).toMatch(/TypeError: x is undefined\n {4}at /);
  expect(ours).toContain('Please report it');
  expect(ours).toContain('gantry 1.2.3, node v24.0.0');
});

test('the summary lists the differences that verification found', () => {
  const differences = Array.from({ length: 12 }, (_, index) => `gvc/g${index} was deleted, but exists again`);
  const text = said({ verified: false, differences });
  expect(text).toContain('\n  gvc/g0 was deleted, but exists again\n');
  expect(text).toMatch(/and 2 more$/);
});

test('a race names the writer, their remaining fields, and our fields that were not written', () => {
  const races = [
    { id: 'gvc/a', outcome: 'written', from: 3, to: 5, theirs: ['tags.team'], notWritten: [], by: ['ann@x', 'bob@x'] },
    { id: 'gvc/b', outcome: 'stale', from: 3, to: 4, theirs: ['spec.y'], notWritten: ['spec.y'], by: ['unknown'] },
    { id: 'gvc/c', outcome: 'stale', from: 2, theirs: [], notWritten: [], by: ['ann@x'] },
    { id: 'gvc/e', outcome: 'written', from: 8, to: 9, theirs: ['tags.zone'], notWritten: [], by: ['unknown'] },
    { id: 'gvc/f', outcome: 'written', from: 3, theirs: ['tags.team'], notWritten: [], by: ['bob@x'] },
    { id: 'gvc/d', outcome: 'stale', from: 0, to: 1, theirs: ['description'], notWritten: ['description'], by: ['b'] },
  ] as const;
  const lines = said({ races, notes: ['no versions here'] }).split('\n');
  expect(lines.slice(1, -1)).toEqual([
    'Meanwhile ann@x and bob@x wrote gvc/a (version 3 to 5); their change is still live in tags.team; the change of this run was written.',
    'Meanwhile an unknown writer wrote gvc/b (version 3 to 4); their change is still live in spec.y; this run did not write spec.y.',
    'Meanwhile ann@x deleted gvc/c; this run changed nothing.',
    'Meanwhile the platform or somebody else wrote gvc/e (version 8 to 9); their change is still live in tags.zone; the change of this run was written.',
    'Meanwhile bob@x wrote gvc/f; their change is still live in tags.team; the change of this run was written.',
    'Meanwhile b created gvc/d; their change is still live in description; this run did not write description.',
    'Note: no versions here.',
  ]);
});

test('if the author of a change after a lost answer is unknown, no one is named', () => {
  const race = { id: 'gvc/a', outcome: 'unsure', from: 3, to: 9, theirs: ['spec.y'], notWritten: [], by: ['unknown'] };
  const error = new StaleError('gvc/a', 'it was at version 3, now it is at 9');
  const failed = [{ id: 'gvc/a', reached: 'written', error }] as const;
  const { compared: _, ...rest } = good;
  const result: ApplyResult = { ...rest, done: [], failed, races: [{ ...race, outcome: 'unsure' }] };
  const text = renderResult(plan, result, 0, palette);
  expect(text).toContain('\nWhat was written was not compared.');
  expect(text).toContain(
    'error plan.stale: the write of this run is there, and its answer was lost (version 3 to 9); nothing tells whether ' +
      'the platform itself or another writer has made spec.y what it is now\n',
  );
});

test('a write of others is reported once for each resource instead of its error, with one hint for all', () => {
  const stale = (id: string) => ({ id, error: new StaleError(id, 'it was at version 3, now it is at 4') });
  const race = (id: string, by: string) =>
    ({ id, outcome: 'stale', from: 3, to: 4, theirs: ['spec.y'], notWritten: ['spec.y'], by: [by] }) as const;
  const result: ApplyResult = {
    ...good,
    done: [],
    failed: [stale('gvc/a'), { id: 'gvc/b', error }, stale('gvc/c')],
    races: [race('gvc/a', 'ann'), race('gvc/c', 'bob')],
  };
  expect(renderResult(plan, result, 0, palette).split('\n').slice(0, -1)).toEqual([
    'gvc/b',
    'error api.invalid: POST: no',
    '  spec.x: bad',
    '  hint: Correct spec.x.',
    '',
    'gvc/a',
    'error plan.stale: meanwhile ann wrote it (version 3 to 4); their change is still live in spec.y; this run did not write spec.y',
    '',
    'gvc/c',
    'error plan.stale: meanwhile bob wrote it (version 3 to 4); their change is still live in spec.y; this run did not write spec.y',
    '  hint: Plan again, review the differences, and apply the new plan.',
    '',
    'Not finished: nothing done, 3 failed. 4 requests in 0.0 s.',
  ]);
});

describe('readiness and addresses', () => {
  const web = (index: number, outcome: 'done' | 'ready' | 'failed' = 'done') => ({
    id: `workload/shop/web-${index}`,
    outcome,
    endpoints: [`https://web-${index}.example.com`],
  });

  test('resources that were only awaited are counted separately, without a claim of changes', () => {
    const result = { ...nothing, done: [], ready: ['workload/shop/web-1'], changes: [web(1, 'ready')] };
    expect(renderResult(plan, result, 1500, palette)).toBe(
      `Done: 1 unchanged and ready. 4 requests in 1.5 s.
Nothing was written.
Addresses:
  workload/shop/web-1  https://web-1.example.com`,
    );
  });

  test('a resource that was not ready in time has its reason, and no address', () => {
    const id = 'workload/shop/web-1';
    const error = new NotReadyError(id, 300_000, '1 of 2 locations are ready; gcp-us-east1: pulling the image');
    const result = { ...good, failed: [{ id, error, reached: 'written' as const }], changes: [web(1, 'failed')] };
    expect(renderResult(plan, result, 0, palette)).toBe(
      `${id}
error apply.not-ready: ${id} was not ready after 300 s: 1 of 2 locations are ready; gcp-us-east1: pulling the image
  hint: gantry status shows why. Apply again with --wait to wait longer; --wait-timeout and lifecycle.waitTimeout set how long.

Not ready: 1 unchanged, 1 written but not ready. 4 requests in 0.0 s.
What was done was compared: 1 written resource is there as planned.`,
    );
  });

  test('ten addresses are shown and the rest counted; a resource has one address', () => {
    const many = Array.from({ length: 12 }, (_, index) => web(index));
    const domain = { id: 'domain/a.b', outcome: 'done' as const, endpoints: ['https://a.b/x', 'https://a.b/y'] };
    const text = said({ changes: [domain, ...many] });
    expect(text).toContain('  domain/a.b           https://a.b/x and 1 more\n');
    expect(text).toContain('\n  and 3 more: gantry status shows them');
  });

  test('addresses are aligned after names with wide characters', () => {
    const [first, second] = [
      { ...web(1), id: 'workload/shop/東京', endpoints: ['https://a.example.com'] },
      { ...web(2), id: 'workload/shop/x', endpoints: ['https://b.example.com'] },
    ];
    expect(said({ changes: [first, second] })).toContain(
      'Addresses:\n  workload/shop/東京  https://a.example.com\n  workload/shop/x     https://b.example.com',
    );
  });

  test('an address has its own line if both do not fit into 80 columns', () => {
    const long = { ...web(1), endpoints: [`https://${'a'.repeat(60)}.example.com`] };
    expect(said({ changes: [long] })).toContain(
      `Addresses:\n  workload/shop/web-1\n      https://${'a'.repeat(60)}.example.com`,
    );
  });
});

describe('the text of a failed run', () => {
  const failed: ApplyResult = {
    ...good,
    compared: { ...compared, written: 0, deleted: 1 },
    done: [],
    failed: [
      {
        id: 'workload/shop/storefront',
        error: new ToolError({
          code: 'api.invalid',
          message:
            'POST /org/acme/gvc/shop/workload was refused with 400: the image of the container main is not allowed here',
          hint: 'Use an image of the registry of the org, or ask whoever looks after it to allow this one.',
        }),
        reached: 'deleted',
      },
    ],
  };

  test('at 80 columns is wrapped at words with a deeper indent', () => {
    expect(wrapLines(renderResult(plan, failed, 1500, palette), 80).split('\n')).toEqual([
      'Deleted, not created again: workload/shop/storefront.',
      '  hint: Apply again now. It creates them with what others had written to them.',
      '',
      'workload/shop/storefront',
      'error api.invalid: POST /org/acme/gvc/shop/workload was refused with 400: the',
      '  image of the container main is not allowed here',
      '  hint: Use an image of the registry of the org, or ask whoever looks after it',
      '    to allow this one.',
      '',
      'Not finished: 1 deleted, not created again. 4 requests in 1.5 s.',
      'What was done was compared: 1 deleted resource is gone.',
    ]);
  });

  test('at 120 columns is not wrapped, and colours take no width', () => {
    const colored = wrapLines(renderResult(plan, failed, 1500, makePalette(true)), 120);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are what is taken out
    expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(wrapLines(renderResult(plan, failed, 1500, palette), 120));
    expect(colored).toContain('What was done was compared: 1 deleted resource is gone.');
  });
});
