import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providerSource } from '../../../src/hcl/provider.ts';
import { resourceType } from '../../../src/hcl/schema/names.ts';
import { reattachValue } from '../../../src/provider/host/handshake.ts';
import { type PluginServer, startPluginServer } from '../../../src/provider/host/pluginServer.ts';
import { makeHandlers, type Provider } from '../../../src/provider/services/makeHandlers.ts';
import { creatableKinds, isGvcScoped } from '../../../src/schema/record/kinds.ts';
import { succeeded } from '../../outcome.ts';
import { makeProject, reasonToSkip } from '../../provider/harness/terraform.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { openPlatform } from '../harness/platform.ts';
import { stacks } from './stacks.ts';

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`skipped: ${skipped}`);

const cwd = temporaryFolder('client-terraform');

/** The output of `query -o tf` for everything that a stack creates, on its own platform. */
async function configurationOf({ serve, flags, manifests }: (typeof stacks)[number]): Promise<string> {
  const platform = await openPlatform(serve);
  try {
    const run = async (...args: readonly string[]) => (await succeeded(inProcess(platform, args, { cwd }))).stdout;
    const folder = mkdtempSync(join(cwd, 'stack-'));
    writeFileSync(join(folder, 'all.yaml'), manifests);
    await run('apply', folder, '--stack', 'shown', '--yes', ...flags);
    const texts: string[] = [];
    for (const kind of creatableKinds) {
      const everywhere = isGvcScoped(kind) ? ['--all-gvcs'] : [];
      texts.push(await run(kind, 'query', ...everywhere, '--tag', 'gantry/stack=shown', '--max', '0', '-o', 'tf'));
    }
    // Built-in locations belong to no stack, but -o tf shows them too.
    if (manifests === stacks[0]?.manifests) texts.push(await run('location', 'get', 'aws-us-west-2', '-o', 'tf'));
    return texts.join('\n');
  } finally {
    await platform.stop();
  }
}

/** The addresses of the blocks of a configuration, which must be unique in a folder. */
function addressesIn(text: string): readonly string[] {
  return [...text.matchAll(/^(?:resource|data|variable) .*\{$/gm)].map(([address]) => address);
}

describe.skipIf(skipped !== undefined)('the real terraform validates', () => {
  let provider: Provider;
  let plugin: PluginServer;
  beforeAll(async () => {
    provider = makeHandlers({ environment: {}, cwd });
    plugin = await startPluginServer({ handlers: async () => provider.handlers });
  });
  afterAll(async () => {
    await provider.close();
    await plugin.close();
  });

  test('the output of -o tf for every kind and for every stack of the scenarios', async () => {
    const folders: { text: string; addresses: ReadonlySet<string> }[] = [];
    for (const stack of stacks) {
      const text = await configurationOf(stack);
      const own = addressesIn(text);
      const free = folders.find(({ addresses }) => own.every((address) => !addresses.has(address)));
      if (free === undefined) folders.push({ text, addresses: new Set(own) });
      else Object.assign(free, { text: `${free.text}\n${text}`, addresses: new Set([...free.addresses, ...own]) });
    }
    const all = folders.map(({ text }) => text).join('\n');
    expect(creatableKinds.filter((kind) => !all.includes(`resource "${resourceType(kind)}"`))).toEqual([]);
    const environment = { TF_REATTACH_PROVIDERS: reattachValue(providerSource, plugin.address, process.pid) };
    for (const [index, { text }] of folders.entries()) {
      const project = makeProject(join(cwd, `folder-${index}`), environment);
      project.write(text);
      const { code, text: said } = await project.run('validate', '-no-color');
      expect(code, said).toBe(0);
    }
  }, 240_000);
});
