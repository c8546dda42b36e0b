import { inWords } from '../../../base/text/inWords.ts';
import { ToolError } from '../../../base/toolError.ts';
import { loadManifests } from '../../../gantry/loading/loadStack.ts';
import { type FoundLive, type LeftOut, noSuchResource, readAll, readNamed } from '../../../gantry/readLive.ts';
import { liveConfigured, readOwned } from '../../../gantry/terraform/liveConfigured.ts';
import { requirements } from '../../../hcl/configuration/cliConfiguration.ts';
import { type Configuration, configurationOf, notesOf } from '../../../hcl/configuration/configuration.ts';
import type { ConfiguredRecord } from '../../../hcl/configuration/linkTexts.ts';
import { configurationText } from '../../../hcl/configurationText.ts';
import { toManifest } from '../../../plan/record/toManifest.ts';
import { openPlatform, type Platform } from '../../../project/platform/platform.ts';
import { openProject, ownerOfProject } from '../../../project/settings/project.ts';
import type { Ref } from '../../../schema/record/ref.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { Ending } from '../../../terminal/ending.ts';
import { exitCode } from '../../../terminal/exitCode.ts';
import { printable } from '../../../terminal/printable.ts';
import { UsageError } from '../../../terminal/usageError.ts';
import { version } from '../../../terminal/version.ts';
import { exportForm } from '../../schemas/terraform.ts';
import { leftOutLines, parseRefs } from '../adoptLeftOut.ts';
import type { ExportOptions } from './options.ts';
import { writeResult } from './writeResult.ts';

type ExportCommand = CommandContext<ExportOptions>;

/** The exported resources, and the omitted ones. */
interface Exported {
  readonly records: readonly ConfiguredRecord[];
  readonly leftOut: readonly LeftOut[];
  readonly org: string;
}

/** Writes live or declared resources as a configuration of the provider. */
export async function runExport(context: ExportCommand, refs: readonly string[]): Promise<Ending> {
  const { options, terminal } = context;
  const isDeclared = options.declared.length > 0;
  const sources = [refs.length > 0, options.all, isDeclared].filter((given) => given).length;
  const ofStack = sources === 0 && options.stack !== undefined;
  if (!ofStack && sources !== 1) {
    throw new UsageError(
      'say what to export, in one way',
      'Name resources (kind/[gvc/]name), or give --stack NAME, --all, or --declared PATH.',
    );
  }
  const { records, leftOut, org } = isDeclared ? await declared(context) : await live(context, refs);
  for (const line of leftOutLines(leftOut, options.all)) terminal.message(line);
  if (records.length === 0) terminal.message('note: there is nothing to export');
  const configuration = configurationOf(records, { org, imports: options.import, hideSensitive: true });
  return report(context, configuration, leftOut);
}

async function report(context: ExportCommand, configuration: Configuration, left: readonly LeftOut[]): Promise<Ending> {
  const { options, terminal } = context;
  const { addresses, variables, unknown } = configuration;
  const blocks = options.requirements ? [requirements(version), ...configuration.blocks] : configuration.blocks;
  const text = configurationText(blocks, options.format);
  await writeResult(context, text, ({ file, text: written }) =>
    exportForm.write({
      resources: [...addresses].map(([id, address]) => ({ id, address })),
      variables,
      skipped: left,
      unknown,
      file,
      text: written,
    }),
  );
  for (const note of notesOf(configuration)) terminal.message(`note: ${printable(note)}`);
  if (variables.length > 0) {
    terminal.message(`note: set ${variables.join(', ')}: sensitive values are not exported`);
  }
  return exitCode.ok;
}

async function declared(context: ExportCommand): Promise<Exported> {
  const { desired, org } = await loadManifests(context, context.options.declared, 'unread');
  const records = desired.map((resource) => ({ ref: resource.ref, record: toManifest(resource) }));
  return { records, leftOut: [], org };
}

async function readExisting({ client, org }: Platform, refs: readonly Ref[]): Promise<FoundLive> {
  const found = await readNamed(client, refs);
  const absent = found.left.filter(({ because }) => because === noSuchResource).map(({ id }) => id);
  if (absent.length === 0) return found;
  throw new ToolError({
    code: 'api.not-found',
    message: `${inWords(absent, 'and')} ${absent.length === 1 ? 'does' : 'do'} not exist in the org ${org}`,
    hint: 'Nothing was written. Check kind, GVC and name; --all exports whatever is there.',
  });
}

async function readOwnedBy(platform: Platform, owner: string): Promise<FoundLive['live']> {
  const found = await readOwned(platform, owner);
  if (found.length > 0) return found;
  throw new ToolError({
    code: 'api.not-found',
    message: `the stack ${owner} owns nothing in the org ${platform.org}`,
    hint: 'Nothing was written. Check --stack and --org; name resources to export what no stack owns.',
  });
}

async function live(context: ExportCommand, refs: readonly string[]): Promise<Exported> {
  const { options } = context;
  const project = await openProject(context, []);
  const platform = await openPlatform(context, project.settings);
  const { gvc } = project.settings;
  try {
    const found: FoundLive = options.all
      ? await readAll(platform, gvc)
      : refs.length > 0
        ? await readExisting(platform, parseRefs(refs, gvc))
        : { live: await readOwnedBy(platform, ownerOfProject(context, project)), left: [] };
    const { records, left } = liveConfigured(found.live, platform.org);
    return { records, leftOut: [...found.left, ...left], org: platform.org };
  } finally {
    await platform.close();
  }
}
