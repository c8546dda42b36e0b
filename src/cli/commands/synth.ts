import { loadManifests } from '../../gantry/loading/loadStack.ts';
import { escapeValues } from '../../manifest/escapeValues.ts';
import { maskedOutput, outputManifest } from '../../manifest/model/manifest.ts';
import { maskedManifest, toManifest } from '../../plan/record/toManifest.ts';
import { toYaml } from '../../project/files/toYaml.ts';
import { loadDialect } from '../../project/platform/dialectFile.ts';
import { withoutLastLineEnd } from '../../terminal/answer.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { SynthOptions } from './synthOptions.ts';

/**
 * The manifests as they will be planned, as YAML documents or a JSON list. Without `--reveal` secret values are not
 * even read, and are masks that no other command accepts.
 */
export async function runSynth(context: CommandContext<SynthOptions>, paths: readonly string[]): Promise<Ending> {
  const { options, terminal, answer } = context;
  const loaded = await loadManifests(context, paths, options.reveal ? 'read' : 'unread');
  if (options.as === 'terraform' && options.words === 'platform') {
    throw new UsageError('--words platform cannot be combined with --as terraform', 'The provider takes the dialect.');
  }
  const dialect = options.words === 'platform' ? await loadDialect(loaded.project.settings.dialect) : undefined;
  if (options.as === 'terraform') return (await import('./synthTerraform.ts')).synthesizeTerraform(context, loaded);
  const [write, handOn] = options.reveal ? [toManifest, outputManifest] : [maskedManifest, maskedOutput];
  const resources = loaded.desired.map((resource) => dialect?.platforms(write(resource)) ?? write(resource));
  const manifests = [...resources, ...loaded.outputs.map(handOn)].map(escapeValues);
  if (options.output === 'json') {
    answer.document(manifests);
  } else {
    const documents = await Promise.all(manifests.map(toYaml));
    await terminal.page(withoutLastLineEnd(documents.join('---\n')));
  }
  return exitCode.ok;
}
