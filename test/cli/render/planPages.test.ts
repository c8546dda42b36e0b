import { describe, expect, test } from 'vitest';
import { type ChangeStyle, renderPlan, renderShortSummary } from '../../../src/cli/output/showPlan.ts';
import type { Change, UncheckedChange } from '../../../src/plan/model/change.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import { lineDiff } from '../../../src/report/lineDiff.ts';
import { makePalette } from '../../../src/terminal/palette.ts';
import { change, plan } from '../../apply/harness/plans.ts';

const palette = makePalette(false);
const plain: ChangeStyle = { palette, lineDiff, bodies: false, detail: 'normal', width: 80 };

function page(of: Plan, look: Partial<ChangeStyle> = {}): readonly string[] {
  return renderPlan(of, { ...plain, ...look }).split('\n');
}

function patched(id: string, parts: Partial<UncheckedChange> = {}): Change {
  return change(id, {
    action: 'patch',
    reason: 'changed in the code',
    risk: 'rolling-restart',
    liveVersion: 3,
    fields: [
      {
        path: 'spec.containers.main.image',
        old: 'registry.example.com/shop/storefront:2026-11-01-a',
        new: 'registry.example.com/shop/storefront:2026-11-20-b',
        risk: 'rolling-restart',
      },
    ],
    ...parts,
  });
}

const shop = plan(
  change('gvc/shop', {
    action: 'create',
    reason: 'it does not exist yet',
    fields: [
      { path: 'name', new: 'shop' },
      { path: 'spec.staticPlacement.locationLinks', new: ['//location/aws-eu-central-1', '//location/gcp-us-east1'] },
    ],
  }),
  ...['a', 'b', 'c', 'd'].map((name) => patched(`workload/shop/storefront-${name}`, { liveVersion: name.length })),
  patched('workload/shop/api', {
    fields: [
      { path: 'spec.containers.main.args', old: ['--port', '80', '--fast'], new: ['--port', '8080', '--fast'] },
      { path: 'spec.containers.main.cpu', old: '100m', new: '50m' },
      { path: 'spec.identityLink', old: '//gvc/shop/identity/old' },
    ],
    notes: [
      'spec.defaultOptions.suspend stays true: not declared, so operators decide (--revert-operational resets it)',
    ],
  }),
  change('volumeset/shop/files', {
    action: 'refuse',
    intended: 'delete',
    reason: 'no longer declared',
    risk: 'data-loss',
    refusals: [
      {
        code: 'delete.data',
        message: 'it would lose the data of one volume set, of which nothing can be had back afterwards',
        allow: '--allow-data-loss=1',
      },
    ],
  }),
);

const summary = [
  'Plan: 1 to create, 5 to change, 1 refused. Requests: 0 to read, 7 to apply.',
  '  + 1 to create  1 gvc',
  '  ~ 5 to change  5 workloads',
  '  ! 1 refused    1 volumeset (delete.data)',
  'Worst risk: data-loss (volumeset/shop/files).',
  'The plan is refused for one reason: nothing will be written.',
];

