import { describe, expect, test } from 'vitest';
import { type ChangeStyle, comparesLines, renderPlan } from '../../../src/cli/output/showPlan.ts';
import { Body } from '../../../src/manifest/model/body.ts';
import type { Change, UncheckedChange } from '../../../src/plan/model/change.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import type { StorageUse } from '../../../src/plan/model/storageUse.ts';
import { lineDiff } from '../../../src/report/lineDiff.ts';
import { makePalette } from '../../../src/terminal/palette.ts';
import { changeWith } from '../../plan/changes.ts';

const look: ChangeStyle = {
  palette: makePalette(false),
  lineDiff,
  bodies: false,
  detail: 'normal',
  width: Number.POSITIVE_INFINITY,
};

function change(parts: Partial<UncheckedChange> & Pick<UncheckedChange, 'id' | 'action'>): Change {
  const [kind = '', ...names] = parts.id.split('/');
  const name = names.at(-1) ?? '';
  return changeWith({
    ref: { kind: kind === 'gvc' ? 'gvc' : 'workload', name },
    kind: kind === 'gvc' ? 'gvc' : 'workload',
    name,
    ...parts,
  });
}

function plan(changes: readonly Change[], parts: Partial<Plan> = {}): Plan {
  return {
    formatVersion: 1,
    org: 'local',
    stack: 'shop',
    changes,
    refusals: [],
    notes: [],
    requests: { snapshot: 12, apply: 3 },
    ...parts,
  };
}

const patched = change({
  id: 'workload/shop/api',
  action: 'patch',
  reason: 'it differs in 3 fields',
  liveUid: 'u1',
  liveVersion: 4,
  fields: [
    { path: 'spec.containers.main.image', old: 'api:1', new: 'api:2' },
    { path: 'spec.suspend', new: true },
    { path: 'description', old: 'old words' },
  ],
  patch: new Body({ id: 'u1', version: 4, description: null }, { id: 'u1', version: 4, description: null }),
});

