import { expect } from 'vitest';
import type { Held, Told } from './told.ts';

/** Law 9: an answered write is there, a refused one never is, versions have no gap, audit trail and records agree. */
export function expectAgreement(told: Told, { version, identities, changes, audited }: Held): void {
  // Answered writes are there.
  const missing = [...told.created].filter(
    (name) => !identities.has(name) && !told.deleted.has(name) && !told.perhapsDeleted.has(name),
  );
  expect(missing).toEqual([]);
  expect([...told.deleted].filter((name) => identities.has(name))).toEqual([]);
  // Refused ones are not, and the audit trail knows of them.
  expect([...told.refused].filter((name) => identities.has(name))).toEqual([]);
  expect([...told.refused].filter((name) => !audited.refused.includes(name))).toEqual([]);
  // Each version was made once, and its event holds what its client was told that it set. A PATCH that was sent again,
  // because its first answer was lost, changes nothing: it has an event of its own, with the version of the first.
  const byVersion = new Map(changes.map((change) => [change.version, change.marks]));
  expect([...byVersion.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: version }, (_, index) => index + 1));
  expect(changes.length - version).toBeLessThanOrEqual(told.unanswered);
  for (const [made, mark] of told.versions) {
    if (mark !== 'created') expect(byVersion.get(made) ?? []).toContain(mark);
  }
  // At most one version without an answer for each request without an answer.
  expect(version - told.versions.size).toBeLessThanOrEqual(told.unanswered);
  // What the trail says was created and not deleted is what there is.
  const gone = new Set(audited.delete);
  expect(audited.create.filter((name) => !gone.has(name)).sort()).toEqual([...identities].sort());
  expect(new Set(audited.create).size).toBe(audited.create.length);
}