describe('a page of 80 columns', () => {
  test('folds equal changes, puts long values below their path, shows lists by item, and splits no word', () => {
    expect(page({ ...shop, requests: { snapshot: 0, apply: 7 } })).toEqual([
      'Stack shop in org acme',
      '',
      '  + gvc/shop',
      '      it does not exist yet',
      '      + spec.staticPlacement.locationLinks',
      '          + //location/aws-eu-central-1',
      '          + //location/gcp-us-east1',
      '',
      '  ~ 4 workloads to change  rolling-restart',
      '      workload/shop/storefront-a, workload/shop/storefront-b,',
      '      workload/shop/storefront-c, workload/shop/storefront-d',
      '      changed in the code',
      '      ~ spec.containers.main.image',
      '          registry.example.com/shop/storefront:2026-11-01-a',
      '          → registry.example.com/shop/storefront:2026-11-20-b',
      '',
      '  ~ workload/shop/api (version 3)  rolling-restart',
      '      every write of a workload, even of a tag or a description, makes a new',
      '        version that is rolled out',
      '      changed in the code',
      '      ~ spec.containers.main.args',
      '            --port',
      '          - "80"',
      '          + "8080"',
      '            --fast',
      '      ~ spec.containers.main.cpu  100m → 50m',
      '      - spec.identityLink         //gvc/shop/identity/old',
      '      note: spec.defaultOptions.suspend stays true: not declared, so operators',
      '        decide (--revert-operational resets it)',
      '',
      '  ! volumeset/shop/files (would be deleted)  data-loss',
      '      no longer declared',
      '      refused delete.data: it would lose the data of one volume set, of which',
      '        nothing can be had back afterwards',
      '        To permit it: --allow-data-loss=1',
      '',
      ...summary,
    ]);
  });

  test.each([40, 60, 80, 120])('of %i columns: no line is longer, except a single long word', (width) => {
    const long = page(shop, { width }).filter((line) => line.length > width);
    expect(long.map((line) => line.trim().replace(/^[-+~→!] /, '')).filter((line) => line.includes(' '))).toEqual([]);
  });

  test('colours change nothing else', () => {
    const colored = page(shop, { palette: makePalette(true) }).join('\n');
    expect(colored).toContain('\u001b[');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are what is taken out
    expect(colored.replaceAll(/\u001b\[\d+m/g, '').split('\n')).toEqual(page(shop));
  });
});

describe('a page of 120 columns', () => {
  test('has room for values beside their path', () => {
    const wide = page(shop, { width: 120 });
    expect(wide).toContain(
      '      workload/shop/storefront-a, workload/shop/storefront-b, workload/shop/storefront-c, workload/shop/storefront-d',
    );
    expect(wide).toContain(
      '      every write of a workload, even of a tag or a description, makes a new version that is rolled out',
    );
  });

  test('output to a file is never wrapped', () => {
    const file = page(shop, { width: Number.POSITIVE_INFINITY });
    expect(file).toContain(
      '      ~ spec.containers.main.image  registry.example.com/shop/storefront:2026-11-01-a → registry.example.com/shop/storefront:2026-11-20-b',
    );
  });
});

describe('a long plan', () => {
  const many = Array.from({ length: 12 }, (_, index) =>
    patched(`workload/shop/w${index}`, { reason: `reason ${index}` }),
  );
  const long = plan(...many);

  test('has its summary at the beginning and at the end', () => {
    const shown = page(long);
    const head = shown.indexOf(shown.at(-3) ?? '');
    expect(shown.slice(2, 4)).toEqual(shown.slice(-3, -1));
    expect(head).toBe(2);
    expect(page(plan(...many.slice(0, 3))).filter((line) => line.startsWith('Plan:'))).toHaveLength(1);
  });

  test('has one line for each change with --compact, and is unfolded with --full', () => {
    const compact = page(shop, { detail: 'compact' });
    expect(compact.slice(0, 9)).toEqual([
      'Stack shop in org acme',
      '',
      '  + gvc/shop',
      ...['a', 'b', 'c', 'd'].map((name) => `  ~ workload/shop/storefront-${name} (version 1)  rolling-restart`),
      '  ~ workload/shop/api (version 3)  rolling-restart',
      '  ! volumeset/shop/files (would be deleted)  data-loss',
    ]);
    const full = page(shop, { detail: 'full' });
    expect(full.filter((line) => line.startsWith('  ~ workload/shop/storefront-'))).toHaveLength(4);
    expect(full).toContain('      + name                              shop'.replace(/ +shop$/, '  shop'));
  });

  test('the question repeats the summary', () => {
    expect(renderShortSummary(shop, palette, 80)).toBe(
      'Plan: 1 to create, 5 to change, 1 refused. Worst risk: data-loss.',
    );
    expect(renderShortSummary(shop, palette, 40)).toBe(
      'Plan: 1 to create, 5 to change, 1\n  refused. Worst risk: data-loss.',
    );
  });
});

test('different changes are not folded, and neither are two equal ones', () => {
  const two = plan(patched('workload/shop/a'), patched('workload/shop/b'));
  expect(page(two).filter((line) => line.includes('(version 3)'))).toHaveLength(2);
  const other = patched('workload/shop/c', { notes: ['something of its own'] });
  expect(page(plan(...two.changes, other)).filter((line) => line.includes('(version 3)'))).toHaveLength(3);
});

describe('values', () => {
  const field = (old: string, next: string) =>
    page(
      plan(patched('workload/shop/a', { fields: [{ path: 'data', old, new: next, risk: 'rolling-restart' }] })),
    ).slice(4, -3);

  test('JSON texts are compared by content', () => {
    expect(field('{"b":1,"a":[1,2]}', '{ "a": [1, 3], "b": 1 }')).toEqual([
      '      ~ data',
      '            …',
      '              "a": [',
      '                1,',
      '          -     2',
      '          +     3',
      '              ],',
      '              "b": 1',
    ]);
  });

  test('a layout change, or numbers that JSON cannot represent, are shown as written', () => {
    expect(field('{"a":1}', '{ "a": 1 }')).toEqual(['      ~ data  "{\\"a\\":1}" → "{ \\"a\\": 1 }"']);
    expect(field('[12345678901234567891]', '[12345678901234567892]')).toEqual([
      '      ~ data  "[12345678901234567891]" → "[12345678901234567892]"',
    ]);
  });

  test('a long value is truncated, and complete with --full', () => {
    const long = plan(patched('workload/shop/a', { fields: [{ path: 'data', new: 'x'.repeat(400) }] }));
    expect(page(long).join('\n')).toContain(`${'x'.repeat(300)}… (400 characters)`);
    expect(page(long, { detail: 'full' }).join('\n')).toContain('x'.repeat(400));
  });
});
