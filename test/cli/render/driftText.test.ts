import { expect, test } from 'vitest';
import type { Drift, DriftRecord, DriftWrite } from '../../../src/change/drift.ts';
import { renderDrift } from '../../../src/cli/commands/drift.ts';
import { makePalette } from '../../../src/terminal/palette.ts';

const look = { palette: makePalette(false), width: Number.POSITIVE_INFINITY };

function record(parts: Partial<DriftRecord> & Pick<DriftRecord, 'id' | 'state'>): DriftRecord {
  return { part: false, orphaned: false, version: 3, writes: [], fields: [], secretsUnknown: false, ...parts };
}

function drift(records: readonly DriftRecord[], parts: Partial<Drift> = {}): Drift {
  return { org: 'local', stack: 'shop', declarationsKnown: true, records, requests: 16, ...parts };
}

function write(version: number, name: string, parts: Partial<DriftWrite> = {}): DriftWrite {
  return { action: 'edit', version, at: '2026-01-02T03:04:05.000Z', by: { name, type: 'user' }, fields: [], ...parts };
}

/** The text about one record. */
function textOf(
  id: string,
  state: DriftRecord['state'],
  parts: Partial<DriftRecord> = {},
  width = Number.POSITIVE_INFINITY,
): string {
  return renderDrift(drift([record({ id, state, ...parts })]), { ...look, width });
}

const changed = { path: 'description', old: 'a', new: 'b' };

test('values are aligned after paths with wide characters', () => {
  const fields = [
    { path: 'tags.東京', old: 'a', new: 'b' },
    { path: 'tags.x', old: 'c', new: 'd' },
  ];
  const lines = textOf('group/team', 'touched', { fields }).split('\n');
  expect(lines.filter((line) => line.includes('tags.'))).toEqual([
    expect.stringMatching(/~ tags\.東京 {2}a → b$/),
    expect.stringMatching(/~ tags\.x {5}c → d$/),
  ]);
});

test('at 40 columns lines are wrapped with a deeper indent', () => {
  const writes = [write(2, 'bob@example.com', { fields: [changed] })];
  const lines = textOf('group/team', 'touched', { recordedVersion: 1, fields: [changed], writes }, 40).split('\n');
  expect(lines.filter((line) => line.length > 40)).toEqual([]);
  expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain('version 2: changed by bob@example.com (user)');
});

test('a changed record shows all current differences, and then each write', () => {
  const touched = record({
    id: 'workload/shop/web',
    state: 'touched',
    recordedVersion: 1,
    fields: [
      { path: 'description', old: 'a', new: 'c' },
      { path: 'tags.x', new: 'y' },
    ],
    writes: [
      write(3, 'carl', { fields: [{ path: 'description', old: 'b', new: 'c' }] }),
      write(2, 'bob', { fields: [changed] }),
    ],
  });
  expect(renderDrift(drift([record({ id: 'gvc/shop', state: 'untouched' }), touched]), look)).toBe(
    `Stack shop in org local

  ~ workload/shop/web (version 3, this stack wrote 1)
      written by others
      different now:
        ~ description  a → c
        + tags.x       y
      version 3: changed by carl (user) at 2026-01-02T03:04:05.000Z
        ~ description  b → c
      version 2: changed by bob (user) at 2026-01-02T03:04:05.000Z
        ~ description  a → b

Drift: 1 unchanged, 1 changed by others. Requests: 16.`,
  );
});

test('a single write shows its fields only', () => {
  const parts = { recordedVersion: 2, fields: [changed], writes: [write(3, 'bob', { fields: [changed] })] };
  expect(textOf('gvc/g', 'touched', parts)).toContain(
    `      written by others
      version 3: changed by bob (user) at 2026-01-02T03:04:05.000Z
        ~ description  a → b`,
  );
});

test('unknown writers, fields and secrets are shown as unknown', () => {
  const unknown = { fields: null, writes: null, secretsUnknown: true };
  const blind = record({ id: 'secret/s', state: 'touched', recordedVersion: 1, ...unknown });
  expect(renderDrift(drift([blind], { declarationsKnown: false }), look)).toBe(
    `Stack shop in org local

  ~ secret/s (version 3, this stack wrote 1)
      written by others
      what changed is unknown: the audit trail cannot be read
      the audit trail contains no secrets, so changed values cannot be detected
      writer unknown: the audit trail cannot be read

No manifests were read, so orphaned and deleted resources cannot be detected.

Drift: 1 changed by others. Requests: 16.`,
  );
});

test('an audit trail that begins later has another reason than an unreadable one', () => {
  const parts = { recordedVersion: 1, fields: null, writes: [write(3, 'bob')] };
  expect(textOf('gvc/g', 'touched', parts)).toContain(
    'what changed is unknown: the audit trail does not reach back to the last write of this stack',
  );
});

