import { type JsonObject, own, stringAt } from '../../base/json/json.ts';
import { badReply } from '../../client/http/apiError.ts';
import type { Ref } from '../../schema/record/ref.ts';
import type { Api } from './api.ts';
import { pathOf } from './paths.ts';

/** Errors: `api.bad-reply` if the answer is another record, which a command would show, or use for a change. */
export async function readRecord(api: Api, ref: Ref, view: '' | '/-reveal' = ''): Promise<JsonObject> {
  const path = `${pathOf(api, ref)}${view}`;
  const record = await api.get(path);
  if (isRecordOf(ref, record)) return record;
  throw badReply(`GET ${path}: the answer is not the ${ref.kind} ${ref.name}`);
}

/** Whether an answer to a write shows this record. It may be empty, the body, a task, or another record. */
export function isWhole(ref: Ref, answer: JsonObject): boolean {
  return stringAt(answer, 'id') !== undefined && isRecordOf(ref, answer);
}

/** Whether an answer is this record. A user may be named by id or address; case may differ, as in hosts. */
function isRecordOf({ kind, name }: Ref, answer: JsonObject): boolean {
  const said = own(answer, 'kind');
  const isOfKind = said === undefined || said === kind;
  const isNamed = (member: string): boolean => stringAt(answer, member)?.toLowerCase() === name.toLowerCase();
  return isOfKind && ['name', 'id', 'email'].some(isNamed);
}
