import type { JsonObject, JsonValue } from '../base/json/json.ts';
import { canonicalText } from '../base/json/jsonText.ts';
import { type PlacedValue, withValues } from '../base/json/valuesAt.ts';
import { Body, sensitivePlaces } from '../manifest/model/body.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { maskSensitive } from '../patch/fieldChanges.ts';
import type { Change } from '../plan/model/change.ts';
import type { Plan } from '../plan/model/plan.ts';
import { sensitivityOf } from '../plan/record/shapeFacts.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import type { SavedSecret } from './savedPlan.ts';

/** A sensitive value that is declared or that a plan would write. */
export interface FoundSecret extends Omit<SavedSecret, 'fingerprint'> {
  readonly value: JsonValue;
}

/** The text for a fingerprint: the same value in two resources must have different ones. */
export function fingerprintText(resource: ResourceId, value: JsonValue): string {
  return `${resource}\n${canonicalText(value)}`;
}

const parts = ['create', 'patch', 'then'] as const;

/** Every sensitive value in the bodies of changes, and in the declarations of those that write one. */
export function findSecrets(plan: Plan, declared: readonly DesiredResource[]): readonly FoundSecret[] {
  const written = plan.changes.flatMap((change) =>
    parts.flatMap((part) => placesIn(change, part).map((place) => ({ resource: change.id, in: part, ...place }))),
  );
  const writers = new Set(written.map(({ resource }) => resource));
  const declaredSecrets = declared.flatMap((resource) =>
    writers.has(resource.id)
      ? sensitivePlaces(resource.record, maskedRecord(resource)).map((place) => ({
          resource: resource.id,
          in: 'record' as const,
          ...place,
        }))
      : [],
  );
  return [...written, ...declaredSecrets];
}

function placesIn(change: Change, part: (typeof parts)[number]) {
  const body = change[part];
  return body === undefined ? [] : sensitivePlaces(body.expose(), body.masked);
}

/** The declaration with masked secrets. */
export function maskedRecord(resource: DesiredResource): JsonObject {
  return maskSensitive(sensitivityOf(resource), resource.record);
}

/** Returns the sensitive value at a place, if it can be found again. */
export type SecretAt = (secret: SavedSecret) => JsonValue | undefined;

/** Fills the sensitive values into a change; values that `secretAt` does not know stay masked. */
export function fillSecrets(change: Change, secrets: readonly SavedSecret[], secretAt: SecretAt): Change {
  const ownSecrets = secrets.filter(({ resource, in: part }) => resource === change.id && part !== 'record');
  if (ownSecrets.length === 0) return change;
  const filled = parts.flatMap((part) => {
    const body = change[part];
    const places = ownSecrets.filter((secret) => secret.in === part).flatMap((secret) => placeOf(secret, secretAt));
    if (body === undefined || places.length === 0) return [];
    return [[part, new Body(withValues(body.expose(), places), body.masked)] as const];
  });
  return { ...change, ...Object.fromEntries(filled) };
}

/** Fills the sensitive values into a declaration. */
export function fillRecord(
  resource: DesiredResource,
  secrets: readonly SavedSecret[],
  secretAt: SecretAt,
): DesiredResource {
  const places = secrets
    .filter(({ resource: id, in: part }) => id === resource.id && part === 'record')
    .flatMap((secret) => placeOf(secret, secretAt));
  return places.length === 0 ? resource : { ...resource, record: withValues(resource.record, places) };
}

function placeOf(secret: SavedSecret, secretAt: SecretAt): readonly PlacedValue[] {
  const value = secretAt(secret);
  return value === undefined ? [] : [{ at: secret.at, value }];
}
