import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { readDialect } from '../../src/dialect/readDialect.ts';
import { isObject, type JsonObject, type JsonValue, own } from '../../src/schema/json.ts';
import type { Problem } from '../../src/schema/problem.ts';
import { routes } from '../../src/server/routes/table.ts';
import { readStaticTokens } from '../../src/server/rules/access/staticTokens.ts';
import { readFaults } from '../../src/server/rules/faults/fault.ts';
import { runCli } from './process.ts';

const guide = readFileSync(new URL('../../docs/platform.md', import.meta.url), 'utf8');

function example(member: string): JsonObject {
  const documents = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']): unknown => load(text));
  const found = documents.filter(isObject).find((document) => Object.hasOwn(document, member));
  if (found === undefined) throw new Error(`no example has ${member}`);
  return found;
}

test('the examples of the guide are taken as they stand', () => {
  const problems: Problem[] = [];
  expect(readFaults(example('faults'), problems).faults).toHaveLength(7);
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

test('the guide speaks of flags that serve has', async () => {
  const help = (await runCli(['serve', '--help'], process.cwd())).stdout;
  const flags = new Set([...guide.matchAll(/(--[a-z][a-z-]+)/g)].map(([flag]) => flag));
  expect([...flags].filter((flag) => !help.includes(flag))).toEqual([]);
});
