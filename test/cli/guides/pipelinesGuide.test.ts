import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blocksOf, commandLines, gantryArguments, placeOf } from '../../documents/codeBlocks.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { usePlatform } from '../../e2e/harness/usePlatform.ts';
import { startHookServer } from '../../integrations/notifying/hookServer.ts';
import { startCollector } from '../../integrations/tracing/collectorStandIn.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { writeKeyPair } from '../../writeKeyPair.ts';

const platform = usePlatform();
const hooks = await startHookServer();
const collector = await startCollector();
const root = temporaryFolder('pipelines-guide');
const blocks = blocksOf('docs/pipelines.md').filter(({ language }) => language === 'sh');

/**
 * Replaces the addresses with a test server, and the accounts with those of the folder's stack; the guide's stack is
 * `shop`.
 */
function filledIn(argument: string, folder: string): string {
  return argument.replace(/\$(?:CHAT_)?HOOK/, hooks.url).replace('pipeline-shop-', `pipeline-${stackOf(folder)}-`);
}

function stackOf(folder: string): string {
  return `guide-${folder.slice(-6).toLowerCase()}`;
}

/** Parses `A=1 B=2`; the collector of the guide is replaced by a test collector. */
function exported(variables: string): Readonly<Record<string, string>> {
  const pairs = variables.split(' ').map((each) => each.split('=', 2));
  return Object.fromEntries(
    pairs.map(([name = '', value = '']) => [name, value.replace('https://collector.example.com', collector.url)]),
  );
}

/** A project with a stack named after its folder, and the planner's key in it. */
function project(): string {
  const folder = mkdtempSync(join(root, 'p'));
  const stack = stackOf(folder);
  writeFileSync(join(folder, 'gantry.yaml'), `stack: ${stack}\n`);
  writeFileSync(join(folder, 'group.yaml'), `kind: group\nname: ${stack}\n`);
  writeKeyPair(folder, 'planner');
  return folder;
}

describe('docs/pipelines.md', () => {
  test.each(blocks.map((block) => ({ at: placeOf(block), block })))('the commands at $at work', async ({ block }) => {
    const folder = project();
    const env: Record<string, string> = {};
    for (const line of commandLines(block)) {
      const [, key] = /^ssh-keygen .*-f (\S+)$/.exec(line) ?? [];
      const [, variables] = /^export (.+)$/.exec(line) ?? [];
      if (key !== undefined) writeKeyPair(folder, key);
      else if (variables !== undefined) Object.assign(env, exported(variables));
      else {
        const args = (gantryArguments(line) ?? []).map((argument) => filledIn(argument, folder));
        const { code, stdout, stderr } = await inProcess(platform, args, { cwd: folder });
        expect(code, `${line}\n${stderr}`).toBe(0);
        const [, file] = / > (\S+)$/.exec(line) ?? [];
        if (file !== undefined) writeFileSync(join(folder, file), stdout);
        expect(stderr).not.toMatch(/was not delivered|not all traces/);
      }
    }
  });
});
