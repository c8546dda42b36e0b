import { isWithin, type Pointer } from '../../base/json/pointer.ts';
import type { ManifestDocument, PlaceInCode } from '../model/document.ts';
import type { Position } from '../model/manifest.ts';
import { ProgramText } from './findField.ts';

/**
 * Documents whose places are those of the fields in the code that made them. The code is read when somebody asks for
 * one, which only problems do; `readCode` may throw, as the file may be gone since. What is not written out where its construct is made has the place of the construct.
 */
export function withFieldPlaces(
  documents: readonly ManifestDocument[],
  readCode: (file: string) => string,
): readonly ManifestDocument[] {
  const programs = new Map<string, ProgramText | undefined>();
  function programAt(file: string): ProgramText | undefined {
    if (!programs.has(file)) programs.set(file, programIn(file, readCode));
    return programs.get(file);
  }
  return documents.map((document) => ({
    ...document,
    locate(pointer, of): Position {
      const other = placeOf(document.madeBy?.places ?? [], pointer);
      if (other !== undefined) return other;
      const made = document.locate([]);
      const found = pointer.length === 0 ? undefined : programAt(made.file)?.find(made, document.value, pointer, of);
      return { ...made, ...found };
    },
  }));
}

/** Of the closest enclosing part that comes from another line. */
function placeOf(places: readonly PlaceInCode[], pointer: Pointer): Position | undefined {
  return places
    .filter((place) => isWithin(pointer, place.pointer))
    .toSorted((a, b) => b.pointer.length - a.pointer.length)[0]?.position;
}

function programIn(file: string, readCode: (file: string) => string): ProgramText | undefined {
  try {
    return new ProgramText(readCode(file));
  } catch {
    return undefined; // then the line of the construct has to do
  }
}
