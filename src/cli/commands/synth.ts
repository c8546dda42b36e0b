import type { DesiredResource } from '../../manifest/manifest.ts';
import type { JsonObject, JsonValue } from '../../schema/json.ts';
import type { CommandContext } from '../context.ts';
import { exitCode } from '../exitCode.ts';
import { formatted, toYaml } from '../formatted.ts';
import { loadManifests } from '../loadStack.ts';

/** The manifests as they will be planned, secrets included: as YAML documents, or as a JSON list. */
export async function runSynth(context: CommandContext, paths: readonly string[]): Promise<number> {
  const { options, terminal } = context;
  const loaded = await loadManifests(context, paths);
  if (loaded === undefined) return exitCode.failed;

  const manifests = loaded.desired.map(toManifest);
  if (options.output === 'json') {
    terminal.result(await formatted(manifests, 'json'));
  } else {
    const documents = await Promise.all(manifests.map(toYaml));
    terminal.result(documents.join('---\n').trimEnd());
  }
  return exitCode.ok;
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
