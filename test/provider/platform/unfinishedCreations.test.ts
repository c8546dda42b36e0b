import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localStates } from '../../../src/provider/platform/localStates.ts';
import { unfinishedCreations } from '../../../src/provider/platform/unfinishedCreations.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

const folder = temporaryFolder('unfinished');

describe('unfinished creations', () => {
  const of = (cwd: string, environment = {}) => unfinishedCreations({ cwd: join(folder, cwd), environment });

  it('are known to the next process until Terraform, which got the answer, ends normally', async () => {
    const first = of('one');
    for (const request of ['answered', 'cut-off']) await first.begin(request);
    first.answered('answered');
    expect(await of('one').has('answered')).toBe(true); // Terraform may still be killed.
    await first.endAnswered();
    expect(await of('one').has('answered')).toBe(false);
    expect(await of('one').has('cut-off')).toBe(true);
    await of('one').end('cut-off');
    expect(await first.has('cut-off')).toBe(false);
  });

  it('are stored in the data folder of Terraform', async () => {
    await of('two', { TF_DATA_DIR: 'data' }).begin('request');
    expect(await of('two').has('request')).toBe(false);
    expect(await of('two', { TF_DATA_DIR: join(folder, 'two/data') }).has('request')).toBe(true);
  });

  it('cannot be read from outside the folder, and are missing if nothing can be written', async () => {
    const creations = of('three');
    await creations.begin('request');
    writeFileSync(join(folder, 'three/.terraform/gantry/victim'), '');
    expect(await creations.has('../victim')).toBe(false);
    expect(await creations.has('')).toBe(false);
    mkdirSync(join(folder, 'four'));
    writeFileSync(join(folder, 'four/.terraform'), 'no folder');
    await of('four').begin('request');
    expect(await of('four').has('request')).toBe(false);
  });
});

describe('the states of a folder', () => {
  const state = (id: string, module?: string) => ({
    version: 4,
    resources: [
      {
        mode: 'managed',
        type: 'gantry_group',
        name: 'one',
        module,
        instances: [{ index_key: 'eu', attributes: { id } }],
      },
    ],
  });

  it('show who has a record, in workspaces too, and are read each time', async () => {
    const cwd = join(folder, 'states');
    mkdirSync(join(cwd, 'terraform.tfstate.d/test'), { recursive: true });
    const write = (file: string, content: unknown) => writeFileSync(join(cwd, file), JSON.stringify(content));
    const states = localStates(cwd);
    expect(await states.holderOf('a')).toBeUndefined();
    write('terraform.tfstate', state('a'));
    write('terraform.tfstate.d/test/terraform.tfstate', state('b', 'module.m'));
    writeFileSync(join(cwd, 'broken.tfstate'), '{');
    expect(await states.holderOf('a')).toEqual({ address: 'gantry_group.one["eu"]', file: 'terraform.tfstate' });
    const file = 'terraform.tfstate.d/test/terraform.tfstate';
    expect(await states.holderOf('b')).toEqual({ address: 'module.m.gantry_group.one["eu"]', file });
    write('terraform.tfstate', state('another'));
    expect(await states.holderOf('a')).toBeUndefined();
    expect(await states.holderOf('another')).toMatchObject({ file: 'terraform.tfstate' });
  });
});
