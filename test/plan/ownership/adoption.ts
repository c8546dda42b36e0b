import { type JsonObject, type JsonValue, objectAt } from '../../../src/base/json/json.ts';
import { type AdoptedManifest, disproveAdoption, manifestOf, referredKeys } from '../../../src/change/adopt.ts';
import { manifestsYaml } from '../../../src/gantry/adoptionFiles.ts';
import { references } from '../../../src/kinds/references.ts';
import { loadValidators } from '../../../src/kinds/validators.ts';
import { checkManifests } from '../../../src/manifest/checkManifests.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { renderProblem } from '../../../src/manifest/model/locatedProblem.ts';
import type { ManifestDocument } from '../../../src/manifest/model/manifest.ts';
import { parseManifestText } from '../../../src/manifest/parseManifestText.ts';
import { creatableKinds } from '../../../src/schema/record/kinds.ts';
import { contextOf, formatRef } from '../../../src/schema/record/ref.ts';
import { foreign, hash, org, plan, snapshot } from '../world.ts';

const validators = await loadValidators(creatableKinds);

/** The record without an owner: without Gantry's tags. */
export function ownerless(live: LiveResource): LiveResource {
  const tags = Object.fromEntries(
    Object.entries(objectAt(live.record, 'tags')).filter(([key]) => !key.startsWith('gantry/')),
  );
  return { ...live, record: { ...live.record, tags } };
}

export function adopt(lives: readonly LiveResource[], of = org): readonly AdoptedManifest[] {
  const keysOf = referredKeys(lives, of);
  return lives.map((live) => manifestOf(live, { org: of, hash, keysOf }));
}

export async function asYaml(manifests: readonly AdoptedManifest[]): Promise<readonly ManifestDocument[]> {
  const text = await manifestsYaml(manifests);
  const { documents, problems } = parseManifestText({ text, file: 'adopted.yaml', format: 'yaml' });
  if (problems.length > 0) throw new Error(problems.map(renderProblem).join('\n'));
  return documents;
}

/** Objections to adopting these as the documents declare; none if the plan only changes our two tags. */
export function objections(
  documents: readonly ManifestDocument[],
  lives: readonly LiveResource[],
  of = org,
): readonly string[] {
  const { resources, problems } = checkManifests(documents, { org: of, validators });
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return errors.map(renderProblem);
  const made = plan(resources, { ...snapshot([...around(lives, of), ...lives]), org: of }, { adopt: true });
  return disproveAdoption(
    made,
    lives.map(({ id }) => id),
  ).map(({ id, because }) => `${id}: ${because.join('; ')}`);
}

/** Records for their references. */
function around(lives: readonly LiveResource[], of: string): readonly LiveResource[] {
  const known = new Set(lives.map(({ id }) => id));
  const targets = lives.flatMap(({ ref, record }) => [
    ...references(ref.kind, record, contextOf(ref, of)).map(({ target }) => target),
    ...(ref.gvc === undefined ? [] : [{ kind: 'gvc', name: ref.gvc } as const]),
  ]);
  return targets
    .map(formatRef)
    .filter((id) => !known.has(id))
    .map((id) => foreign(id));
}

/** The content of a manifest, without its address. */
export function contentOf(manifest: JsonObject): JsonValue {
  const { kind: _kind, gvc: _gvc, name: _name, ...rest } = manifest;
  return rest;
}
