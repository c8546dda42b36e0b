import { describe, expect, test } from 'vitest';
import { withFieldPlaces } from '../../../src/manifest/fieldPlaces.ts';
import type { ManifestDocument, PlaceInCode } from '../../../src/manifest/model/manifest.ts';

const code = "const x = 1;\nnew Gvc(stack, 'shop', { description: 'the shop', spec: { env: [] } });\n";

function document(file: string, places?: readonly PlaceInCode[]): ManifestDocument {
  const madeBy = { construct: 'shop', callers: [], ...(places === undefined ? {} : { places }) };
  return {
    value: { kind: 'gvc', name: 'shop', description: 'the shop', spec: { env: [] } },
    locate: () => ({ file, line: 2, column: 1 }),
    madeBy,
  };
}

const at = (line: number, column: number, file = 's.ts') => ({ file, line, column });

/** The places of fields, and the files read for them. */
function located(documents: readonly ManifestDocument[], read = (_: string) => code) {
  const files: string[] = [];
  const found = withFieldPlaces(documents, (file) => {
    files.push(file);
    return read(file);
  });
  return { found, files };
}

describe('the place of a field made by code', () => {
  test.each([
    { it: 'of the resource: its construct', pointer: [], place: at(2, 1) },
    { it: 'of a field: its name', pointer: ['description'], place: at(2, 26) },
    { it: 'of a value', pointer: ['description'], of: 'value' as const, place: at(2, 39) },
    { it: 'of an omitted field: its construct', pointer: ['tags', 'a'], place: at(2, 1) },
  ])('$it', ({ pointer, of, place }) => {
    const { found } = located([document('s.ts')]);
    expect(found[0]?.locate(pointer, of)).toEqual(place);
  });

  test('of a value from other lines: its closest parent', () => {
    const { found, files } = located([
      document('s.ts', [
        { pointer: ['spec', 'env', 0], position: at(9, 1) },
        { pointer: ['spec'], position: at(7, 1) },
        { pointer: ['spec', 'env'], position: at(8, 1) },
      ]),
    ]);
    expect(found[0]?.locate(['spec', 'env', 1, 'value'])).toEqual(at(8, 1));
    expect(found[0]?.locate(['spec', 'env', 0])).toEqual(at(9, 1));
    expect(found[0]?.locate(['spec'])).toEqual(at(7, 1));
    expect(files).toEqual([]);
    expect(found[0]?.locate(['description'])).toEqual(at(2, 26));
  });

  test('a file is read once, for the first field in it', () => {
    const { found, files } = located([document('a.ts'), document('b.ts'), document('a.ts')]);
    for (const each of found) each.locate([]);
    expect(files).toEqual([]);
    for (const each of found) expect(each.locate(['description'])).toMatchObject({ line: 2, column: 26 });
    expect(files).toEqual(['a.ts', 'b.ts']);
  });

  test('of missing code: its construct, and the file is not read again', () => {
    const { found, files } = located([document('s.ts')], () => {
      throw new Error('no such file');
    });
    for (let time = 0; time < 2; time += 1) expect(found[0]?.locate(['description'])).toEqual(at(2, 1));
    expect(files).toEqual(['s.ts']);
  });

  test('without code, places are not changed', () => {
    const { madeBy: _, ...plain } = document('s.ts');
    const { found } = located([plain], () => '');
    expect(found[0]).toMatchObject({ value: plain.value });
    expect(found[0]?.locate(['description'])).toEqual(at(2, 1));
  });
});
