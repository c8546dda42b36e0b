import { isObject, type JsonObject, type JsonValue, own } from '../base/json/json.ts';
import { hiddenField } from '../kinds/kindFacts.ts';
import type { Kind } from '../schema/record/kinds.ts';

/** The text in every stand-in value. */
const mark = 'gantry stands in for what was not read';

const values: Readonly<Record<string, JsonValue>> = {
  opaque: { payload: mark },
  dictionary: { 'stand-in': mark },
  userpass: { username: mark, password: mark },
  tls: { cert: mark },
  keypair: { secretKey: mark },
  aws: { accessKey: mark, secretKey: mark },
  ecr: { accessKey: mark, secretKey: mark, repos: [mark] },
  docker: JSON.stringify({ auths: { 'registry.example': { auth: mark } } }),
  gcp: JSON.stringify({ type: 'service_account', private_key: mark }),
  'azure-sdk': JSON.stringify({ clientSecret: mark }),
  'azure-connector': { url: 'https://stand-in.example', code: mark },
  'nats-account': { accountId: mark, privateKey: mark },
};

/** The hidden field of a record whose values were not read, in the shape of its type. */
export function hiddenStandIn(kind: Kind, record: JsonObject): JsonObject {
  const field = hiddenField(kind);
  return field === undefined ? {} : { [field]: values[String(own(record, 'type'))] ?? { payload: mark } };
}

/** Whether this answer to `-reveal` contains a stand-in. Then the values are unknown, as on the live platform. */
export function showsStandIn(answer: JsonValue | undefined): boolean {
  return isObject(answer) && JSON.stringify(own(answer, 'data') ?? null).includes(mark);
}
