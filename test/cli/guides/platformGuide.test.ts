import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { At } from '../../../src/base/form/read.ts';
import { isObject, type JsonObject, type JsonValue, own } from '../../../src/base/json/json.ts';
import { readDialect } from '../../../src/dialect/readDialect.ts';
import type { Problem } from '../../../src/schema/record/problem.ts';
import { readStaticTokens } from '../../../src/server/access/decisions/tokens.ts';
import { faultsReader } from '../../../src/server/http/fault.ts';
import { routes } from '../../../src/server/routeTable.ts';
import { container, testPlatform } from '../../server/platform.ts';
import { runCli } from '../process.ts';

const guide = readFileSync(new URL('../../../docs/platform.md', import.meta.url), 'utf8');

function example(member: string): JsonObject {
  const documents = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']): unknown => load(text));
  const found = documents.filter(isObject).find((document) => Object.hasOwn(document, member));
  if (found === undefined) throw new Error(`no example has ${member}`);
  return found;
}

test('the examples of the guide are valid', () => {
  const problems: Problem[] = [];
  expect(faultsReader.read(example('faults'), new At()).faults).toHaveLength(8);
  const tokens: JsonValue = own(example('tokens'), 'tokens') ?? null;
  expect(readStaticTokens(tokens, 'local', problems)).toHaveLength(2);
  expect(problems).toEqual([]);
  expect(readDialect(example('words'), 'docs/platform.md')).toBeDefined();
});

test('the guide names every local-only endpoint', () => {
  const missing = routes
    .filter(({ devOnly }) => devOnly === true)
    .map(({ path }) =>
      path.replace(/^.*\/(workload|volumeset|domain)\/\{name\}/, '<$1>').replace(/^\/org\/\{org\}/, '…'),
    )
    .filter((path) => !guide.includes(path));
  expect(missing).toEqual([]);
});

test('the guide uses only flags of serve or of clients of the platform', async () => {
  const clients = [['serve'], ['plan'], ['synth'], ['gvc', 'update'], ['gvc', 'create']];
  const pages = await Promise.all(clients.map((command) => runCli([...command, '--help'], process.cwd())));
  const help = pages.map(({ stdout }) => stdout).join('\n');
  const flags = new Set([...guide.matchAll(/(--[a-z][a-z-]+)/g)].map(([flag]) => flag));
  expect([...flags].filter((flag) => !help.includes(flag))).toEqual([]);
});

test('the account of the guide may do what the guide says, and no more', async () => {
  const platform = await testPlatform();
  const [, script = ''] = /```sh\n[^`]*?(api\(\)[\s\S]*?)```/.exec(guide) ?? [];
  const calls = [...script.matchAll(/^api (\S+) '([^']*)'/gm)];
  expect(calls).toHaveLength(4);
  for (const name of ['shop', 'other']) await platform.send('POST', 'gvc', { name });
  let key: JsonValue | undefined;
  for (const [, path = '', body = ''] of calls) {
    const answer = await platform.send('POST', path, body);
    expect([path, answer.status]).toEqual([path, 201]);
    key = own(answer.body, 'key');
  }
  async function status(method: string, path: string, body?: object): Promise<number> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { authorization: String(key) };
    return (await fetch(`${platform.url}/org/local/${path}`, { method, headers, ...sent })).status;
  }
  const workload = { name: 'web', spec: { type: 'serverless', containers: [container()] } };
  expect(await status('POST', 'gvc/shop/workload', workload)).toBe(201);
  expect(await status('POST', 'gvc/other/workload', workload)).toBe(403);
  expect(await status('GET', 'gvc/shop')).toBe(200);
  expect(await status('DELETE', 'gvc/shop')).toBe(403);
  await platform.close();
});
