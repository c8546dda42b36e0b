import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ProgramText } from '../../manifest/code/findField.ts';
import type { ManifestDocument, PlaceInCode } from '../../manifest/model/document.ts';
import type { Position } from '../../manifest/model/manifest.ts';
import type { Pointer } from '../../schema/json/pointer.ts';

/**
 * Documents whose places are those of the fields in the code that made them. The code is read when somebody asks for
 * one, which only problems do. What is not written out where its construct is made has the place of the construct.
 */
export function withFieldPlaces(documents: readonly ManifestDocument[], cwd: string): readonly ManifestDocument[] {
  const programs = new Map<string, ProgramText | undefined>();
  function programAt(file: string): ProgramText | undefined {
    if (!programs.has(file)) programs.set(file, read(resolve(cwd, file)));
    return programs.get(file);
  }
  return documents.map((document) => ({
    ...document,
    locate(pointer, of): Position {
      const other = placeOf(document.madeBy?.places ?? [], pointer);
      if (other !== undefined) return other;
      const made = document.locate([]);
      const found = pointer.length === 0 ? undefined : programAt(made.file)?.find(made, document.value, pointer, of);
      return found === undefined ? made : { ...made, ...found };
    },
  }));
}

/** Of the closest enclosing part that comes from another line. */
function placeOf(places: readonly PlaceInCode[], pointer: Pointer): Position | undefined {
  return places
    .filter((place) => place.pointer.every((step, index) => pointer[index] === step))
    .toSorted((a, b) => b.pointer.length - a.pointer.length)[0]?.position;
}

function read(path: string): ProgramText | undefined {
  try {
    return new ProgramText(readFileSync(path, 'utf8'));
  } catch {
    return undefined; // it may be gone since: then the line of the construct has to do
  }
}
