import { isObject, type JsonObject, listAt, stringAt } from '../../base/json/json.ts';
import type { Client } from '../../client/client.ts';
import { isCode } from '../../client/http/apiError.ts';
import { newKey } from '../../client/keepingShown.ts';
import type { Diagnostic } from '../../hcl/diagnostic.ts';
import { key, serviceAccountKey as schema } from '../../hcl/schema/serviceAccountKey.ts';
import { attributeOf, type ObjectValue, sameValue, textAt, unknown } from '../../hcl/value.ts';
import { formatRef, linkOf, type Ref } from '../../schema/record/ref.ts';
import type { PartType } from './part.ts';

/** A changed value of one of these requires another key. */
const settled = [key.account, key.description] as const;
const answered = [key.name, key.key, key.created, key.link] as const;

export const serviceAccountKey: PartType = {
  schema,
  validate: async (config) => descriptionProblems(config),
  recordOf,
  plan(config, prior) {
    if (config === undefined) return { planned: undefined, requiresReplace: [], diagnostics: [] };
    const changed = settled.filter((name) => !sameValue(attributeOf(config, name), attributeOf(prior ?? {}, name)));
    const known = prior === undefined || changed.length > 0 ? unknown : prior;
    const answers = answered.map((name) => [name, known === unknown ? unknown : attributeOf(known, name)] as const);
    return {
      planned: { ...config, ...Object.fromEntries(answers) },
      requiresReplace: prior === undefined ? [] : changed.map((name) => [name]),
      diagnostics: [],
    };
  },
  async read(records, state, org) {
    const ref = accountIn(state);
    const live = await records.read({ ref });
    const found = live === undefined ? undefined : keyNamed(live.record, textAt(state, key.name));
    return found === undefined ? undefined : { ...state, ...statedBy(found), [key.link]: linkOf(ref, org) };
  },
  identity: (state) => textAt(state, key.description) ?? '',
  async create({ client }, config, wasLeft) {
    const account = accountIn(config);
    const description = textAt(config, key.description) ?? '';
    const found = wasLeft ? await client.record(account) : undefined;
    const state = await addKey(client, account, description);
    return { state, diagnostics: leftKeys(account, found?.record ?? {}, description) };
  },
  remove: ({ client }, state) => removeKey(client, accountIn(state), textAt(state, key.name) ?? ''),
  importForm: 'ACCOUNT/NAME',
  imported(id) {
    const [account, name, ...rest] = id.split('/');
    return account && name && rest.length === 0 ? { [key.account]: account, [key.name]: name } : undefined;
  },
};

function recordOf(state: ObjectValue): Ref | undefined {
  const name = textAt(state, key.account);
  return name === undefined ? undefined : { kind: 'serviceaccount', name };
}

function accountIn(state: ObjectValue): Ref {
  const ref = recordOf(state);
  if (ref === undefined) throw new Error('the plan does not say which service account it is');
  return ref;
}

export function descriptionProblems(config: ObjectValue): readonly Diagnostic[] {
  const text = attributeOf(config, key.description);
  if (typeof text !== 'string' || (text.trim() !== '' && text.length <= 250)) return [];
  const detail = 'Say in 1 to 250 characters what the key is for.';
  return [{ severity: 'error', summary: 'description is not valid', detail, path: [key.description] }];
}

/** The value of a key that an interrupted apply has created is lost, so it cannot be taken over. */
function leftKeys(account: Ref, record: JsonObject, description: string): readonly Diagnostic[] {
  const keys = keysOf(record).filter((each) => stringAt(each, 'description') === description);
  if (keys.length === 0) return [];
  const named = keys.map((each) => `${stringAt(each, 'name')} (${stringAt(each, 'created')})`).join(', ');
  const detail =
    'An interrupted apply has begun to create a key, and its answer was lost. ' +
    `Keys that had this description before this apply: ${named}. One that no state has stays valid until it is ` +
    `removed: gantry serviceaccount remove-key ${account.name} --key NAME`;
  return [{ severity: 'warning', summary: `${formatRef(account)} may have a key whose value was lost`, detail }];
}

function keyNamed(record: JsonObject, name: string | undefined): JsonObject | undefined {
  return keysOf(record).find((each) => stringAt(each, 'name') === name);
}

function keysOf(record: JsonObject): readonly JsonObject[] {
  return listAt(record, 'keys').filter(isObject);
}

/** The values of a key in a record. Its secret is only in the answer to its creation. */
function statedBy(found: JsonObject): ObjectValue {
  return {
    [key.name]: stringAt(found, 'name') ?? null,
    [key.description]: stringAt(found, 'description') ?? null,
    [key.created]: stringAt(found, 'created') ?? null,
  };
}

/** Creates a key, and returns it with its value. */
export async function addKey(client: Client, account: Ref, description: string): Promise<ObjectValue> {
  const { record, value } = await newKey(client, account, description);
  return {
    [key.account]: account.name,
    ...statedBy(record),
    [key.description]: description,
    [key.key]: value,
    [key.link]: linkOf(account, client.org),
  };
}

/** It names the key, so it removes no other one, and may be retried. */
export async function removeKey(client: Client, account: Ref, name: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const live = await client.record(account);
    if (live === undefined || keyNamed(live.record, name) === undefined) return;
    try {
      await client.patch(account, { '$drop/keys': [name] });
      return;
    } catch (error) {
      if (tries > 2 || !isCode(error, 'api.reply-lost', 'api.conflict')) throw error;
    }
  }
}
