import type { JsonObject } from '../../base/json/json.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { Ref } from '../../schema/record/ref.ts';
import type { Api } from './api.ts';
import type { Call } from './command.ts';
import { named, pathOf } from './paths.ts';
import { readRecord } from './readRecord.ts';
import { argumentRefs } from './refs.ts';

/** The record that the first argument of a call names, on the platform. */
export interface Item {
  readonly api: Api;
  readonly kind: Kind;
  readonly ref: Ref;
  readonly path: string;
  /** Reads the record. */
  readonly read: () => Promise<JsonObject>;
  /** Awaits a request on the record; if it does not exist, the error suggests existing names. */
  readonly withSuggestion: <Result>(work: Promise<Result>) => Promise<Result>;
}

export async function openItem(call: Call): Promise<Item> {
  const api = await call.open();
  const [ref] = argumentRefs(call, api);
  if (ref === undefined) throw new Error(`${call.noun} ${call.row.verb} has no REF`);
  return itemOf(api, ref);
}

export function itemOf(api: Api, ref: Ref): Item {
  const withSuggestion = <Result>(work: Promise<Result>): Promise<Result> => named(api, ref, work);
  return {
    api,
    kind: ref.kind,
    ref,
    path: pathOf(api, ref),
    read: () => withSuggestion(readRecord(api, ref)),
    withSuggestion,
  };
}
