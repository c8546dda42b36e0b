import { expect } from 'vitest';
import type { Held, Told } from './told.ts';

/** Law 9: answered writes are stored, refused ones are not, versions have no gaps, audit trail and records agree. */
export function expectAgreement(told: Told, { version, identities, changes, audited }: Held): void {
  const missing = [...told.created].filter(
    (name) => !identities.has(name) && !told.deleted.has(name) && !told.perhapsDeleted.has(name),
  );
  expect(missing).toEqual([]);
  expect([...told.deleted].filter((name) => identities.has(name))).toEqual([]);
  expect([...told.refused].filter((name) => identities.has(name))).toEqual([]);
  expect([...told.refused].filter((name) => !audited.refused.includes(name))).toEqual([]);
  // Each version was made once, and its event has the mark that the answered PATCH set. A PATCH that was repeated
  // because its first answer was lost changes nothing, but has its own event with the version of the first.
  const byVersion = new Map(changes.map((change) => [change.version, change.marks]));
  expect([...byVersion.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: version }, (_, index) => index + 1));
  expect(changes.length - version).toBeLessThanOrEqual(told.unanswered);
  for (const [made, mark] of told.versions) {
    if (mark !== 'created') expect(byVersion.get(made) ?? []).toContain(mark);
  }
  // Each request without an answer made at most one version.
  expect(version - told.versions.size).toBeLessThanOrEqual(told.unanswered);
  // The identities are those that the trail records as created and not deleted.
  const gone = new Set(audited.delete);
  expect(audited.create.filter((name) => !gone.has(name)).sort()).toEqual([...identities].sort());
  expect(new Set(audited.create).size).toBe(audited.create.length);
}
