import { isArray, isObject, type JsonObject, type JsonValue, own, put } from '../base/json/json.ts';
import { opaqueClass } from '../base/json/opaque.ts';
import { withArticle } from '../base/text/article.ts';
import { suggestion } from '../base/text/suggestion.ts';
import { aKind } from '../kinds/kindWords.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import { customKindName } from '../schema/record/customKinds.ts';
import { hrefOf } from '../schema/record/hrefOf.ts';
import {
  type DeclarableKind,
  declarableKinds,
  isDeclarable,
  isGvcScoped,
  readOnlyKinds,
} from '../schema/record/kinds.ts';
import type { Problem } from '../schema/record/problem.ts';
import { formatRef, type Ref, type ResourceId } from '../schema/record/ref.ts';
import { unsafeName } from '../schema/record/unsafeName.ts';
import { parseLifecycle } from './lifecycleBlock.ts';
import { limits } from './limits.ts';
import type { Lifecycle, ManifestDocument, Written } from './model/manifest.ts';

/** A parsed manifest: its identity, the record to send, and the instructions for Gantry. */
export interface ReadManifest {
  readonly ref: Ref & { readonly kind: DeclarableKind };
  readonly id: ResourceId;
  readonly record: JsonObject;
  readonly lifecycle: Lifecycle;
}

export interface ReadResult {
  /** Absent if the resource cannot be identified. */
  readonly manifest?: ReadManifest;
  readonly problems: readonly Problem[];
}

/** The parts of a document that are needed to read it. */
export type ReadableDocument = Pick<ManifestDocument, 'value' | 'written'>;

/** `gvc`: the value of `--gvc`; it fills a missing `gvc`, and conflicts with another one. */
export function readManifest({ value, written }: ReadableDocument, gvc: string | undefined): ReadResult {
  if (!isObject(value)) {
    const is = isArray(value) ? 'a list' : value === '' ? 'empty text' : `a single ${typeof value}`;
    return {
      problems: [
        problem(
          [],
          'manifest.not-a-resource',
          `a manifest is an object, this is ${is}`,
          'Write kind, name and the fields of the resource.',
        ),
      ],
    };
  }
  const problems: Problem[] = [...jsonProblems(value)];
  const kind = readKind(value, written, problems);
  const name = readName(value, written, problems);
  const { lifecycle, problems: lifecycleProblems } = parseLifecycle(own(value, 'lifecycle'));
  problems.push(...lifecycleProblems);
  if (kind === undefined || name === undefined) return { problems };

  const inGvc = readGvc(value, kind, gvc, problems);
  if (isGvcScoped(kind) && inGvc === undefined) return { problems };
  const ref = inGvc === undefined ? { kind, name } : { kind, name, gvc: inGvc };
  const manifest = { ref, id: formatRef(ref), record: recordOf(value, kind) };
  if (lifecycle.dependsOn === undefined) return { manifest: { ...manifest, lifecycle }, problems };

  const { ids, problems: badIds } = parseDependsOn(lifecycle.dependsOn, ref);
  return { manifest: { ...manifest, lifecycle: { ...lifecycle, dependsOn: ids } }, problems: [...problems, ...badIds] };
}

function readKind(value: JsonObject, written: Written | undefined, problems: Problem[]): DeclarableKind | undefined {
  const kind = own(value, 'kind');
  if (kind === undefined) {
    problems.push(problem(['kind'], 'shape.required', 'kind is missing', `One of: ${declarableKinds().join(', ')}.`));
    return undefined;
  }
  if (typeof kind === 'string' && isDeclarable(kind)) return kind;
  const word = typeof kind === 'string' ? kind : (written?.(['kind']) ?? wordOf(kind));
  if (kind === 'list' || kind === 'queryresult') {
    const message = `${kind} needs its resources in "items"`;
    problems.push(problem(['items'], 'shape.type', message, 'Write items: a list of manifests.'));
  } else if (readOnlyKinds.some((readOnly) => readOnly === kind)) {
    const message = `${word} is created by the platform and cannot be declared`;
    problems.push(problem(['kind'], 'manifest.read-only-kind', message, 'Remove this manifest.'));
  } else {
    const known = declarableKinds();
    const hint = suggestion(word, known) ?? `One of: ${known.join(', ')}. ${howToDefine(word)}`;
    problems.push(problem(['kind'], 'manifest.unknown-kind', `there is no kind "${word.slice(0, 80)}"`, hint));
  }
  return undefined;
}

/** A hint for a kind that is unknown to the schema. */
function howToDefine(word: string): string {
  const name = customKindName.test(word) ? word : 'NAME';
  return `Another kind of your platform is defined in gantry.yaml: kinds: {${name}: {scope: org}}, or scope: gvc.`;
}

