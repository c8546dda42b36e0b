import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownTown } from '../ownTown.ts';
import { entryOf, writeStack } from '../town.ts';

const { folder, platform, town, stateOf } = await ownTown('reconcile-texts');

const group = async (name: string) => (await platform.call('GET', `/org/local/group/${name}`)).body['description'];
/** Text that PostgreSQL refuses, and text that only looks like it. */
const hostile = String.raw`a \0 b \ud800 c \udc00\ud800 d \ud83d\ude00 e \\u0000`;
const kept = 'a � b � c �� d 😀 e \\u0000';

test('U+0000 and halves of surrogate pairs in one stack do not stop the others', async () => {
  const path = writeStack(folder, 'says', { says: 'one' });
  const other = writeStack(folder, 'other', { other: 'one' });
  town.entries = [entryOf(path, { name: 'says' }), entryOf(other, { name: 'other', after: ['says'] })];
  await town.once();
  expect([await stateOf('says'), await stateOf('other')]).toMatchObject([{ state: 'in line' }, { state: 'in line' }]);
  writeFileSync(join(path, 'stack.ts'), `throw new Error("${hostile}");`);
  writeFileSync(join(path, 'groups.yaml'), '');
  for (const description of ['two', 'three']) {
    writeStack(folder, 'other', { other: description });
    town.pass(120_000);
    await town.once();
    expect(await stateOf('says')).toMatchObject({ state: 'failing', because: expect.stringContaining(kept) });
  }
  expect(await stateOf('other')).toMatchObject({ state: 'waiting' });
  town.entries = town.entries.map((entry) => ({ ...entry, after: [] }));
  await town.once();
  expect(await group('other')).toBe('three');
});

test('a reason with such text pauses a stack, by the list and by a user', async () => {
  const path = writeStack(folder, 'paused', { paused: 'one' });
  const reason = JSON.parse(`"${hostile.replace('\\0', '\\u0000')}"`);
  town.entries = [entryOf(path, { name: 'paused', paused: { reason } })];
  await town.once();
  expect(await stateOf('paused')).toMatchObject({ state: 'paused', because: kept });
  town.entries = [entryOf(path, { name: 'paused' })];
  await town.once();
  await town.board.pause('paused', { reason, by: 'ann' });
  expect(await stateOf('paused')).toMatchObject({ state: 'paused', because: kept });
  expect(await town.board.read('\0')).toBeUndefined();
});