test('orphaned, owned by another stack, deleted and changed back', () => {
  // biome-ignore format: a row is a case
  const records = [
    record({ id: 'group/a', state: 'untouched', orphaned: true }),
    record({ id: 'group/b', state: 'other-owner', owner: 'bank', writes: [write(3, 'eve')] }),
    record({ id: 'group/c', state: 'deleted', recordedVersion: 3, writes: [write(3, 'eve', { action: 'delete' })] }),
    record({ id: 'domain/d', state: 'touched', part: true, recordedVersion: 1,
      writes: [write(3, 'eve'), write(2, 'eve')] }),
  ];
  expect(renderDrift(drift(records), look)).toBe(
    `Stack shop in org local

  - group/a (version 3)
      unchanged since this stack last wrote it
      orphaned: owned by this stack but no longer declared
      to do: declare it again, or apply, which deletes it (or forgets it, if it had lifecycle.retain)

  ! group/b (version 3)
      now owned by another stack: bank
      nothing is different now
      version 3: changed by eve (user) at 2026-01-02T03:04:05.000Z

  - group/c (version 3)
      deleted by others; the next apply creates it again
      version 3: deleted by eve (user) at 2026-01-02T03:04:05.000Z

  ~ domain/d (version 3, this stack wrote 1), a part of it
      written by others
      nothing is different now
      version 3: changed by eve (user) at 2026-01-02T03:04:05.000Z
      version 2: changed by eve (user) at 2026-01-02T03:04:05.000Z

Drift: 1 unchanged, 1 changed by others, 1 of other owners, 1 deleted, 1 orphaned. Requests: 16.`,
  );
});

test('no drift', () => {
  expect(renderDrift(drift([]), look)).toBe('Stack shop in org local\n\nNo drift. Requests: 16.');
  expect(textOf('gvc/g', 'untouched')).toContain('No drift: 1 unchanged. Requests: 16.');
});

test('platform text cannot move the cursor', () => {
  const nasty = { writes: [write(3, 'e\u001b[2Jve')], fields: null };
  expect(textOf('gvc/g', 'touched', nasty)).toContain('changed by e\\u001b[2Jve (user)');
});

test.each(
  // biome-ignore format: a row is a case
  [
    { it: 'a copy', parts: { state: 'copy' },
      todo: 'declare it and plan with --adopt, delete it by hand, or remove its gantry/ tags' },
    { it: 'no record', parts: { state: 'unrecorded' },
      todo: 'apply, which restores the tag gantry/applied if the resource is declared' },
    { it: 'no recorded tag and not declared', parts: { state: 'unrecorded', orphaned: true },
      todo: 'declare it again, or delete it by hand: apply does not delete it' },
    { it: 'a part that is not declared', parts: { state: 'touched', part: true, orphaned: true },
      todo: 'declare the part again, or apply, which removes its items' },
  ] as const,
)('what to do about $it', ({ parts, todo }) => {
  expect(textOf('group/a', parts.state, parts)).toContain(`      to do: ${todo}`);
});

test('without a recorded write the changes are unknown', () => {
  const text = textOf('group/a', 'unrecorded', { fields: null });
  expect(text).toContain('what changed is unknown: no record says what this stack wrote to it');
  expect(text).toContain('has the tag gantry/stack but not gantry/applied: not deleted while that tag is missing');
  expect(text, 'it may never have been there').not.toContain('removed');
  expect(text).not.toContain('audit trail');
});

test('a secret is never called unchanged if its values are unknown', () => {
  const text = textOf('secret/s', 'touched', { recordedVersion: 1, secretsUnknown: true });
  expect(text).toContain('      nothing that can be seen is different now');
  expect(text).not.toContain('nothing is different');
});

test('changes that no apply undoes are listed separately, and are no drift', () => {
  const fields = [{ path: 'tags.theirs', new: '2' }];
  const writes = [write(3, 'bob', { fields })];
  expect(textOf('gvc/g', 'left-alone', { recordedVersion: 2, leftAlone: fields, writes })).toBe(
    `Stack shop in org local

Left alone: others changed this, and no apply undoes it

    gvc/g (version 3, this stack wrote 2)
      written by others, where apply changes nothing
      version 3: changed by bob (user) at 2026-01-02T03:04:05.000Z
        + tags.theirs  "2"

No drift: 1 left alone. Requests: 16.`,
  );
});

test('in a record with drift, changes that no apply undoes are listed below', () => {
  const leftAlone = [{ path: 'tags.theirs', new: '2' }];
  const writes = [write(3, 'bob'), write(2, 'bob')];
  expect(textOf('gvc/g', 'touched', { recordedVersion: 1, fields: [changed], leftAlone, writes })).toContain(
    `      different now:
        ~ description  a → b
      left alone, as no apply changes it:
        + tags.theirs  "2"`,
  );
});
