import type { JsonObject } from '../../../base/json/json.ts';
import type { AdoptedManifest } from '../../../change/adopt/manifestOf.ts';
import { adoptionForm } from '../../../change/documents/adoptionDocument.ts';
import type { LeftOut } from '../../../gantry/adopting/readLive.ts';

export interface Adoption {
  readonly manifests: readonly AdoptedManifest[];
  readonly skipped: readonly LeftOut[];
  /** The files that were written. */
  readonly files: readonly string[];
}

/** The adoption in its documented form (`adoptionDocument.ts`). Keys stand in a fixed order. */
export function adoptionToJson({ manifests, skipped, files }: Adoption): JsonObject {
  const withPlaceholders = manifests.filter(({ placeholders }) => placeholders.length > 0);
  return adoptionForm.write({
    formatVersion: 1,
    manifests: manifests.map(({ manifest }) => manifest),
    placeholders: Object.fromEntries(withPlaceholders.map(({ id, placeholders }) => [id, placeholders])),
    skipped,
    files,
  });
}
