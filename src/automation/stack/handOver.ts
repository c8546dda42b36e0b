import type { ManifestDocument } from '../../manifest/model/document.ts';
import { fileProblem, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { Position } from '../../manifest/model/manifest.ts';
import type { ParsedText } from '../../manifest/text/parsedText.ts';
import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  numberAt,
  own,
  stringAt,
} from '../../schema/json/json.ts';
import { type NotJson, restore, toJson } from './notJson.ts';

/** Few enough that one side reads while the other one writes the next. */
const documentsOfLine = 250;

/** What a stack declares, as lines of JSON: some documents in each, the problems, and `{"end": true}`. */
export function* linesOf({ documents, problems }: ParsedText): Generator<string> {
  for (let from = 0; from < documents.length; from += documentsOfLine) {
    yield line({ documents: documents.slice(from, from + documentsOfLine).map(entryOf) });
  }
  const told = problems.map(({ position, rule, message, hint }) => ({
    position: { ...position },
    rule,
    message,
    ...(hint === undefined ? {} : { hint }),
  }));
  if (told.length > 0) yield line({ problems: told });
  yield line({ end: true });
}

/** The place is asked for here: it comes from the constructs, which do not leave their process. */
function entryOf({ value, locate }: ManifestDocument): JsonValue {
  const position = { ...locate([]) };
  const { value: json, notJson } = toJson(value);
  return notJson.length === 0 ? { value: json, position } : { value: json, position, notJson };
}

function line(content: JsonObject): string {
  return `${JSON.stringify(content)}\n`;
}

/** What the lines of a stack said so far. */
export class TakenOver {
  readonly documents: ManifestDocument[] = [];
  readonly problems: LocatedProblem[] = [];
  /** The last line has come. */
  whole = false;
  /** Something else than such lines has come. */
  garbled = false;

  take(text: string): void {
    const content = this.garbled ? undefined : parsed(text);
    if (content === undefined) {
      this.garbled = true;
      return;
    }
    this.documents.push(...listAt(content, 'documents').filter(isObject).map(documentOf));
    this.problems.push(...problemsOf(listAt(content, 'problems')));
    if (own(content, 'end') === true) this.whole = true;
  }
}

function parsed(text: string): JsonObject | undefined {
  try {
    const content: unknown = JSON.parse(text);
    return isObject(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

function documentOf(entry: JsonObject): ManifestDocument {
  const value = own(entry, 'value') ?? null;
  const position = positionOf(own(entry, 'position'));
  restore(value, listAt(entry, 'notJson').flatMap(notJsonOf));
  return { value, locate: () => position };
}

function notJsonOf(entry: JsonValue): readonly NotJson[] {
  const [pointer, what] = isArray(entry) ? entry : [];
  if (!isArray(pointer) || typeof what !== 'string') return [];
  return [[pointer.filter((step) => typeof step === 'string' || typeof step === 'number'), what]];
}

/** Problems of whole documents that came as JSON. */
export function problemsOf(list: readonly JsonValue[]): readonly LocatedProblem[] {
  return list.filter(isObject).map(problemOf);
}

function problemOf(entry: JsonObject): LocatedProblem {
  const [rule, message] = [stringAt(entry, 'rule') ?? '', stringAt(entry, 'message') ?? ''];
  return fileProblem(positionOf(own(entry, 'position')), rule, message, stringAt(entry, 'hint'));
}

function positionOf(value: JsonValue | undefined): Position {
  const place = isObject(value) ? value : {};
  return {
    file: stringAt(place, 'file') ?? '',
    line: numberAt(place, 'line') ?? 1,
    column: numberAt(place, 'column') ?? 1,
  };
}
