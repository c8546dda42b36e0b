import type { JsonObject } from '../base/json/json.ts';
import type { Client } from '../client/client.ts';
import { type Base, baseOfState } from './base.ts';
import { openStage } from './stage.ts';

/** A saved live state, for plans without a platform or a network. */
export interface SavedState {
  readonly client: Client;
  /** For a rehearsal. */
  readonly base: Base;
  close(): Promise<void>;
}

/**
 * Opens the answer of `GET /-snapshot`. Reading values of secrets that it does not contain is refused. Errors:
 * `server.snapshot`.
 */
export async function openSavedState(document: JsonObject, org: string): Promise<SavedState> {
  const stage = await openStage({ org, from: document });
  const base = baseOfState(await stage.platform.dump());
  await stage.platform.load(base.state);
  return { client: stage.client, base, close: () => stage.close() };
}
