import { CORE_SCHEMA, constructFromEvents, type Event, mergeTag, parseEvents, YAMLException } from 'js-yaml';
import type { JsonValue } from '../../base/json/json.ts';
import type { ManifestDocument } from '../model/document.ts';
import { fileProblem, type LocatedProblem } from '../model/locatedProblem.ts';
import { limits } from './limits.ts';
import type { ParsedText } from './parsedText.ts';
import { TextPositions } from './textPosition.ts';
import { type BoundProblem, yamlBounds } from './yamlBounds.ts';
import { yamlFault } from './yamlFault.ts';
import { yamlKeys } from './yamlKeys.ts';
import { YamlPlaces } from './yamlPositions.ts';

/** Core YAML 1.2: no dates, no binary, no custom tags; with merge keys, which many hand-written files use. */
const schema = CORE_SCHEMA.withTags(mergeTag);

/** Reads a YAML file of any number of documents. Errors are problems, never exceptions. */
export function parseYaml(text: string, file: string): ParsedText {
  const positions = new TextPositions(text, file);
  const placed = ({ offset, rule, message, hint }: BoundProblem) =>
    fileProblem(positions.at(offset), rule, message, hint);
  try {
    const events = parseEvents(text, { maxDepth: limits.depth });
    const bounds = yamlBounds(text, events);
    if (bounds.length > 0) {
      return { documents: [], problems: bounds.map(placed) };
    }
    const values = constructFromEvents(events, { source: text, schema });
    return { documents: yamlDocuments(values, text, positions), problems: yamlKeys(text, events).map(placed) };
  } catch (error) {
    return { documents: [], problems: [syntaxProblem(error, text, positions)] };
  }
}

function yamlDocuments(values: readonly unknown[], text: string, positions: TextPositions): ManifestDocument[] {
  const sources = lazySources(text, positions);
  // js-yaml's core schema makes nothing but JSON values (and NaN and infinities, which are refused later).
  return values.map((value, index) => ({ value: value as JsonValue, ...sources(index) }));
}

type Sources = Required<Pick<ManifestDocument, 'locate' | 'written'>>;

/**
 * Positions are computed only if there is something to report: then the events are read again, once for all documents
 * of the file, so that normally only the text is kept in memory.
 */
export function lazySources(text: string, positions: TextPositions): (document: number) => Sources {
  let known: YamlPlaces | undefined;
  const places = (): YamlPlaces => {
    known ??= new YamlPlaces(text, readEvents(text));
    return known;
  };
  return (document) => ({
    locate: (pointer, of) => positions.at(places().offsetOf(document, pointer, of)),
    written: (pointer) => places().writtenAt(document, pointer),
  });
}

function readEvents(text: string): readonly Event[] {
  try {
    return parseEvents(text, { maxDepth: limits.depth });
  } catch {
    return []; // JSON that is not YAML (a line to the left of its bracket): the place is the file's first line
  }
}

/** Messages of js-yaml and of the engine may quote the text, which may contain a secret: none of them is shown. */
function syntaxProblem(error: unknown, text: string, positions: TextPositions): LocatedProblem {
  const { reason = '', mark } = error instanceof YAMLException ? error : {};
  const position = mark?.position ?? 0;
  // js-yaml points behind the quote of a key and the star of an alias.
  const offset = /["'*]/.test(text[position - 1] ?? '') ? position - 1 : position;
  const { message, hint } = yamlFault(reason, text.slice(text.lastIndexOf('\n', position - 1) + 1, position + 1));
  return fileProblem(positions.at(offset), 'manifest.syntax', message, hint);
}
