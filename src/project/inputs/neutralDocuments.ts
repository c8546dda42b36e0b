import { isObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { SpellingError } from '../../dialect/translate.ts';
import { flatten } from '../../manifest/flatten.ts';
import { codeOf, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { ManifestDocument } from '../../manifest/model/manifest.ts';
import type { ParsedText } from '../../manifest/textPosition.ts';

/**
 * Translates manifests from either spelling into the neutral words, the only ones that rules, references and ownership
 * know. Positions and quoted values remain those of the source.
 */
export function neutralDocuments(documents: readonly ManifestDocument[], dialect: Dialect | undefined): ParsedText {
  if (dialect === undefined) return { documents, problems: [] };
  const problems: LocatedProblem[] = [];
  const neutral = flatten(documents).map((document) => {
    try {
      return neutralDocument(document, dialect);
    } catch (error) {
      if (!(error instanceof SpellingError)) throw error;
      problems.push(problemOf(error, document));
      return document;
    }
  });
  return { documents: neutral, problems };
}

function neutralDocument(document: ManifestDocument, dialect: Dialect): ManifestDocument {
  if (!isObject(document.value)) return document;
  const { value, written: writtenPlace, neutral } = dialect.neutral(document.value);
  if (value === document.value) return document;
  const { locate, written, outside } = document;
  return {
    ...document,
    value,
    locate: (pointer, of) => locate(writtenPlace(pointer), of),
    ...(written === undefined ? {} : { written: (pointer) => written(writtenPlace(pointer)) }),
    ...present({
      outside:
        outside === undefined ? undefined : { read: outside.read.map(neutral), awaited: outside.awaited.map(neutral) },
    }),
  };
}

function problemOf({ message, hint, code, pointer }: SpellingError, document: ManifestDocument): LocatedProblem {
  return {
    rule: code,
    path: pointer.join('.'),
    pointer,
    message,
    severity: 'error',
    position: document.locate(pointer, 'field'),
    ...present({ hint }),
    ...codeOf(document.madeBy),
  };
}
