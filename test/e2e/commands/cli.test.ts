import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { ended } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { changesById } from '../harness/gantry.ts';
import { inProcess } from '../harness/inProcess.ts';
import { cliPath, token } from '../harness/platform.ts';
import { smallTown } from '../harness/smallTown.ts';
import { usePlatform } from '../harness/usePlatform.ts';
import { writeProject } from '../harness/useProjects.ts';

const root = temporaryFolder('cli-e2e');
const planSchema = JSON.parse(readFileSync(new URL('../../../dist/schemas/plan.json', import.meta.url), 'utf8'));
const validPlan = new Ajv2020({ strict: false }).compile(planSchema);
const platform = usePlatform();

const project = (name: string, manifests: string) => writeProject(root, name, manifests);

const cli = (cwd: string, ...args: readonly string[]) => inProcess(platform, args, { cwd });
const group = (name: string, description: string) => `kind: group\nname: ${name}\ndescription: ${description}\n---\n`;

describe('-o json and -o yaml', () => {
  const town = project('town', smallTown());

  test('every document follows the published schema, from the first plan to the last destroy', async () => {
    const documents: string[] = [];
    for (const args of [
      ['plan', '.'],
      ['apply', '.', '--yes'],
      ['plan', '.'],
      ['destroy', '--yes'],
      ['destroy', '--yes', '--allow-data-loss=1'],
    ]) {
      const { stdout } = await cli(town, ...args, '-o', 'json');
      expect(validPlan(JSON.parse(stdout)), JSON.stringify(validPlan.errors)).toBe(true);
      expect(validPlan(load((await cli(town, 'plan', '.', '-o', 'yaml')).stdout))).toBe(true);
      documents.push(stdout);
    }
    const results = documents.map((text) => JSON.parse(text)).map(({ refused, result }) => [refused, result?.verified]);
    expect(results).toEqual([
      [false, undefined],
      [false, true],
      [false, undefined],
      [true, undefined],
      [false, true],
    ]);
  });

  test('fields tell a two-step change, a cascade and a child that is deleted with its GVC', async () => {
    const created = changesById((await cli(town, 'apply', '.', '--yes', '-o', 'json')).stdout);
    expect(created.get('gvc/town')).toMatchObject({ action: 'create', then: expect.any(Object), requires: [] });
    expect(created.get('gvc/town')).toMatchObject({ thenRequires: ['identity/town/mayor'] });

    const gone = changesById((await cli(town, 'destroy', '--yes', '--allow-data-loss=1', '-o', 'json')).stdout);
    expect(gone.get('gvc/town')).toMatchObject({ cascadesTo: ['identity/town/mayor', 'workload/town/market'] });
    expect(gone.get('workload/town/market')).toMatchObject({ action: 'delete', via: 'gvc/town', gvc: 'town' });
    expect(gone.get('auditctx/town-ledger')).toMatchObject({ action: 'forget' });
    expect(gone.get('secret/town-key')).not.toHaveProperty('gvc');
  });
});

describe('exit codes', () => {
  test('64 for an unknown format', async () => {
    const { code, stdout, stderr } = await cli(root, 'plan', '-o', 'xml');
    expect([code, stdout, stderr]).toEqual([64, '', expect.stringMatching(/./)]);
  });

  test('1 for output that cannot be written, although the run completes', async () => {
    const folder = project('full', group('full', 'one'));
    const env = { PATH: process.env['PATH'], GANTRY_ENDPOINT: platform.url, GANTRY_TOKEN: token, GANTRY_ORG: 'local' };
    const stdio = ['ignore', openSync('/dev/full', 'w'), 'pipe'] as const;
    const options = { cwd: folder, env, stdio: [...stdio] };
    const { code, stderr } = await ended(spawn(process.execPath, [cliPath, 'apply', '.', '--yes'], options));
    expect(code).toBe(1);
    expect(stderr).toContain('error output.lost: ');
    expect((await platform.call('GET', '/org/local/group/full')).status).toBe(200);
  });
});

describe('whole and partial inputs', () => {
  test('loose manifests and standard input only list undeclared resources; --prune deletes them', async () => {
    const folder = join(root, 'loose');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'both.yaml'), group('loose-a', 'a') + group('loose-b', 'b'));
    expect((await cli(folder, 'apply', 'both.yaml', '--stack', 'loose', '--yes')).code).toBe(0);

    const input = group('loose-a', 'a');
    const piped = (...args: readonly string[]) =>
      inProcess(platform, [...args, '-', '--stack', 'loose', '-o', 'json'], { cwd: folder, input });
    const listed = changesById((await piped('plan')).stdout);
    expect(listed.get('group/loose-b')).toMatchObject({ action: 'keep', notes: ['not declared here'] });
    expect(changesById((await piped('plan', '--prune')).stdout).get('group/loose-b')).toMatchObject({
      action: 'delete',
    });

    expect((await piped('apply', '--yes', '--prune')).code).toBe(0);
    expect((await platform.call('GET', '/org/local/group/loose-b')).status).toBe(404);
  });

  test('the owner is name[.project][@gvc]: the same code in two GVCs is two stacks', async () => {
    const identity = 'kind: identity\nname: who\n---\nkind: gvc\nname: NAME\n';
    for (const gvc of ['first-gvc', 'second-gvc']) {
      const folder = project('shop', identity.replace('NAME', gvc));
      writeFileSync(join(folder, 'gantry.yaml'), 'stack: shop\nproject: abc12\n');
      const { stdout, code } = await cli(folder, 'apply', '.', '--gvc', gvc, '--yes', '-o', 'json');
      expect(code, stdout).toBe(0);
      expect(JSON.parse(stdout).stack).toBe(`shop.abc12@${gvc}`);
    }
    const { body } = await platform.call('GET', '/org/local/gvc/first-gvc/identity/who');
    expect(body['tags']).toMatchObject({ 'gantry/stack': 'shop.abc12@first-gvc' });
  });
});
