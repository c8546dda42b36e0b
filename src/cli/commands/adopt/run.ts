import type { AdoptedManifest } from '../../../change/adopt/manifestOf.ts';
import { type Adoption, adoptLive } from '../../../gantry/adopting/adoptLive.ts';
import { displayPath } from '../../../project/files/displayPath.ts';
import { openPlatform } from '../../../project/platform/platform.ts';
import { openProject, type Project } from '../../../project/settings/project.ts';
import type { Ending } from '../../../terminal/answer/ending.ts';
import { withoutLastLineEnd } from '../../../terminal/answer/toText.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import { UsageError } from '../../../terminal/line/usageError.ts';
import { printable } from '../../../terminal/printable.ts';
import { exitCode } from '../../../terminal/process/exitCode.ts';
import { adoptionToJson } from './json.ts';
import { leftOutLines } from './leftOutText.ts';
import { nextCommand } from './nextCommand.ts';
import type { AdoptOptions } from './options.ts';
import { parseRefs } from './parseRefs.ts';
import { layoutOf, pathsOf, type WrittenLayout, writeFiles } from './writeFiles.ts';

type AdoptCommand = CommandContext<AdoptOptions>;

/** Prints or writes manifests or code for live resources, once their plan is proved to be empty. */
export async function runAdopt(context: AdoptCommand, refs: readonly string[]): Promise<Ending> {
  const { options, terminal } = context;
  if (options.all === refs.length > 0) {
    throw new UsageError('name resources or give --all', 'Give either ids (kind/[gvc/]name) or --all.');
  }
  const project = await openProject(context, []);
  const platform = await openPlatform(context, project.settings);
  try {
    const layout = await layoutOf(context, project.settings.stack);
    const adoption = await adoptLive(platform, project, context, {
      resources: options.all ? 'all' : parseRefs(refs, project.settings.gvc),
      layout,
      onLeftOut(left) {
        for (const line of leftOutLines(left, options.all)) terminal.message(line);
      },
    });
    return await showAdoption(adoption, layout, project, context);
  } finally {
    await platform.close();
  }
}

async function showAdoption(
  { manifests, files, left }: Adoption,
  layout: WrittenLayout,
  { settings }: Project,
  context: AdoptCommand,
): Promise<Ending> {
  const { options, terminal, answer } = context;
  if (manifests.length === 0) {
    terminal.message('There is nothing to adopt.');
    answer.document(adoptionToJson({ manifests: [], skipped: left, files: [] }));
    return exitCode.ok;
  }
  tellUnknown(manifests, context);
  const written = layout.out === undefined ? [] : pathsOf(files, layout.out);
  await writeFiles(written, context);
  if (options.output !== 'text') {
    const paths = written.map(({ path }) => displayPath(path, context.cwd));
    answer.document(adoptionToJson({ manifests, skipped: left, files: paths }));
  } else if (layout.out === undefined) for (const { text } of files) terminal.result(withoutLastLineEnd(text));
  terminal.message(
    `${manifests.length} of ${manifests.length + left.length} can be adopted: applying with --adopt sets the ` +
      'owner and changes nothing else. Nothing has been written to the platform.',
  );
  const next = await nextCommand(layout, settings, context);
  if (next !== undefined) terminal.message(`Next: ${next}`);
  return exitCode.ok;
}

/** What stays on the platform although the code does not say it. */
function tellUnknown(manifests: readonly AdoptedManifest[], { terminal }: AdoptCommand): void {
  for (const { id, unknown } of manifests) {
    if (unknown.length === 0) continue;
    const fields = unknown.map(printable).join(', ');
    terminal.message(`note: ${printable(id)}: ${fields} is unknown to this version of Gantry, and stays unchanged`);
  }
}
