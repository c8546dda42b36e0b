import type { Kind } from '../../../schema/record/kinds.ts';
import type { Api } from '../wire/api.ts';
import { itemOf, named } from '../wire/paths.ts';
import type { Call } from './command.ts';
import { kindOf } from './input.ts';

/** The record that the first argument of a call names, on the platform. */
export interface Item {
  readonly api: Api;
  readonly kind: Kind;
  readonly ref: string;
  readonly path: string;
  /** Asks about it; where it is not there, the error says what is. */
  readonly asked: <Result>(work: Promise<Result>) => Promise<Result>;
}

export async function openItem(call: Call, kind: Kind = kindOf(call)): Promise<Item> {
  const api = await call.open();
  const [ref = ''] = call.args;
  return { api, kind, ref, path: itemOf(api, kind, ref), asked: (work) => named(api, kind, ref, work) };
}
