import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownTown } from '../ownTown.ts';
import { entryOf, writeStack } from '../town.ts';

const { folder, town } = await ownTown('reconcile-kinds');

/** A stack with one record of the kind `gadget`, and the facts about it in its gantry.yaml. */
function writeGadget(name: string, size: number, facts?: string): string {
  const path = writeStack(folder, name, {}, facts === undefined ? '' : `kinds: { gadget: ${facts} }\n`);
  rmSync(join(path, 'groups.yaml'));
  writeFileSync(join(path, 'gadget.yaml'), `kind: gadget\nname: gadget-${name}\nspec: { size: ${size} }\n`);
  return path;
}

const fixed = '{ immutable: [spec.size], disposable: true }';
/** The same kind in code, with a size that can change. */
const free = (size: number) => `import { App, defineKind, RawResource, Stack } from 'gantry';
const gadget = defineKind('gadget', { listKeys: { 'spec.rules': 'name' } });
const app = new App();
new RawResource(new Stack(app, 'coded'), 'gadget', { kind: gadget, name: 'gadget-coded', spec: { size: ${size} } });
export default app;
`;

test('facts of one stack about its own kind do not apply to other stacks of the worker', async () => {
  const names = ['fixed-1', 'free-1', 'fixed-2', 'free-2'];
  const factsOf = (name: string) => (name.startsWith('fixed') ? fixed : '{}');
  const write = (size: number) => names.map((name) => entryOf(writeGadget(name, size, factsOf(name)), { name }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(import.meta.dirname, '../../..'), join(folder, 'node_modules/gantry'));
  const coded = writeStack(folder, 'coded', {});
  rmSync(join(coded, 'groups.yaml'));
  const writeCode = (size: number) => {
    writeFileSync(join(coded, 'stack.ts'), free(size));
    return entryOf(coded, { name: 'coded' });
  };
  const unknown = entryOf(writeGadget('unknown', 1), { name: 'unknown' });
  town.entries = [...write(1), writeCode(1), unknown];
  await town.once();
  town.entries = [...write(2), writeCode(2), unknown].map((entry) => ({ ...entry, mode: 'propose' }));
  await town.once();
  const [stranger, ...planned] = (await town.board.list()).toReversed();
  expect(stranger?.state.because).toContain('there is no kind "gadget"');
  const actions = planned.map(({ entry: { name }, state: { counts = {}, because } }) => {
    const met = Object.entries(counts).filter(([, count]) => count > 0);
    return [name, met.length > 0 ? met.join() : because];
  });
  expect(Object.fromEntries(actions)).toEqual({
    'fixed-1': 'replace,1',
    'fixed-2': 'replace,1',
    'free-1': 'patch,1',
    'free-2': 'patch,1',
    coded: 'patch,1',
  });
});
