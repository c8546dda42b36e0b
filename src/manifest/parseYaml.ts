import { CORE_SCHEMA, constructFromEvents, type Event, mergeTag, parseEvents, YAMLException } from 'js-yaml';
import type { JsonValue } from '../schema/json.ts';
import type { ManifestDocument } from './document.ts';
import { limits } from './limits.ts';
import { fileProblem, type LocatedProblem } from './locatedProblem.ts';
import type { Locate } from './manifest.ts';
import type { ParsedText } from './parsedText.ts';
import { TextPositions } from './textPosition.ts';
import { yamlBounds } from './yamlBounds.ts';
import { YamlPlaces } from './yamlPositions.ts';

/** Core YAML 1.2: no dates, no binary, no custom tags; with merge keys, which many hand-written files use. */
const schema = CORE_SCHEMA.withTags(mergeTag);

/** Reads a YAML file of any number of documents. Errors are problems, never exceptions. */
export function parseYaml(text: string, file: string): ParsedText {
  const positions = new TextPositions(text, file);
  try {
    const events = parseEvents(text, { maxDepth: limits.depth });
    const bounds = yamlBounds(text, events);
    if (bounds.length > 0) {
      return {
        documents: [],
        problems: bounds.map(({ offset, rule, message, hint }) =>
          fileProblem(positions.at(offset), rule, message, hint),
        ),
      };
    }
    const values = constructFromEvents(events, { source: text, schema });
    return { documents: yamlDocuments(values, text, positions), problems: [] };
  } catch (error) {
    return { documents: [], problems: [syntaxProblem(error, text, positions)] };
  }
}

function yamlDocuments(values: readonly unknown[], text: string, positions: TextPositions): ManifestDocument[] {
  const locate = lazyLocate(text, positions);
  // js-yaml's core schema makes nothing but JSON values (and NaN and infinities, which are refused later).
  return values.map((value, index) => ({ value: value as JsonValue, locate: locate(index) }));
}

/**
 * Places are computed only when there is something to report: the events are read again then, once for all documents
 * of the file, so that the usual case keeps nothing but the text.
 */
export function lazyLocate(text: string, positions: TextPositions): (document: number) => Locate {
  let places: YamlPlaces | undefined;
  return (document) => (pointer, of) => {
    places ??= new YamlPlaces(text, readEvents(text));
    return positions.at(places.offsetOf(document, pointer, of));
  };
}

function readEvents(text: string): readonly Event[] {
  try {
    return parseEvents(text, { maxDepth: limits.depth });
  } catch {
    return []; // JSON that is not YAML (a key of more than 1,024 characters): the place is the file's first line
  }
}

/** What js-yaml says, in words of ours. */
const reasons = [
  ['object-based map does not support complex keys', 'a key must be a single value'],
  ['cannot merge mappings; the provided source object is unacceptable', '<< takes an object, or a list of objects'],
  [/nesting exceeded maxDepth \((\d+)\)/, 'lists and objects are nested more than $1 levels deep'],
] as const;

function syntaxProblem(error: unknown, text: string, positions: TextPositions): LocatedProblem {
  if (!(error instanceof YAMLException)) throw error;
  const reason = reasons.reduce((text, [theirs, ours]) => text.replace(theirs, ours), error.reason);
  const position = error.mark?.position ?? 0;
  // js-yaml points behind the quote of a key and the star of an alias.
  const offset = /["'*]/.test(text[position - 1] ?? '') ? position - 1 : position;
  const twice = /duplicated? mapping key/.test(reason) ? keyAt(text, offset) : undefined;
  const message = twice === undefined ? reason : `the key ${JSON.stringify(twice)} is there twice in one mapping`;
  return fileProblem(positions.at(offset), 'manifest.syntax', message, syntaxHint(reason));
}

/** The plain key that begins there; undefined for one that is not plain. */
function keyAt(text: string, offset: number): string | undefined {
  return /^["']?([\w./$-]{1,128})["']?\s*:/.exec(text.slice(offset, offset + 140))?.[1];
}

function syntaxHint(reason: string): string {
  if (/\btab\b/.test(reason)) return 'Indent with spaces.';
  if (/duplicated? mapping key/.test(reason)) return 'Remove one of the two.';
  if (/unidentified alias/.test(reason)) return 'Define the anchor before the alias, in the same document.';
  if (/tag/.test(reason)) return 'Custom YAML tags are not supported: write the plain value.';
  return 'Correct the YAML at this place.';
}
