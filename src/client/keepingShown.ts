import { type JsonObject, type JsonValue, stringAt } from '../base/json/json.ts';
import { ToolError } from '../base/toolError.ts';
import { shownOnceIn } from '../kinds/shownOnce.ts';
import { type LiveReference, liveValue } from '../manifest/live/liveReference.ts';
import { keyDescription } from '../manifest/live/shownOnce.ts';
import { formatRef, type Ref, type ResourceId } from '../schema/record/ref.ts';
import type { Client } from './client.ts';
import { isCode } from './http/apiError.ts';
import { item } from './paths.ts';

/** A client that keeps, during a run, the values that only the answer to a creation shows. */
export interface KeepingClient extends Client {
  /** Creates, once each, a shown-once value outside of records: a key. Errors: `live.once`, `api.key`. */
  shownOnce(reference: Pick<LiveReference, 'ref' | 'path'>): Promise<JsonValue>;
}

export function keepingShown(client: Client): KeepingClient {
  const shown = new Map<ResourceId, JsonObject>();
  const keys = new Map<string, Promise<JsonValue>>();
  return {
    ...client,
    async create(ref, body, hidden) {
      const live = await client.create(ref, body, hidden);
      shown.set(live.id, shownOnceIn({ ...live.record, kind: ref.kind }));
      return live;
    },
    async shownOnce(reference) {
      const { ref, path } = reference;
      const description = keyDescription(reference);
      if (description !== undefined) {
        const id = JSON.stringify([formatRef(ref), description]);
        const made = keys.get(id) ?? newKey(client, ref, description).then(({ value }) => value);
        keys.set(id, made);
        return made;
      }
      const value = liveValue(shown.get(formatRef(ref)) ?? {}, reference);
      if (value !== undefined) return value;
      throw new ToolError({
        code: 'live.once',
        message: `${path} of ${formatRef(ref)} was in the answer to its creation, which this run has not got`,
        hint: `gantry ${ref.kind} delete ${ref.name}, and apply again: that makes it anew.`,
      });
    },
  };
}

/** A key as the answer to its creation has it. */
export interface NewKey {
  readonly record: JsonObject;
  readonly value: string;
}

/** Creates a key of an account. It is never retried: if the answer is lost, the key may exist. Errors: `api.key`. */
export async function newKey(client: Client, account: Ref, description: string): Promise<NewKey> {
  const request = { method: 'POST', path: `${item(client.org, account)}/-addKey`, body: { description } } as const;
  const { record } = await client.call(request).catch((error: unknown) => {
    if (!isCode(error, 'api.reply-lost')) throw error;
    throw lostKey(account, `the answer with a new key of ${formatRef(account)} was lost`, error);
  });
  const value = stringAt(record, 'key');
  if (value === undefined) throw lostKey(account, `the platform has answered with no key of ${formatRef(account)}`);
  return { record, value };
}

/** The key's value is lost for everyone. */
function lostKey({ name }: Ref, message: string, cause?: unknown): ToolError {
  return new ToolError({
    code: 'api.key',
    message,
    hint:
      'It may have been created anyway. Then it stays valid until it is removed, and no plan shows it. ' +
      `gantry serviceaccount get ${name} shows the keys, gantry serviceaccount remove-key ${name} --key NAME removes one. ` +
      'Apply again after that.',
    cause,
  });
}
