import { expect, test } from 'vitest';
import type { Explanation } from '../../../src/change/explanation.ts';
import { renderExplanation } from '../../../src/cli/commands/explain.ts';
import { makePalette } from '../../../src/terminal/palette.ts';

const palette = makePalette(false);
const at = (line: number) => ({ file: 'web.yaml', line, column: 7 });

function explanation(parts: Partial<Explanation> & Pick<Explanation, 'action'>): Explanation {
  const none = {
    requests: [],
    choices: [],
    fields: [],
    equal: [],
    waitsFor: [],
    takesAlong: [],
    refusals: [],
    notes: [],
  };
  const resource = 'workload/shop/web';
  return { ...none, org: 'local', stack: 'shop', resource, reason: '', counts: {}, ...parts };
}

/** A field whose declared value is written. */
function differs(path: string, more: Partial<Explanation['fields'][number]>): Explanation['fields'][number] {
  return { path, why: 'differs', because: 'the declared value is written', ...more };
}

function text(parts: Partial<Explanation> & Pick<Explanation, 'action'>, path?: string): string {
  return renderExplanation(explanation(parts), { palette, path });
}

test('a patch shows its body, its proof, both values of each field, the alternatives, and the equal fields', () => {
  const memory = { why: 'quantity', because: '', declared: '1Gi', live: '1024Mi' } as const;
  const hidden = { sensitive: true, changed: true };
  const ann = { name: 'ann@example.com', type: 'user', version: 3, at: '2026-01-02T03:04:05.000Z' };
  const risk = 'rolling-restart';
  const because = 'what is live is not the beginning of what is wanted';
  const shown = text({
    ...{ action: 'patch', reason: 'changed in the code', risk, liveVersion: 4, owner: 'this stack', at: at(1) },
    requests: [{ method: 'PATCH', body: { version: 4, description: null } }],
    proof: { holds: true, managed: 14, untouched: 1, against: [] },
    fields: [
      differs('spec.containers.main.cpu', { declared: '100m', at: at(9), live: '200m', writer: ann, risk }),
      differs('spec.job', { declared: {}, at: at(20) }),
      differs('data', { declared: hidden, live: hidden, writer: null }),
    ],
    choices: [
      {
        path: 'spec.containers',
        chosen: { entries: ['$patch/containers'], leaves: 1, bytes: 60 },
        rejected: [{ entries: ['containers'], leaves: 9, bytes: 240 }],
        impossible: [{ directives: ['$append/containers'], because }],
      },
    ],
    equal: [
      { path: 'description', why: 'derived', because: '', live: 'web', means: 'web' },
      { path: 'spec.containers.main.memory', ...memory, at: at(10) },
    ],
    counts: { same: 11, platform: 6, derived: 1, quantity: 1, differs: 3 },
  });
  expect(shown).toBe(
    `~ workload/shop/web (version 4) will be changed
  why: changed in the code
  declared at web.yaml:1:7
  owned by this stack
  risk: rolling-restart

What is sent
  PATCH {
    "version": 4,
    "description": null
  }

Proof
  Applied to the live copy by the rules of the platform, the patch produces the declared values of all 14 managed fields.
  1 field that this stack does not manage stays as it is.

What differs
  ~ spec.containers.main.cpu  (risk: rolling-restart)
      declared  100m  web.yaml:9:7
      live      200m  last written by ann@example.com at 2026-01-02T03:04:05.000Z, version 3
      the declared value is written
  + spec.job
      declared  {}  web.yaml:20:7
      the declared value is written
  ~ data
      declared  (sensitive)
      live      (sensitive)  last writer unknown
      the declared value is written

Ways to write the patch
  spec.containers
    ✓ $patch/containers: 1 changed leaf, 60 bytes
      containers: 9 changed leaves, 240 bytes
    ✗ $append/containers: what is live is not the beginning of what is wanted

What does not differ, and why
  11 fields: the same on both sides
  6 fields: written by the platform alone
  1 field: omitted, which means the value derived from the rest of the record: that is the live value
      description  live web, left out means web
  1 field: the same amount in another unit
      spec.containers.main.memory  declared 1Gi (web.yaml:10:7), live 1024Mi`,
  );
});

test('a deletion shows the records that it deletes too, their owners, and its refusals', () => {
  const shown = text({
    ...{ action: 'refuse', intended: 'delete', reason: 'it is no longer declared', requests: [{ method: 'DELETE' }] },
    takesAlong: [{ id: 'workload/shop/theirs', owner: 'the stack bank' }],
    waitsFor: [{ on: 'domain/a.b', because: 'spec.ports refers to it', soft: false }],
    refusals: [{ code: 'delete.bystander', message: 'it would delete others', allow: '--allow-collateral=1' }],
    notes: ['a note'],
    hits: ['workload/shop/other'],
    renamedFrom: 'workload/shop/old',
  });
  expect(shown).toBe(
    `! workload/shop/web is refused (it would be: delete)
  why: it is no longer declared

What is sent
  DELETE

Related resources and notes
  Replaces workload/shop/old, which is deleted once this resource exists.
  affects workload/shop/other of another owner
  also deletes workload/shop/theirs, owned by the stack bank
  waits for domain/a.b: spec.ports refers to it
  refused delete.bystander: it would delete others
    To permit it: --allow-collateral=1
  note: a note`,
  );
});

test('an unchanged resource has no differences', () => {
  expect(text({ action: 'keep', liveVersion: 1, counts: { same: 2 } })).toBe(
    `= workload/shop/web (version 1) stays as it is

Nothing differs.

What does not differ, and why
  2 fields: the same on both sides`,
  );
});

test('with a path only that is shown; a removed field names who removed it', () => {
  const writer = { name: 'eve', type: 'user', version: 2, at: '2026-01-02' };
  const fields = [differs('description', { declared: 'x', writer })];
  const shown = text(
    { action: 'patch', requests: [{ method: 'PATCH', body: {} }], notes: ['a note'], fields },
    'description',
  );
  expect(shown).toBe(
    `~ workload/shop/web will be changed

Fields
  + description
      declared  x
      removed   by eve at 2026-01-02, version 2
      the declared value is written`,
  );
});

test('a proof that fails names the contradictions', () => {
  const shown = text({ action: 'patch', proof: { holds: false, managed: 1, untouched: 2, against: ['spec.x'] } });
  expect(shown).toContain('the declared values of only 1 managed field.');
  expect(shown).toContain('  Contradicted by: spec.x');
});

test('of many fields with the same verdict the first are named', () => {
  const tag = { why: 'foreign-tag', because: '', live: 'x' } as const;
  const equal = Array.from({ length: 10 }, (_, index) => ({ ...tag, path: `tags.t${index}` }));
  const shown = text({ action: 'keep', equal, counts: { 'foreign-tag': 10 } });
  expect(shown).toContain('  10 fields: a tag that this stack did not set: it stays unchanged');
  expect(shown).toContain('      tags.t7  live x\n      and 2 more');
});