describe('a plan as text', () => {
  test('shows each change with its fields, old to new, and counts unchanged resources', () => {
    const created = change({
      id: 'gvc/shop',
      action: 'create',
      reason: 'it does not exist yet',
      fields: [{ path: 'description', new: 'The shop' }],
    });
    const kept = change({ id: 'workload/shop/web', action: 'keep' });
    const copy = change({ id: 'workload/shop/clone', action: 'keep', unowned: true });
    expect(renderPlan(plan([created, kept, copy]), look)).toContain('Plan: 1 to create, 1 unchanged, 1 not owned. ');
    expect(renderPlan(plan([copy]), look)).toContain('No changes: 1 not owned. ');
    expect(renderPlan(plan([created, patched, kept]), look)).toBe(
      `Stack shop in org local

  + gvc/shop
      it does not exist yet
      + description  The shop

  ~ workload/shop/api (version 4)
      it differs in 3 fields
      ~ spec.containers.main.image  api:1 → api:2
      + spec.suspend                true
      - description                 old words

Plan: 1 to create, 1 to change, 1 unchanged. Requests: 12 to read, 3 to apply.
  + 1 to create  1 gvc
  ~ 1 to change  1 workload`,
    );
  });

  test('says so when there are no changes', () => {
    const kept = change({ id: 'gvc/shop', action: 'keep' });
    expect(renderPlan(plan([kept], { requests: { snapshot: 5, apply: 0 } }), look)).toBe(
      'Stack shop in org local\n\nNo changes: 1 unchanged. Requests: 5 to read.',
    );
  });

  test('shows an unchanged resource if it has a note', () => {
    const kept = change({ id: 'workload/shop/api', action: 'keep', notes: ['spec.suspend was switched to true'] });
    expect(renderPlan(plan([kept]), look)).toContain('\n  workload/shop/api: spec.suspend was switched to true\n');
  });

  test('shows texts of several lines as a line diff', () => {
    const text = change({
      id: 'workload/shop/api',
      action: 'patch',
      fields: [{ path: 'spec.script', old: 'a\nb\nc\nd\ne\nf\n', new: 'a\nb\nc\nd\ne\ng\n' }],
    });
    const found = renderPlan(plan([text]), look)
      .split('\n')
      .slice(3, 9);
    expect(found).toEqual([
      '      ~ spec.script',
      '          @ @ -4,3 +4,3 @@',
      '            d',
      '            e',
      '          - f',
      '          + g',
    ]);
  });

  test('shows the reason of a replacement, the records that it deletes, and the second step', () => {
    const replaced = change({
      id: 'gvc/shop',
      action: 'replace',
      reason: 'spec.x cannot be changed in place',
      cascadesTo: ['workload/shop/other'],
      then: new Body({ spec: {} }, { spec: {} }),
      thenRequires: [{ on: 'identity/shop/api', because: 'refers to it', soft: false }],
    });
    const found = renderPlan(plan([replaced]), look);
    expect(found).toContain('  ± gvc/shop (version 1)\n      spec.x cannot be changed in place\n');
    expect(found).toContain('      also deletes workload/shop/other\n');
    expect(found).toContain('      in a second step, after identity/shop/api: spec\n');
  });

  test('shows a refused change with its reason and what permits it', () => {
    const refused = change({
      id: 'gvc/shop',
      action: 'refuse',
      intended: 'delete',
      refusals: [
        {
          code: 'delete.bystander',
          message: 'it would also delete 2 resources of other owners',
          allow: '--allow-collateral=2',
        },
      ],
    });
    const whole = { code: 'delete.too-many', message: '11 would go', allow: '--max-deletes=11' };
    const found = renderPlan(plan([refused], { refusals: [whole] }), look);
    expect(found).toContain('  ! gvc/shop (would be deleted)\n');
    expect(found).toContain('      refused delete.bystander: it would also delete 2 resources of other owners\n');
    expect(found).toContain('        To permit it: --allow-collateral=2\n');
    expect(found).toContain('\n\nrefused delete.too-many: 11 would go\n  To permit it: --max-deletes=11\n');
    expect(found).toMatch(/The plan is refused for 2 reasons: nothing will be written\.$/);
  });

  test('shows the risk of each change and of the plan, and the victims of an update', () => {
    const risky = change({
      id: 'gvc/shop',
      action: 'patch',
      risk: 'capacity-down',
      victims: ['workload/shop/theirs'],
      fields: [{ path: 'description', old: 'a', new: 'b', risk: 'metadata' }],
    });
    const harmless = change({ id: 'gvc/new', action: 'create', risk: 'none' });
    expect(renderPlan(plan([harmless, risky]), look)).toBe(
      `Stack shop in org local

  + gvc/new

  ~ gvc/shop (version 1)  capacity-down
      ~ description  a → b
      affects workload/shop/theirs of another owner

Plan: 1 to create, 1 to change. Requests: 12 to read, 3 to apply.
  + 1 to create  1 gvc
  ~ 1 to change  1 gvc
Worst risk: capacity-down (gvc/shop).`,
    );
    const palette = makePalette(true);
    expect(renderPlan(plan([risky]), { ...look, palette })).toContain(palette.remove('capacity-down'));
    expect(renderPlan(plan([{ ...risky, risk: 'metadata' }]), { ...look, palette })).toContain(
      palette.faint('metadata'),
    );
  });

  test('shows reserved storage if the plan concerns it, and its cost if the price is known', () => {
    const set = { id: 'volumeset/shop/v', before: 10, after: 20.5, ceiling: 100, concerned: true };
    const storage: StorageUse = { before: { gb: 10 }, after: { gb: 20.5 }, ceiling: { gb: 100 }, sets: [set] };
    const shown = (use: StorageUse) =>
      renderPlan(plan([patched], { storage: use }), look)
        .split('\n')
        .at(-1);
    expect(shown(storage)).toBe('Storage: 10 GB reserved, 20.5 GB after, 100 GB if everything grows.');
    expect(
      shown({
        ...storage,
        before: { gb: 10, cost: 1 },
        after: { gb: 20.5, cost: 2.05 },
        ceiling: { gb: 100, cost: 10 },
        currency: 'EUR',
        atLeast: true,
      }),
    ).toBe(
      'Storage: 10 GB reserved, at least 20.5 GB after, at least 100 GB if everything grows (1.00, 2.05, 10.00 EUR a month).',
    );
    expect(shown({ ...storage, sets: [{ ...set, concerned: false }] })).not.toContain('Storage');
  });

  test('shows the PATCH that probes versions, if it is sent and bodies are shown', () => {
    const asking = { ...plan([patched]), preconditions: 'unsaid' } as const;
    const probe = 'PATCH workload/api {"id":"u1","version":3}';
    expect(renderPlan(asking, { ...look, bodies: true })).toContain(probe);
    expect(renderPlan(asking, look)).not.toContain(probe);
    expect(renderPlan(plan([patched]), { ...look, bodies: true })).not.toContain(probe);
  });

  test('shows PATCH bodies only with --patch', () => {
    const body = [
      '      PATCH {',
      '        "id": "u1",',
      '        "version": 4,',
      '        "description": null',
      '      }',
    ];
    expect(renderPlan(plan([patched]), look)).not.toContain('PATCH');
    expect(renderPlan(plan([patched]), { ...look, bodies: true })).toContain(body.join('\n'));
  });

  test('never shows a sensitive value, and escapes control characters', () => {
    const secret = change({
      id: 'workload/shop/api',
      action: 'patch',
      fields: [
        { path: 'data.payload', old: { sensitive: true, changed: true }, new: { sensitive: true, changed: true } },
        { path: 'description', old: 'a', new: 'b\u001b[31m' },
      ],
    });
    const found = renderPlan(plan([secret]), look);
    expect(found).toContain('~ data.payload  (sensitive, changed)');
    expect(found).toContain('~ description   a → b\\u001b[31m');
  });

  test('cuts a line that a record made far too long, ends its colour there, and shows all of it on request', () => {
    const id = `workload/shop/${'x'.repeat(100_000)}`;
    const long = plan([{ ...patched, id, fields: [{ path: id, old: 1, new: 2 }] }]);
    const lengths = (more: Partial<ChangeStyle>) =>
      renderPlan(long, { ...look, ...more })
        .split('\n')
        .map((line) => line.length);
    expect(Math.max(...lengths({}))).toBeLessThan(4_100);
    expect(Math.max(...lengths({ detail: 'full' }))).toBeGreaterThan(100_000);
    expect(renderPlan(long, { ...look, palette: makePalette(true) })).toContain('x\u001b[0m… (');
  });

  test('uses colours by meaning, as escape codes around the same text', () => {
    const colored = renderPlan(plan([patched]), { ...look, palette: makePalette(true) });
    expect(colored).toContain('\u001b[31mapi:1\u001b[39m → \u001b[32mapi:2\u001b[39m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are what is taken out
    expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(renderPlan(plan([patched]), look));
  });
});

test('line diffs are needed only for texts of several lines', () => {
  expect(comparesLines(plan([patched]))).toBe(false);
  expect(
    comparesLines(plan([change({ id: 'gvc/a', action: 'patch', fields: [{ path: 'x', old: 'a', new: 'a\nb' }] })])),
  ).toBe(true);
});
