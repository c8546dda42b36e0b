import { isObject, type JsonObject, listAt, objectAt } from '../../src/base/json/json.ts';
import type { Wire } from './wire.ts';

/** Creates `count` workloads in a GVC through a snapshot: a PUT for each would take a minute. */
export async function crowd(wire: Wire, gvc: string, count: number): Promise<void> {
  const name = 'model';
  const containers = [{ name: 'main', image: 'shop/web:1', env: [{ name: 'A', value: 'x'.repeat(200) }] }];
  const spec = { type: 'standard', containers };
  await wire.send({ method: 'PUT', path: `/org/local/gvc/${gvc}/workload`, body: JSON.stringify({ name, spec }) });
  const { body } = await wire.send({ method: 'GET', path: '/-snapshot?secrets=true' });
  const local = objectAt(objectAt(body, 'orgs'), 'local');
  const records = listAt(local, 'records').filter(isObject);
  const model = records.find((row) => row['kind'] === 'workload' && row['name'] === name);
  if (model === undefined) throw new Error(`there is no workload ${name}`);
  const copies = Array.from({ length: count }, (_, at) => copied(model, `copy-${at}`));
  const orgs = { ...objectAt(body, 'orgs'), local: { ...local, records: [...records, ...copies] } };
  const { status, text } = await wire.send({
    method: 'PUT',
    path: '/-snapshot',
    body: JSON.stringify({ ...body, orgs }),
  });
  if (status !== 200) throw new Error(`the copies cannot be loaded: ${status} ${text.slice(0, 300)}`);
}

function copied(model: JsonObject, name: string): JsonObject {
  const record = { ...objectAt(model, 'record'), name, description: `about ${name}`, tags: { team: 'a', copy: name } };
  return { ...model, name, uid: `uid-${name}`, record };
}
