import type { JsonValue } from '../../base/json/json.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { replanSaved } from '../../change/saved/replanSaved.ts';
import type { SavedPlan, SavedSecret } from '../../change/saved/savedPlan.ts';
import { fillSecrets } from '../../change/saved/secrets.ts';
import type { LiveResource, Snapshot } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import type { Change } from '../../plan/model/change.ts';
import type { Platform } from '../../project/platform/platform.ts';
import type { Session } from '../../project/session/session.ts';
import { hiddenField } from '../../schema/facts/kindFacts.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { planOptionsOf } from './options.ts';
import {
  loadInputs,
  type Recognise,
  readSecretsAgain,
  recogniser,
  type SecretInputs,
  secretChanged,
} from './secrets.ts';

/** Resources into which the plan writes a sensitive value. */
export function writesSecrets({ secrets }: SavedPlan): ReadonlySet<ResourceId> {
  return new Set(secrets.filter(({ in: part }) => part !== 'record').map(({ resource }) => resource));
}

export interface FilledBodies {
  /** With their sensitive values. */
  readonly changes: ReadonlyMap<ResourceId, Change>;
  readonly declared: readonly DesiredResource[];
  /** With the live values of secrets that are patched. */
  readonly snapshot: Snapshot;
}

interface Filling {
  readonly snapshot: Snapshot;
  readonly platform: Platform;
  readonly session: Session;
  /** Absent: the inputs that the plan was made from are read again. */
  readonly inputs: SecretInputs | undefined;
}

/**
 * The bodies of these changes with their sensitive values: read again from the inputs, and each compared with its
 * fingerprint. Without such changes no input is looked at.
 *
 * Errors: `saved.input-missing`, `saved.secret-changed`, `saved.key-missing`.
 */
export async function fillBodies(
  saved: SavedPlan,
  changes: readonly Change[],
  { snapshot, platform, session, inputs }: Filling,
): Promise<FilledBodies> {
  if (changes.length === 0) return { changes: new Map(), declared: saved.declared, snapshot };
  const recognise = recogniser(saved, session.environment);
  const ids = new Set(changes.map(({ id }) => id));
  const declared = await readSecretsAgain(saved, ids, recognise, inputs ?? (() => loadInputs(saved, session)));
  const seen = await revealed(saved, changes, snapshot, platform);
  const again = replanSaved(declared, new Set(), seen, planOptionsOf(saved));
  const records = new Map(declared.map((resource) => [resource.id, resource.record]));

  const filled = await Promise.all(
    changes.map(async (change) => {
      const live = seen.resources.get(change.id);
      const now = live === undefined ? undefined : again(change.id, live);
      const candidates = (secret: SavedSecret): readonly (JsonValue | undefined)[] => [
        valueThere(records.get(change.id), secret.at),
        valueThere(now?.patch?.expose(), secret.at),
        valueThere(live?.record, secret.at),
      ];
      return [change.id, await fill(change, saved.secrets, candidates, recognise)] as const;
    }),
  );
  return { changes: new Map(filled), declared, snapshot: seen };
}

async function fill(
  change: Change,
  secrets: readonly SavedSecret[],
  candidates: (secret: SavedSecret) => readonly (JsonValue | undefined)[],
  recognise: Recognise,
): Promise<Change> {
  const values = new Map<SavedSecret, JsonValue>();
  for (const secret of secrets.filter(({ resource, in: part }) => resource === change.id && part !== 'record')) {
    for (const value of candidates(secret)) {
      if (value === undefined || !(await recognise(secret, value))) continue;
      values.set(secret, value);
      break;
    }
    if (!values.has(secret)) throw secretChanged(change.id);
  }
  return fillSecrets(change, secrets, (secret) => values.get(secret));
}

/** What is live, with the values of the secrets that are to be changed, unless they were unknown to the plan too. */
async function revealed(
  { unrevealed }: SavedPlan,
  changes: readonly Change[],
  snapshot: Snapshot,
  { client }: Platform,
): Promise<Snapshot> {
  const known = changes.filter(({ id, kind }) => hiddenField(kind) !== undefined && !unrevealed.has(id));
  const read = await Promise.all(
    known.map(async ({ id, ref }): Promise<readonly LiveResource[]> => {
      if (!snapshot.resources.has(id)) return [];
      const live = await client.read(ref);
      return live === undefined ? [] : [live];
    }),
  );
  const resources = new Map(snapshot.resources);
  for (const live of read.flat()) resources.set(live.id, live);
  return { ...snapshot, resources, unrevealed };
}
