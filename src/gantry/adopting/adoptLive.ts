import { firstOf } from '../../base/text/firstOf.ts';
import { ToolError } from '../../base/toolError.ts';
import { whyNotAdopted } from '../../change/adopt/adoptable.ts';
import { type AdoptedManifest, manifestOf } from '../../change/adopt/manifestOf.ts';
import type { Disproof } from '../../change/adopt/proof.ts';
import { referredKeys } from '../../change/adopt/secretKeys.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Platform } from '../../project/platform/platform.ts';
import type { Session } from '../../project/session/session.ts';
import { ownerOfProject, type Project } from '../../project/settings/project.ts';
import { ownerOf } from '../../project/settings/settings.ts';
import type { Ref } from '../../schema/record/ref.ts';
import { shortHash } from '../planning/hash.ts';
import { type AdoptionFile, type AdoptionLayout, adoptionFiles } from './adoptionFiles.ts';
import { proveAdoption } from './proveAdoption.ts';
import { type FoundLive, type LeftOut, readAll, readNamed } from './readLive.ts';

/** The resources to adopt, and the form in which they are written. */
export interface AdoptionRequest {
  /** `all`: everything that no stack owns; with a GVC in the settings, everything in that GVC. */
  readonly resources: readonly Ref[] | 'all';
  readonly layout: AdoptionLayout;
  /** For what cannot be adopted, before anything is proved. */
  readonly onLeftOut?: (left: readonly LeftOut[]) => void;
}

/** Live resources as files that adopt them, proved on the platform. Nothing of it is written yet. */
export interface Adoption {
  /** The manifests of the files; empty where there is nothing to adopt. */
  readonly manifests: readonly AdoptedManifest[];
  readonly files: readonly AdoptionFile[];
  /** Resources that cannot be adopted, and why. */
  readonly left: readonly LeftOut[];
}

/**
 * Reads live resources, makes manifests or code of them, and proves that their plan is empty but for the adoption.
 * Nothing is written to the platform: applying with `adopt` claims them.
 *
 * Errors: `adopt.impossible` for what is named and cannot be adopted; `adopt.unreadable`, `adopt.unproven`.
 */
export async function adoptLive(
  platform: Platform,
  project: Project,
  session: Session,
  { resources, layout, onLeftOut = () => {} }: AdoptionRequest,
): Promise<Adoption> {
  const all = resources === 'all';
  const found = all ? await readAll(platform, project.settings.gvc) : await readNamed(platform.client, resources);
  const owner = ownerFor(session, project);
  const { adopted, left } = sortOut(found, owner, platform.org);
  onLeftOut(left);
  if (!all && left.length > 0) throw cannotAdopt(left);
  if (adopted.length === 0) return { manifests: [], files: [], left };
  const keysOf = referredKeys(found.live, platform.org);
  const manifests = adopted.map((live) => manifestOf(live, { org: platform.org, hash: shortHash, keysOf }));
  const files = await adoptionFiles(manifests, layout);
  const ids = adopted.map(({ id }) => id);
  const proposal = { files, format: layout.format, ids, owner };
  const against = await proveAdoption(proposal, platform, project.settings, session);
  if (against.length > 0) throw unproven(against);
  return { manifests, files, left };
}

interface SortedOut {
  readonly adopted: readonly LiveResource[];
  readonly left: readonly LeftOut[];
}

function sortOut({ live, left }: FoundLive, owner: string, org: string): SortedOut {
  const reasons = live.map((each) => ({ each, because: whyNotAdopted(each, { owner, org, hash: shortHash }) }));
  return {
    adopted: reasons.filter(({ because }) => because === undefined).map(({ each }) => each),
    left: [
      ...left,
      ...reasons.flatMap(({ each, because }) => (because === undefined ? [] : [{ id: each.id, because }])),
    ],
  };
}

/** Code may be made before there is a stack: then nothing is its own yet. */
function ownerFor(session: Session, project: Project): string {
  const { settings } = project;
  if (settings.stack !== undefined || session.options.embedded) return ownerOfProject(session, project);
  return ownerOf({ name: 'gantry-adopt', project: settings.project, gvc: settings.gvc });
}

function cannotAdopt(left: readonly LeftOut[]): ToolError {
  const code = 'adopt.impossible';
  return new ToolError({
    code,
    message: `${left.length} of the named resources cannot be adopted; nothing was written`,
    hint: `Leave out ${firstOf(
      left.map(({ id }) => id),
      3,
    )}.`,
    causes: left.map(({ id, because }) => ({ code, message: because, resource: id })),
  });
}

function unproven(against: readonly Disproof[]): ToolError {
  const lines = against.flatMap(({ id, because }) => because.map((reason) => `${id}: ${reason}`));
  return new ToolError({
    code: 'adopt.unproven',
    message: ['the plan for the generated manifests is not empty; nothing was written:', ...lines].join('\n'),
    hint: 'Adopt the other resources by name, and report this with the record.',
    causes: against.flatMap(({ id, because }) =>
      because.map((message) => ({ code: 'adopt.unproven', message, resource: id })),
    ),
  });
}
