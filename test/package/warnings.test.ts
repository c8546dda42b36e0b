import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../cli/process.ts';
import { succeeded } from '../outcome.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

/** Like Node 22, which warns at the first use of SQLite, however it is loaded. */
const asNode22 = `
  import module from 'node:module';
  const told = () => process.emitWarning('SQLite is an experimental feature', 'ExperimentalWarning');
  const { getBuiltinModule } = process;
  process.getBuiltinModule = (name) => {
    if (name === 'node:sqlite') told();
    return getBuiltinModule(name);
  };
  const { _load } = module;
  module._load = (name, ...more) => {
    if (name === 'node:sqlite') told();
    return _load(name, ...more);
  };
`;

test('the warning of Node 22 about experimental SQLite is not shown', async () => {
  const folder = temporaryFolder('warnings');
  writeFileSync(join(folder, 'gvc.yaml'), 'kind: gvc\nname: shop\n');
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(asNode22)}`;
  const args = ['apply', 'gvc.yaml', '--stack', 'shop', '--embedded', '--yes'];
  const { stderr } = await succeeded(runCli(args, folder, '', { NODE_OPTIONS }));
  expect(stderr).not.toContain('Warning');
});
