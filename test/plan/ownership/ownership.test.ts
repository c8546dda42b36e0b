import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeOf } from '../../../src/plan/record/items.ts';
import {
  appliedTagLimit,
  forReturn,
  type Hold,
  itemHash,
  ownershipOf,
  ownerWithoutProject,
  readApplied,
  wasRecorded,
  withoutDeclared,
  withStored,
  writeApplied,
} from '../../../src/plan/record/ownership.ts';
import { isProtected } from '../../../src/schema/record/protection.ts';
import { foreign, hash, holds, live, org, owner } from '../world.ts';

const facts = { link: '/org/o/gvc/g', version: 3, retain: false, holds: new Map<string, Hold>(), servicePaths: [] };

describe('gantry/applied', () => {
  test('is never longer than 480 bytes, and facts that do not fit are unknown', () => {
    const texts = fc.array(fc.string(), { maxLength: 200 });
    fc.assert(
      fc.property(texts, texts, fc.nat(), fc.boolean(), fc.string(), (tagKeys, servicePaths, version, retain, link) => {
        const [found, set] = Map.groupBy(tagKeys, (key) => key.length % 2 === 0).values();
        const places = (keys: readonly string[] = []) => keys.map((key) => ['tags', key]);
        const text = writeApplied(
          { link, version, retain, holds: holds(places(set), places(found)), servicePaths },
          hash,
        );
        expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(appliedTagLimit);

        const read = readApplied(text);
        expect(read).toMatchObject({ version, retain, linkHash: hash(link).slice(0, 12) });
        const claimed = (key: string) => read?.holds?.get(itemHash(placeOf(['tags', key]), hash));
        if (read?.holds !== undefined) {
          expect(set?.map(claimed).every((hold) => hold === 'set')).not.toBe(false);
          expect(found?.map(claimed).every((hold) => hold === 'found')).not.toBe(false);
        }
        for (const path of servicePaths)
          expect(read?.fields === undefined || wasRecorded(read.fields, path, hash)).toBe(true);
      }),
    );
  });

  test('always fits the maximum of 48 user tags', () => {
    const keys = Array.from({ length: 48 }, (_, index) => `team.example.com/key-${index}`);
    const tags = holds(keys.map((key) => ['tags', key]));
    const read = readApplied(writeApplied({ ...facts, holds: tags, servicePaths: keys }, hash));
    expect(read?.holds).toEqual(tags);
    expect(read?.fields).toBeUndefined();
  });

  // 1;l and 12 characters, ;v10;i, 76 times 6, and ;s* for the field that does not fit.
  test.each([
    [10, true],
    [100, false],
  ])('records 76 claims at version %d within 480 bytes, with the mark of omitted fields: %s', (version, fits) => {
    const tags = holds(Array.from({ length: 76 }, (_, index) => ['tags', `key-${index}`]));
    const text = writeApplied({ ...facts, version, holds: tags, servicePaths: ['spec'] }, hash);
    expect(text.length).toBeLessThanOrEqual(appliedTagLimit);
    expect(readApplied(text)?.holds).toEqual(fits ? tags : undefined);
  });

  test('contains only hashes, no names or values', () => {
    const text = writeApplied({ ...facts, holds: holds([['tags', 'team']]), servicePaths: ['spec.secretive'] }, hash);
    expect(text).not.toMatch(/team|secretive|gvc/);
  });

  test('does not depend on the order of the keys', () => {
    const write = (keys: readonly string[]): string =>
      writeApplied({ ...facts, holds: holds(keys.map((key) => ['tags', key])) }, hash);
    expect(write(['a', 'b', 'c'])).toBe(write(['c', 'a', 'b']));
  });

  test.each(['', '2;lAAAA;v1;t;s', 'hello', '1;v1', '1;l**;v1', '1;labc;vx', '1;labc;v1;i;s;x'])(
    'in another format is unknown: %j',
    (text) => {
      expect(readApplied(text)).toBeUndefined();
    },
  );
});

describe('the owner of a live resource', () => {
  const elsewhere = { ...facts, link: '/org/o/gvc/other' };
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'this stack, with owner tag and record', of: live('gvc/g'), state: 'ours' },
      { it: 'none, without tags', of: foreign('gvc/g'), state: 'none' },
      { it: 'another stack', of: live('gvc/g', {}, { owner: 'bank' }), state: 'other' },
      { it: 'none: a copy contains the record of its origin', of: live('gvc/g', {}, { applied: elsewhere }),
        state: 'copy' },
      { it: 'none: a copy of a resource of another stack too',
        of: live('gvc/g', {}, { owner: 'bank', applied: elsewhere }), state: 'copy' },
      { it: 'lost, if only the owner tag was removed', of: live('gvc/g', {}, { owner: null }), state: 'lost' },
      { it: 'this stack, without a record if that was removed', of: live('gvc/g', {}, { applied: null }),
        state: 'unrecorded' },
    ],
  )('$it', ({ of, state }) => {
    expect(ownershipOf(of, owner, org, hash).state).toBe(state);
  });

  test.each([
    [{ tags: { 'scheme/protected': 'true' } }, true],
    [{ tags: { 'scheme/protected': true } }, true],
    [{ tags: { 'scheme/protected': 'false' } }, false],
    [{ tags: {} }, false],
    [{}, false],
  ])('protection of %j is %j (platform/concepts.tags)', (record, expected) => {
    expect(isProtected(record)).toBe(expected);
  });
});

describe('the facts of gantry/applied about a written record', () => {
  const id = itemHash('uid-1', hash);

  // biome-ignore format: a row is a case
  test.each<[string, string | undefined, string | undefined]>([
    ['are added before the declared paths', withStored('v;sA;pBBB', 'uid-1', 'C_-', hash), `v;sA;u${id};cC_-;pBBB`],
    ['replace earlier ones', withStored('v;sA;uold-_;cold-_;pBBB', 'uid-1', 'C', hash), `v;sA;u${id};cC;pBBB`],
    ['are not written again', withStored(`v;sA;u${id};cC;pBBB`, 'uid-1', 'C', hash), undefined],
    ['are not written without declared paths', withStored('v;sA', 'uid-1', 'C', hash), undefined],
    ['go with the declared paths', withoutDeclared('v;sA;uold-_;cold-_;pB-_'), 'v;sA'],
    ['go for a restored record of which the content is unknown', forReturn('v;sA;uold-_;pB-_'), 'v;sA'],
    ['but the id stay for a restored record of known content', forReturn('v;sA;uold-_;cC;pBBB'), 'v;sA;cC;pBBB'],
  ])('%s', (_, text, expected) => expect(text).toBe(expected));

  test.each([
    ['shop.k3f9qz@g', 'shop@g'],
    ['shop.k3f9qz', 'shop'],
    ['shop@g', undefined],
  ])('%s without its project is %s', (name, expected) => expect(ownerWithoutProject(name)).toBe(expected));
});
