import type { JsonObject } from '../base/json/json.ts';
import { outputValues, type StackOutputs } from '../change/outputs.ts';
import { liveReferences } from '../manifest/live/liveReference.ts';
import type { Platform } from '../project/platform/platform.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import type { LoadedStack } from './loading/loadStack.ts';

/** The outputs of a stack: one request for each record that they read from. */
export async function readOutputs(
  { client, org }: Platform,
  { owner, outputs }: Pick<LoadedStack, 'owner' | 'outputs'>,
): Promise<StackOutputs> {
  const readable = outputs.filter(({ saveTo }) => saveTo === undefined);
  const refs = new Map(readable.flatMap(({ value }) => liveReferences(value)).map(({ id, ref }) => [id, ref]));
  const records = new Map<ResourceId, JsonObject>();
  await Promise.all(
    [...refs].map(async ([id, ref]) => {
      const live = await client.read(ref);
      if (live !== undefined) records.set(id, live.record);
    }),
  );
  return { org, stack: owner, outputs: outputValues(outputs, records) };
}
