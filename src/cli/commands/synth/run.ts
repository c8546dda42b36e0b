import { loadManifests } from '../../../automation/loading/loadStack.ts';
import type { DesiredResource } from '../../../manifest/model/manifest.ts';
import { maskSensitive } from '../../../patch/show/mask.ts';
import { sensitivityOf } from '../../../plan/record/sensitivityOf.ts';
import type { JsonObject, JsonValue } from '../../../schema/json/json.ts';
import type { Ending } from '../../answer/ending.ts';
import { toYaml, withoutLastLineEnd } from '../../answer/toText.ts';
import type { CommandContext } from '../../line/context.ts';
import type { GlobalOptions } from '../../line/options.ts';
import { exitCode } from '../../process/exitCode.ts';

export interface SynthOptions extends GlobalOptions {
  /** Secret values are printed. */
  readonly reveal: boolean;
}

/**
 * The manifests as they will be planned, as YAML documents or as a JSON list. Secret values are masks, which no other
 * command takes, unless `--reveal` is given; without it they are not even read.
 */
export async function runSynth(context: CommandContext<SynthOptions>, paths: readonly string[]): Promise<Ending> {
  const { options, terminal, answer } = context;
  const loaded = await loadManifests(context, paths, options.reveal ? 'read' : 'unread');
  const manifests = loaded.desired.map((resource) => toManifest(options.reveal ? resource : withoutSecrets(resource)));
  if (options.output === 'json') {
    answer.document(manifests);
  } else {
    const documents = await Promise.all(manifests.map(toYaml));
    terminal.result(withoutLastLineEnd(documents.join('---\n')));
  }
  return exitCode.ok;
}

function withoutSecrets(resource: DesiredResource): DesiredResource {
  return { ...resource, record: maskSensitive(sensitivityOf(resource), resource.record) };
}

export function toManifest({ ref, record, lifecycle }: DesiredResource): JsonObject {
  const { name, description, tags, ...rest } = record;
  const fields: Record<string, JsonValue | undefined> = {
    kind: ref.kind,
    name: name ?? ref.name,
    gvc: ref.gvc,
    description,
    tags,
    lifecycle: Object.keys(lifecycle).length === 0 ? undefined : { ...lifecycle },
    ...rest,
  };
  const manifest: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) manifest[key] = value;
  return manifest;
}
