import { present } from '../base/json/present.ts';
import { suggest } from '../base/text/suggest.ts';
import { ToolError } from '../base/toolError.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { WriteEvent } from '../manifest/live/writer.ts';
import { memberShape } from '../patch/place.ts';
import { contextOf } from '../schema/record/ref.ts';
import { type PathSegment, parsePath, quoted } from '../schema/shape/paths.ts';
import type { ObjectShape, Shape } from '../schema/shape/shape.ts';
import { type StudiedChange, sourcesOf } from './explainChange.ts';
import { explainDifference, explainVerdict } from './explainFields.ts';
import type { ExplainedField, Explanation } from './explanation.ts';
import { isCovered, judgeFields, type Verdict } from './verdicts.ts';

/**
 * The explanation of one path: everything below it, and around it if it is a single value. Fields that do not differ
 * say why; for a field missing on both sides, the meaning of its absence is given.
 *
 * Errors: `explain.unknown-path`, with the nearest path.
 */
export function explainPath(
  explanation: Explanation,
  studied: StudiedChange,
  path: string,
  writes: readonly WriteEvent[] | null | undefined,
): Explanation {
  const { change } = studied;
  const before = verdictsOf(studied);
  const sources = sourcesOf(studied, writes);
  const { shape } = sources;
  const segments = parsePath(path);
  const wanted = segments === undefined ? path : segments.map(segmentText).join('.');

  const differing = change.fields.filter((field) => isCovered(field.path, [wanted]));
  const changed = differing.map((field) => field.path);
  const others = before.filter((verdict) => isCovered(verdict.path, [wanted]) && !isCovered(verdict.path, changed));
  const fields = [
    ...differing.map((field) => explainDifference(field, sources)),
    ...others.map((verdict) => explainVerdict(verdict, sources)),
  ];
  const found = fields.length > 0 ? fields : absentField(wanted, segments, shape);
  if (found === undefined) throw unknownPath(path, studied, shape);
  const choices = explanation.choices.filter(({ path: at }) => changed.length > 0 && isCovered(at, [wanted]));
  return { ...explanation, choices, fields: found, equal: [] };
}

/** The verdicts; for a resource that does not exist yet, those on the declaration. */
function verdictsOf({ before, desired, live, planning }: StudiedChange): readonly Verdict[] {
  if (desired === undefined || live !== undefined) return before;
  return judgeFields(shapeOf(desired.ref.kind, desired.record), undefined, desired.record, {
    context: contextOf(desired.ref, planning.org),
  }).verdicts;
}

function segmentText(segment: PathSegment): string {
  return segment.any ? '*' : quoted(segment.name);
}

/** The field, if the schema knows it although it is neither declared nor live. */
function absentField(
  path: string,
  segments: readonly PathSegment[] | undefined,
  shape: ObjectShape,
): readonly ExplainedField[] | undefined {
  let at: Shape | undefined = shape;
  for (const segment of segments ?? []) at = segment.any ? undefined : insideOf(at, segment.name);
  if (segments === undefined || at === undefined) return undefined;
  const { default: means } = at.facts;
  const because =
    means === undefined
      ? 'neither declared nor live: absent on both sides'
      : 'neither declared nor live: its default on both sides';
  return [{ path, why: 'same', because, ...present({ means }) }];
}

/** Lists are omitted: an item missing on both sides is not a field. */
function insideOf(shape: Shape | undefined, name: string): Shape | undefined {
  if (shape?.type === 'object') return shape.fields.get(name);
  return shape?.type === 'map' ? memberShape(shape, name) : undefined;
}

function unknownPath(path: string, { change, before }: StudiedChange, shape: ObjectShape): ToolError {
  const known = [
    ...change.fields.map((field) => field.path),
    ...before.map((verdict) => verdict.path),
    ...fieldsOf(shape, ''),
  ];
  const near = suggest(path, new Set(known.flatMap(prefixes)));
  return new ToolError({
    code: 'explain.unknown-path',
    message: `${change.id} has no field ${path}: it is neither declared, nor live, nor in the schema`,
    hint:
      near === undefined
        ? 'Give a path as the plan shows it: spec.containers.main.cpu, tags."a.b".'
        : `Did you mean ${near}?`,
  });
}

function prefixes(path: string): readonly string[] {
  const segments = parsePath(path) ?? [];
  return segments.map((_, index) =>
    segments
      .slice(0, index + 1)
      .map(segmentText)
      .join('.'),
  );
}

/** Every path that the schema knows without looking into lists and maps. */
function fieldsOf(shape: Shape, path: string): readonly string[] {
  if (shape.type !== 'object') return path === '' ? [] : [path];
  const inside = [...shape.fields].flatMap(([name, field]) =>
    fieldsOf(field, path === '' ? quoted(name) : `${path}.${quoted(name)}`),
  );
  return path === '' ? inside : [path, ...inside];
}
