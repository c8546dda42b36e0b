import { displayPath } from '../../../automation/files/displayPath.ts';
import { shortHash } from '../../../automation/planning/hash.ts';
import { openPlatform, type Platform } from '../../../automation/platform/platform.ts';
import { openProject, ownerOfProject, type Project } from '../../../automation/settings/project.ts';
import { ownerOf } from '../../../automation/settings/settings.ts';
import { ToolError } from '../../../errors/toolError.ts';
import type { LiveResource } from '../../../manifest/live/snapshot.ts';
import { whyNotAdopted } from '../../../plan/adopt/adoptable.ts';
import { type AdoptedManifest, manifestOf } from '../../../plan/adopt/manifestOf.ts';
import type { Disproof } from '../../../plan/adopt/proof.ts';
import { referredKeys } from '../../../plan/adopt/secretKeys.ts';
import type { Ending } from '../../answer/ending.ts';
import { withoutLastLineEnd } from '../../answer/toText.ts';
import type { CommandContext } from '../../line/context.ts';
import { UsageError } from '../../line/usageError.ts';
import { exitCode } from '../../process/exitCode.ts';
import { printable } from '../../terminal/printable.ts';
import { adoptFiles } from './adoptFiles.ts';
import { adoptionToJson } from './json.ts';
import { leftOutLines } from './leftOutText.ts';
import { nextCommand } from './nextCommand.ts';
import type { AdoptOptions } from './options.ts';
import { proveAdoption } from './proveAdoption.ts';
import { type FoundLive, type LeftOut, parseRefs, readAll, readNamed } from './readLive.ts';
import { layoutOf, writeFiles } from './writeFiles.ts';

type AdoptCommand = CommandContext<AdoptOptions>;

/**
 * Reads live resources, makes manifests or code of them, proves that their plan is empty but for the adoption, and only
 * then prints or writes them. Nothing is written to the platform: `gantry apply --adopt` claims them.
 */
export async function runAdopt(context: AdoptCommand, refs: readonly string[]): Promise<Ending> {
  const { options } = context;
  if (options.all === refs.length > 0) {
    throw new UsageError('name resources or give --all', 'Give either ids (kind/[gvc/]name) or --all.');
  }
  const project = await openProject(context, []);
  const platform = await openPlatform(context, project.settings);
  try {
    return await adoptOn(platform, project, context, refs);
  } finally {
    await platform.close();
  }
}

async function adoptOn(
  platform: Platform,
  project: Project,
  context: AdoptCommand,
  refs: readonly string[],
): Promise<Ending> {
  const { options, terminal, answer } = context;
  const { gvc } = project.settings;
  const found = options.all ? await readAll(platform, gvc) : await readNamed(platform.client, parseRefs(refs, gvc));
  const owner = ownerFor(context, project);
  const { adopted, left } = sortOut(found, owner, platform.org);
  for (const line of leftOutLines(left, options.all)) terminal.message(line);

  if (!options.all && left.length > 0) throw cannotAdopt(left);
  if (adopted.length === 0) {
    terminal.message('There is nothing to adopt.');
    answer.document(adoptionToJson({ manifests: [], skipped: left, files: [] }));
    return exitCode.ok;
  }
  const keysOf = referredKeys(found.live, platform.org);
  const manifests = adopted.map((live) => manifestOf(live, { org: platform.org, hash: shortHash, keysOf }));
  const layout = await layoutOf(context, project.settings.stack ?? 'stack');
  const files = await adoptFiles(manifests, layout);
  const ids = adopted.map(({ id }) => id);
  const against = await proveAdoption(
    { files, format: layout.format, ids, owner },
    platform,
    project.settings,
    context,
  );
  if (against.length > 0) throw unproven(against);

  tellUnknown(manifests, context);
  if (layout.out !== undefined) await writeFiles(files, context);
  if (options.output !== 'text') {
    const paths = layout.out === undefined ? [] : files.map(({ path }) => displayPath(path, context.cwd));
    answer.document(adoptionToJson({ manifests, skipped: left, files: paths }));
  } else if (layout.out === undefined) for (const { text } of files) terminal.result(withoutLastLineEnd(text));
  terminal.message(
    `${adopted.length} of ${found.live.length + found.left.length} can be adopted: applying with --adopt sets the ` +
      'owner and changes nothing else. Nothing has been written to the platform.',
  );
  const next = await nextCommand(layout, project.settings, context);
  if (next !== undefined) terminal.message(`Next: ${next}`);
  return exitCode.ok;
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
function ownerFor(context: AdoptCommand, project: Project): string {
  const { settings } = project;
  if (settings.stack !== undefined || context.options.embedded) return ownerOfProject(context, project);
  return ownerOf({ name: 'gantry-adopt', project: settings.project, gvc: settings.gvc });
}

/** What stays on the platform although the code does not say it. */
function tellUnknown(manifests: readonly AdoptedManifest[], { terminal }: AdoptCommand): void {
  for (const { id, unknown } of manifests) {
    if (unknown.length === 0) continue;
    const fields = unknown.map(printable).join(', ');
    terminal.message(`note: ${printable(id)}: ${fields} is unknown to this version of Gantry, and stays unchanged`);
  }
}

function cannotAdopt(left: readonly LeftOut[]): ToolError {
  const code = 'adopt.impossible';
  return new ToolError({
    code,
    message: `${left.length} of the named resources cannot be adopted; nothing was written`,
    hint: 'Leave them out; the reasons are listed above.',
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