/** Names a kind that is not text. A TypeScript stack may contain values that JSON cannot represent. */
function wordOf(kind: JsonValue): string {
  return kind === null || typeof kind === 'number' || typeof kind === 'boolean' ? String(kind) : typeof kind;
}

function readName(value: JsonObject, written: Written | undefined, problems: Problem[]): string | undefined {
  const name = own(value, 'name');
  if (name === undefined) {
    problems.push(problem(['name'], 'shape.required', 'name is missing', 'Add the name of the resource.'));
  } else if (typeof name !== 'string' || name === '') {
    const message = name === '' ? 'name is empty' : 'name must be text';
    const text = name === '' || name === null ? undefined : written?.(['name']);
    const hint = text === undefined ? 'Write the name as text, in quotes if need be.' : `Put it in quotes: "${text}".`;
    problems.push(problem(['name'], 'shape.type', message, hint));
  } else if (unsafeName.test(name)) {
    problems.push(
      problem(
        ['name'],
        'manifest.unsafe-name',
        `${JSON.stringify(name.slice(0, 80))} is not a usable name`,
        'Use lower-case letters, digits and "-".',
      ),
    );
  } else {
    return name;
  }
  return undefined;
}

function readGvc(
  value: JsonObject,
  kind: DeclarableKind,
  option: string | undefined,
  problems: Problem[],
): string | undefined {
  const written = own(value, 'gvc');
  if (!isGvcScoped(kind)) {
    if (written !== undefined) {
      problems.push(
        problem(['gvc'], 'manifest.gvc-not-allowed', `${withArticle(kind)} does not belong to a GVC`, 'Remove gvc.'),
      );
    }
    return undefined;
  }
  if (written !== undefined && (typeof written !== 'string' || written === '' || unsafeName.test(written))) {
    problems.push(problem(['gvc'], 'shape.type', 'gvc must be the name of a GVC', 'Write the name, not a link.'));
    return undefined;
  }
  const gvc = written ?? gvcOfLinks(value);
  if (gvc !== undefined && option !== undefined && gvc !== option) {
    const message = `gvc is "${gvc}", but "${option}" was asked for`;
    problems.push(
      problem(['gvc'], 'manifest.gvc-mismatch', message, 'Remove gvc from the manifest, or leave out --gvc.'),
    );
    return undefined;
  }
  const found = gvc ?? option;
  if (found === undefined) {
    problems.push(
      problem(
        ['gvc'],
        'manifest.gvc-missing',
        `${aKind(kind)} belongs to a GVC, and none was given`,
        'Add gvc: NAME, or pass --gvc NAME.',
      ),
    );
  }
  return found;
}

/** An exported record names its GVC only in its links. */
function gvcOfLinks(value: JsonObject): string | undefined {
  return /\/gvc\/([^/]+)$/.exec(hrefOf(value, 'gvc') ?? '')?.[1];
}

const notSent: ReadonlySet<string> = new Set(['kind', 'gvc', 'lifecycle', '$schema', 'alias', 'health', 'origin']);

/** The record to send: without our own and platform-owned fields (an exported record is a valid manifest). */
function recordOf(value: JsonObject, kind: DeclarableKind): JsonObject {
  const { fields } = shapeOf(kind);
  const record: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const field = value[key];
    if (field === undefined || notSent.has(key) || fields.get(key)?.facts.responseOnly === true) continue;
    put(record, key, field);
  }
  return record;
}

function problem(pointer: readonly string[], rule: string, message: string, hint: string): Problem {
  return { rule, path: pointer.join('.'), pointer, message, hint, severity: 'error' };
}

interface ParsedDependsOn {
  readonly ids: readonly ResourceId[];
  readonly problems: readonly Problem[];
}

/** Complete ids of `lifecycle.dependsOn`: in a resource of a GVC, `workload/api` is in the same GVC. */
function parseDependsOn(written: readonly string[], dependent: Ref): ParsedDependsOn {
  const ids: ResourceId[] = [];
  const problems: Problem[] = [];
  for (const [index, id] of written.entries()) {
    const full = fullId(id, dependent);
    if (full === undefined) problems.push(badId(index, id));
    else if (full === formatRef(dependent)) problems.push(itself(index, full));
    else ids.push(full);
  }
  return { ids, problems };
}

function fullId(id: string, dependent: Ref): ResourceId | undefined {
  const [kind = '', first = '', second, ...rest] = id.split('/');
  if (!isDeclarable(kind) || first === '' || second === '' || rest.length > 0) return undefined;
  if (!isGvcScoped(kind)) return second === undefined ? id : undefined;
  if (second !== undefined) return id;
  return dependent.gvc === undefined ? undefined : `${kind}/${dependent.gvc}/${first}`;
}

function itself(index: number, id: ResourceId): Problem {
  return {
    ...badId(index, id),
    message: `${id} depends on itself`,
    hint: 'Remove it from this list.',
  };
}

