import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { developmentConfiguration } from '../../src/hcl/configuration/cliConfiguration.ts';
import { makeProject, reasonToSkip } from '../provider/harness/terraform.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const root = new URL('../..', import.meta.url).pathname;
const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`skipped: ${skipped}`);

/** The provider as it is installed, with the platform in its process. */
test.skipIf(skipped !== undefined)('the shop in Terraform passes its own test', async () => {
  const folder = join(temporaryFolder('example'), 'shop');
  const example = makeProject(folder, { TEST_RC: developmentConfiguration(join(root, 'dist/terraform-provider')) });
  for (const file of ['main.tf', 'shop.tftest.hcl']) cpSync(join(root, 'examples/terraform', file), join(folder, file));
  expect((await example.run('fmt', '-check', '-diff')).text).toBe('');
  const { code, text } = await example.run('test', '-no-color');
  expect(code, text).toBe(0);
  expect(text).toContain('Success! 3 passed, 0 failed.');
});

test.skipIf(skipped !== undefined)(
  'the mock file gives links and addresses that a test without a platform can use',
  async () => {
    const folder = join(temporaryFolder('mocks'), 'shop');
    const example = makeProject(folder, { TEST_RC: developmentConfiguration(join(root, 'dist/terraform-provider')) });
    cpSync(join(root, 'examples/terraform/main.tf'), join(folder, 'main.tf'));
    cpSync(join(root, 'docs/terraform/mocks'), join(folder, 'mocks'), { recursive: true });
    const [mocked = ''] =
      /```terraform tests\/shop[^\n]*\n([\s\S]*?)```/
        .exec(readFileSync(join(root, 'docs/terraform.md'), 'utf8'))
        ?.slice(1) ?? [];
    writeFileSync(
      join(folder, 'mocked.tftest.hcl'),
      mocked.replace('./node_modules/gantry/docs/terraform/mocks', './mocks'),
    );
    const { code, text } = await example.run('test', '-no-color');
    expect(code, text).toBe(0);
    expect(text).toContain('Success! 1 passed, 0 failed.');
  },
);
