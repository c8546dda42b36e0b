import { type JsonObject, objectAt } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { compareText } from '../../base/text/compareText.ts';
import { type AdoptedManifest, manifestOf, referredKeys, whyNotDeclared } from '../../change/adopt.ts';
import { fetchSnapshot } from '../../client/fetchSnapshot.ts';
import { viewsEverything } from '../../client/views.ts';
import type { ConfiguredRecord } from '../../hcl/configuration/linkTexts.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { isOwned, ownershipOf } from '../../plan/record/ownership.ts';
import { shapeFacts, withoutFields } from '../../plan/record/shapeFacts.ts';
import type { Platform } from '../../project/platform/platform.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { shortHash } from '../loading/hash.ts';

export interface LiveConfigured {
  readonly records: readonly ConfiguredRecord[];
  /** Resources that cannot be declared. */
  readonly left: readonly { readonly id: ResourceId; readonly because: string }[];
}

/** Live resources with the fewest fields that give no difference, as `gantry adopt` writes them. */
export function liveConfigured(live: readonly LiveResource[], org: string): LiveConfigured {
  const context = { org, hash: shortHash, keysOf: referredKeys(live, org) };
  const reasons = live.map((each) => ({ each, because: whyNotDeclared(each) }));
  return {
    records: reasons
      .filter(({ because }) => because === undefined)
      .map(({ each }) => {
        const made = manifestOf(each, context);
        return {
          ref: each.ref,
          record: withoutPlaceholders(made),
          live: withoutSensitive(each),
          unknown: made.unknown,
        };
      }),
    left: compact(reasons, ({ each, because }) => (because === undefined ? undefined : { id: each.id, because })),
  };
}

/** Removes sensitive values, which were not read: omitted fields stay unchanged on the platform. */
function withoutPlaceholders({ manifest, placeholders }: AdoptedManifest): JsonObject {
  if (placeholders.length === 0) return manifest;
  const { ignore: _ignore, ...lifecycle } = objectAt(manifest, 'lifecycle');
  const fields = Object.entries(manifest).filter(([name]) => !placeholders.includes(name));
  return { ...Object.fromEntries(fields), lifecycle };
}

function withoutSensitive({ ref, record }: LiveResource): JsonObject {
  const { sensitive } = shapeFacts(shapeOf(ref.kind, record));
  return withoutFields(
    record,
    sensitive.map((name) => [name]),
  );
}

/** The records that a stack owns, sorted by id: one query per kind. */
export async function readOwned({ client, org }: Platform, owner: string): Promise<readonly LiveResource[]> {
  const source = { ...client, children: () => Promise.resolve([]), views: () => Promise.resolve(viewsEverything) };
  const { resources } = await fetchSnapshot(source, { org, owner, declared: [], referenced: [] });
  return [...resources.values()]
    .filter((live) => isOwned(ownershipOf(live, owner, org, shortHash)))
    .sort((a, b) => compareText(a.id, b.id));
}