function badId(index: number, id: string): Problem {
  return {
    rule: 'manifest.depends-on',
    path: `lifecycle.dependsOn.${index}`,
    pointer: ['lifecycle', 'dependsOn', index],
    message: `${JSON.stringify(id.slice(0, 120))} is not the id of a resource`,
    hint: 'Write kind/name, or kind/gvc/name for a resource in a GVC.',
    severity: 'error',
  };
}

type Trail = (string | number)[];

/**
 * Values that are invalid anywhere in a manifest, because they cannot be written to the platform unchanged: keys that
 * the platform would read as patch directives (platform/patch.directives), `__proto__`, numbers and text that JSON
 * cannot represent, values that are too long or too deep.
 */
export function jsonProblems(value: JsonValue): readonly Problem[] {
  const problems: Problem[] = [];
  visit(value, [], problems);
  return problems;
}

function visit(value: JsonValue, pointer: Trail, problems: Problem[]): void {
  if (typeof value === 'string') {
    if (value.length > limits.scalarLength) problems.push(tooLong(pointer));
    else if (!value.isWellFormed()) problems.push(badText(pointer));
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) problems.push(badNumber(pointer, value));
    else if (Math.abs(value) > Number.MAX_SAFE_INTEGER) problems.push(inexactNumber(pointer));
  } else if (typeof value === 'object' && value !== null) {
    if (pointer.length >= limits.depth) problems.push(tooDeep(pointer));
    else if (isArray(value)) visitList(value, pointer, problems);
    else if (isObject(value)) {
      const opaque = opaqueClass(value);
      if (opaque === undefined) visitObject(value, pointer, problems);
      else problems.push(notData(pointer, opaque));
    }
  } else if (typeof value !== 'boolean' && value !== null) {
    problems.push(notData(pointer, typeof value));
  }
}

function visitList(list: readonly JsonValue[], pointer: Trail, problems: Problem[]): void {
  for (let index = 0; index < list.length; index += 1) {
    pointer.push(index);
    visit(list[index] ?? null, pointer, problems);
    pointer.pop();
  }
}

function visitObject(object: { readonly [key: string]: JsonValue }, pointer: Trail, problems: Problem[]): void {
  for (const key of Object.keys(object)) {
    pointer.push(key);
    // A top-level `$schema` is for editors.
    if (key.startsWith('$') && !(key === '$schema' && pointer.length === 1)) problems.push(directive(pointer, key));
    else if (key === '__proto__') problems.push(unsafeKey(pointer));
    else visit(object[key] ?? null, pointer, problems);
    pointer.pop();
  }
}

function jsonProblem(pointer: Trail, rule: string, message: string, hint: string): Problem {
  return { rule, path: pointer.join('.'), pointer: [...pointer], message, hint, severity: 'error' };
}

function directive(pointer: Trail, key: string): Problem {
  const message = `"${key.slice(0, 60)}" would be read as a patch directive`;
  return jsonProblem(pointer, 'manifest.directive-key', message, 'Choose a name that does not begin with "$".');
}

function unsafeKey(pointer: Trail): Problem {
  return jsonProblem(pointer, 'manifest.unsafe-key', '"__proto__" is not a usable name', 'Choose another name.');
}

function tooLong(pointer: Trail): Problem {
  const message = `the value has more than ${limits.scalarLength} characters`;
  return jsonProblem(pointer, 'manifest.too-long', message, 'Store large content outside of manifests.');
}

function tooDeep(pointer: Trail): Problem {
  const message = `lists and objects are nested more than ${limits.depth} levels deep`;
  return jsonProblem(pointer, 'manifest.too-deep', message, 'Make the value flatter.');
}

function badNumber(pointer: Trail, value: number): Problem {
  return jsonProblem(pointer, 'manifest.not-json', `${value} is not a JSON number`, 'Write a finite number.');
}

/** The last digits of the number may differ from the written ones. */
function inexactNumber(pointer: Trail): Problem {
  const message = `the number is outside of ±${Number.MAX_SAFE_INTEGER} and may lose precision`;
  return jsonProblem(
    pointer,
    'manifest.not-json',
    message,
    'Put it in quotes where text is legal; else use a smaller one.',
  );
}

function badText(pointer: Trail): Problem {
  const message = 'the text holds half of a surrogate pair, which UTF-8 cannot carry';
  return jsonProblem(pointer, 'manifest.not-json', message, 'Write the whole character.');
}

function notData(pointer: Trail, type: string): Problem {
  return jsonProblem(
    pointer,
    'manifest.not-json',
    `${withArticle(type)} is not data`,
    type === 'Promise'
      ? 'Write `await` before the call that returns it.'
      : 'Write text, a number, true, false, a list or an object.',
  );
}
