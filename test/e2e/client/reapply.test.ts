import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, listAt } from '../../../src/base/json/json.ts';
import { hrefOf } from '../../../src/schema/record/hrefOf.ts';
import { creatableKinds, isGvcScoped } from '../../../src/schema/record/kinds.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { usePlatform } from '../harness/usePlatform.ts';
import { stacks } from './stacks.ts';

const cwd = temporaryFolder('reapply');

describe.each(stacks)('$it', ({ serve, flags, manifests }) => {
  const platform = usePlatform(serve);

  test('the output of get -o yaml-slim and json-slim can be planned again, and changes nothing', async () => {
    const run = (...args: readonly string[]) => succeeded(inProcess(platform, args, { cwd }));
    const [folder, again] = [mkdtempSync(join(cwd, 'stack-')), mkdtempSync(join(cwd, 'again-'))];
    writeFileSync(join(folder, 'all.yaml'), manifests);
    await run('apply', folder, '--stack', 'again', '--yes', ...flags);
    let count = 0;
    for (const [index, kind] of creatableKinds.entries()) {
      const format = index % 2 === 0 ? 'yaml-slim' : 'json-slim';
      const everywhere = isGvcScoped(kind) ? ['--all-gvcs'] : [];
      const found = await run(kind, 'query', ...everywhere, '--tag', 'gantry/stack=again', '--max', '0', '-o', 'json');
      for (const record of listAt(JSON.parse(found.stdout), 'items').filter(isObject)) {
        count += 1;
        // `get` does not show the value of a secret.
        const self = hrefOf(record, 'self') ?? '';
        const { stdout } = await run(kind, kind === 'secret' ? 'reveal' : 'get', self, '-o', format);
        writeFileSync(join(again, `${count}.${format === 'yaml-slim' ? 'yaml' : 'json'}`), stdout);
      }
    }
    expect(count).toBeGreaterThan(0);
    const { stdout } = await run('plan', again, '--stack', 'again', '--prune', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ summary: { create: 0, patch: 0, replace: 0, delete: 0, keep: count } });
  });
});

test('the stacks have every kind that can be created', () => {
  const text = stacks.map(({ manifests }) => manifests).join('\n');
  expect(creatableKinds.filter((kind) => !new RegExp(`kind"?: "?${kind}\\b`).test(text))).toEqual([]);
});
