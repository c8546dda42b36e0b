import { readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isAlias, isCollection, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { fieldIn, isArray, isObject, type JsonValue, own, put, sameJson } from '../base/json/json.ts';
import { compact, present } from '../base/json/present.ts';
import { valueThere } from '../base/json/valuesAt.ts';
import { ToolError } from '../base/toolError.ts';
import {
  type CarriedValue,
  carriedPaths,
  comparePromotion,
  type EnvironmentSide,
  isSecretValue,
  type Promotion,
  type PromotionDifference,
  type Side,
} from '../change/promotion.ts';
import { namesNothing } from '../change/promotionPattern.ts';
import { parseYaml } from '../manifest/parseYaml.ts';
import { displayPath, systemReason } from '../project/files/fileRefusal.ts';
import { settingsFileName } from '../project/files/projectFiles.ts';
import { writeWhole } from '../project/files/writeWhole.ts';
import type { Session } from '../project/session/session.ts';
import { chooseEnvironment, type Environments } from '../project/settings/environment.ts';
import { openProject, type Project } from '../project/settings/project.ts';
import { readSettingsFile } from '../project/settings/settingsFile.ts';
import { loadManifests } from './loading/loadStack.ts';

export interface PromoteOptions {
  readonly from: string;
  readonly to: string;
  /** Whether to write the values into `gantry.yaml`. */
  readonly write: boolean;
}

/**
 * Compares the declarations of two environments, without a platform, and carries values from one to the other.
 *
 * Errors: `promote.same`, `promote.unwritable`, `settings.environment`, and those of manifests (`input.invalid`).
 */
export async function promote(
  session: Session,
  paths: readonly string[],
  { from, to, write }: PromoteOptions,
): Promise<Promotion> {
  const project = await openBoth(session, paths, [from, to]);
  const { promotion } = project.settings;
  const before = await readSide(session, paths, from);
  const compare = (after: EnvironmentSide) =>
    comparePromotion(before, after, promotion.mayDiffer).map((each) => withDisplayPaths(session.cwd, each));
  const target = await readSide(session, paths, to);
  const differences = compare(target);
  const { environments } = await readSettingsFile(project.folder);
  const resources = [...before.desired, ...target.desired];
  const values = [from, to].map((name) => environments?.get(name)?.values?.values ?? {});
  for (const pattern of promotion.mayDiffer) {
    if (!namesNothing(pattern, resources, values)) continue;
    const text = `promotion.may-differ: ${pattern.text} matches nothing in ${from} and ${to}`;
    await session.tell({ type: 'note', text });
  }
  const carried = carriedValues(
    { ...present({ environments }) },
    {
      ...{ from, to, differences },
      wanted: carriedPaths(differences, promotion),
    },
  );
  if (!write || carried.length === 0) return { from, to, carried, isWritten: false, differences };
  await writeValues(project.folder, { from, to, paths: carried.map(({ path }) => path) });
  return { from, to, carried, isWritten: true, differences: compare(await readSide(session, paths, to)) };
}

/** The difference with displayed file names. */
function withDisplayPaths(cwd: string, { from, to, ...difference }: PromotionDifference): PromotionDifference {
  const shown = (side: Side): Side => ({
    ...side,
    at: { ...side.at, file: displayPath(resolve(cwd, side.at.file), cwd) },
  });
  return {
    ...difference,
    ...present({ from: from === undefined ? undefined : shown(from), to: to === undefined ? undefined : shown(to) }),
  };
}

/** Errors: `settings.environment` for an unknown name. */
async function openBoth(
  session: Session,
  paths: readonly string[],
  names: readonly [string, string],
): Promise<Project> {
  const [from, to] = names;
  const project = await openProject(withEnvironment(session, to), paths);
  const { environments } = await readSettingsFile(project.folder);
  if (environments === undefined || environments.size === 0) throw noEnvironments();
  for (const name of names) chooseEnvironment(environments, name);
  if (from === to) {
    throw new ToolError({
      code: 'promote.same',
      message: `both environments are ${from}`,
      hint: 'Name the environment to promote from, and the one to promote to.',
    });
  }
  return project;
}

function noEnvironments(): ToolError {
  return new ToolError({
    code: 'settings.environment',
    message: 'gantry.yaml has no environments',
    hint: 'Write `environments` into gantry.yaml of the project.',
  });
}

function withEnvironment(session: Session, env: string): Session {
  return { ...session, options: { ...session.options, env, offline: true } };
}

async function readSide(session: Session, paths: readonly string[], env: string): Promise<EnvironmentSide> {
  const named = withEnvironment(session, env);
  const { desired, org, project } = await loadManifests(named, paths, 'unread', { locateValues: true });
  return { desired, org, gvc: project.settings.gvc };
}

interface CarryOptions {
  readonly from: string;
  readonly to: string;
  readonly differences: readonly PromotionDifference[];
  readonly wanted: readonly (readonly string[])[];
}

/** The wanted values that differ between the environments. */
function carriedValues(
  { environments }: { readonly environments?: Environments },
  { from, to, differences, wanted }: CarryOptions,
): readonly CarriedValue[] {
  const [source, target] = [environments?.get(from)?.values, environments?.get(to)?.values];
  return wanted.flatMap((path): readonly CarriedValue[] => {
    const [before, after] = [valueThere(source?.values, path), valueThere(target?.values, path)];
    if (before === undefined) return [];
    const isSame = sameJson(before, after) && source?.written(path) === target?.written(path);
    if (isSame) return [];
    const isSecret = isSecretValue(path, differences);
    if (isSecret) return [{ path, from: undefined, to: undefined }];
    return [{ path, from: asWritten(before, source?.written(path)), to: asWritten(after, target?.written(path)) }];
  });
}

/** Keeps the text: `1.10` and `1.1` are the same number. */
function asWritten<T extends JsonValue | undefined>(value: T, written: string | undefined): T | string {
  return typeof value === 'number' && written !== undefined && written !== String(value) ? written : value;
}

interface ValuesToWrite {
  readonly from: string;
  readonly to: string;
  /** Relative to `values` of both environments. */
  readonly paths: readonly (readonly string[])[];
}

/**
 * Writes values of one environment into another in the folder's `gantry.yaml`, atomically; the rest of the file stays
 * unchanged. Errors: `promote.unwritable`.
 */
export async function writeValues(folder: string, { from, to, paths }: ValuesToWrite): Promise<void> {
  const path = join(folder, settingsFileName);
  const { file, text, mode } = await readSettingsText(path);
  const carries = paths.map((value) => ({
    from: ['environments', from, 'values', ...value],
    to: ['environments', to, 'values', ...value],
  }));
  const edited = editValues(text, carries);
  if (edited === undefined) {
    const names = paths.map((value) => `values.${value.join('.')}`).join(', ');
    throw unwritable(path, `${names} of ${to} cannot be changed without rewriting other lines`);
  }
  if ((await readSettingsText(path)).text !== text) throw unwritable(path, 'somebody else has changed it meanwhile');
  try {
    writeWhole(file, edited, mode);
  } catch (error) {
    throw systemError(path, error);
  }
}

interface SettingsText {
  /** The path with links resolved. */
  readonly file: string;
  readonly text: string;
  readonly mode: number;
}

async function readSettingsText(path: string): Promise<SettingsText> {
  try {
    const file = await realpath(path);
    const { mode } = await stat(file);
    return { file, text: await readFile(file, 'utf8'), mode: mode & 0o777 };
  } catch (error) {
    throw systemError(path, error);
  }
}

function systemError(path: string, cause: unknown): ToolError {
  const hint = 'Correct that, and try again; gantry promote without --write lists the values.';
  return unwritable(path, systemReason(cause), { hint, cause });
}

function unwritable(
  file: string,
  why: string,
  {
    hint = 'Change these values by hand; gantry promote without --write lists them.',
    cause,
  }: { readonly hint?: string; readonly cause?: unknown } = {},
): ToolError {
  return new ToolError({
    code: 'promote.unwritable',
    message: `${file} was not changed: ${why}`,
    hint,
    place: { file },
    ...present({ cause }),
  });
}

/** A value to copy from `from` to `to` in one YAML text. */
interface Carry {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/**
 * Changes a YAML text so that everything else in it stays: comments, order, quotes, blank lines. Undefined if no small
 * edit gives exactly the intended change (for an alias, for example). The Document API of `yaml` would rewrite the
 * whole file.
 */
export function editValues(text: string, carries: readonly Carry[]): string | undefined {
  let edited = text;
  for (const { from, to } of carries) {
    const leaves = leavesOf(valueInText(edited, from), valueInText(edited, to), []);
    for (const below of leaves) {
      const next = carryOne(edited, [...from, ...below], [...to, ...below]);
      if (next === undefined) return undefined;
      edited = next;
    }
  }
  return edited;
}

/** The single document in the text. */
export function documentIn(text: string): JsonValue | undefined {
  const { documents, problems } = parseYaml(text, '');
  return problems.length === 0 && documents.length === 1 ? documents[0]?.value : undefined;
}

function valueInText(text: string, path: readonly string[]): JsonValue | undefined {
  let value = documentIn(text);
  for (const key of path) value = isArray(value) ? value[Number(key)] : fieldIn(value, key);
  return value;
}

/**
 * The values to change; an empty path means all of it. Members that only the target has stay; lists of the same length
 * are changed item by item.
 */
function leavesOf(
  from: JsonValue | undefined,
  to: JsonValue | undefined,
  path: readonly string[],
): readonly (readonly string[])[] {
  if (isArray(from) && isArray(to) && from.length === to.length) {
    return from.flatMap((item, index) => leavesOf(item, to[index], [...path, String(index)]));
  }
  if (!isObject(from) || !isObject(to)) return [path];
  return Object.keys(from).flatMap((key) => leavesOf(own(from, key), own(to, key), [...path, key]));
}

/** Undefined if this way is not possible. */
function carryOne(text: string, from: readonly string[], to: readonly string[]): string | undefined {
  const document = documentIn(text);
  const value = valueInText(text, from);
  if (document === undefined || value === undefined) return undefined;
  const wanted = withValue(document, to, value);
  const source = sourceAt(text, from);
  const written = compact([source, JSON.stringify(value)]);
  for (const each of written) {
    for (const edited of editsOf(text, to, each)) {
      if (sameJson(documentIn(edited), wanted) && sourceAt(edited, to) === each) return edited;
    }
  }
  return undefined;
}

function withValue(document: JsonValue, [key, ...rest]: readonly string[], value: JsonValue): JsonValue {
  if (key === undefined) return value;
  if (isArray(document)) {
    return document.map((item, index) => (String(index) === key ? withValue(item, rest, value) : item));
  }
  if (!isObject(document)) return withValue({}, [key, ...rest], value);
  const made: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(document)) put(made, name, member);
  put(made, key, withValue(own(document, key) ?? {}, rest, value));
  return made;
}

function rootOf(text: string): Node | null {
  return parseDocument(text, { merge: true, uniqueKeys: false, logLevel: 'silent' }).contents;
}

/** The text of a value on one line, with its quotes; otherwise undefined. */
function sourceAt(text: string, path: readonly string[]): string | undefined {
  const node = nodeAt(rootOf(text), path);
  const [start = 0, end = 0] = node?.range ?? [];
  const source = text.slice(start, end);
  return node === undefined || isAlias(node) || source === '' || /[\r\n]/.test(source) ? undefined : source;
}

function nodeAt(root: Node | null, path: readonly string[]): Node | undefined {
  let node: unknown = root;
  for (const key of path) {
    node = isSeq(node) ? node.items[Number(key)] : isMap(node) ? pairIn(node, key)?.value : undefined;
  }
  return isNodeWithRange(node) ? node : undefined;
}

function pairIn(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

function isNodeWithRange(node: unknown): node is Node {
  return typeof node === 'object' && node !== null && 'range' in node;
}

/** The possible edited texts with the value at the path, the best first. */
function editsOf(text: string, path: readonly string[], written: string): readonly string[] {
  const root = rootOf(text);
  const node = nodeAt(root, path);
  if (node !== undefined) return isAlias(node) ? [] : replaceValue(text, node, written);
  const known = path.findLastIndex((_, index) => nodeAt(root, path.slice(0, index)) !== undefined);
  const map = nodeAt(root, path.slice(0, known));
  const [key = '', ...below] = path.slice(known);
  const value = below.reduceRight((inner, name) => `{${keyText(name)}: ${inner}}`, written);
  return isMap(map) ? addEntry(text, map, `${keyText(key)}: ${value}`) : [];
}

function keyText(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) && !/^(?:true|false|null|yes|no|on|off)$/i.test(key) ? key : JSON.stringify(key);
}

function replaceValue(text: string, node: Node, written: string): readonly string[] {
  const [start, end] = node.range ?? [0, 0, 0];
  if (isCollection(node) && /(?:^|\s)#/m.test(text.slice(start, end))) return []; // a comment in it would be lost
  const before = text.slice(0, start);
  const space = /[\s[{,]$/.test(before) ? '' : ' ';
  // A value of several lines ends with its last line.
  const behind = start + text.slice(start, end).trimEnd().length;
  return [`${before}${space}${written}${text.slice(behind)}`];
}

/** Adds an entry after the last one, or in an empty object. */
function addEntry(text: string, map: YAMLMap, entry: string): readonly string[] {
  const [start, end] = map.range ?? [0, 0, 0];
  const last = map.items.at(-1);
  if (map.flow === true) {
    const close = text.lastIndexOf('}', end - 1);
    const behind = text.slice(0, close).trimEnd();
    const space = text.slice(behind.length, close);
    return [`${behind}${last === undefined ? '' : ','} ${entry}${space}${text.slice(close)}`];
  }
  const first = map.items[0]?.key;
  if (!isNodeWithRange(first)) return [];
  const lineStart = text.lastIndexOf('\n', (first.range?.[0] ?? start) - 1) + 1;
  const indent = text.slice(lineStart, first.range?.[0] ?? start);
  if (indent.trim() !== '') return [];
  const lastEnd = endOf(last) ?? end;
  const lineEnd = text.indexOf('\n', lastEnd - (text[lastEnd - 1] === '\n' ? 1 : 0));
  const at = lineEnd < 0 ? text.length : lineEnd;
  return [`${text.slice(0, at)}\n${indent}${entry}${text.slice(at)}`];
}

/** The end of an entry's value, without following comments. */
function endOf(pair: Pair | undefined): number | undefined {
  const { key, value } = pair ?? {};
  const inner = isMap(value) ? endOf(value.items.at(-1)) : undefined;
  if (inner !== undefined && isMap(value) && value.flow !== true) return inner;
  const node = isNodeWithRange(value) ? value : isNodeWithRange(key) ? key : undefined;
  return node?.range?.[1];
}
