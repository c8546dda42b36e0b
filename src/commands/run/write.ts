import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  objectAt,
  sameJson,
  stringAt,
} from '../../base/json/json.ts';
import { nonEmpty, present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { hiddenTexts } from '../../client/hiddenTexts.ts';
import { type ApiError, isCode } from '../../client/http/apiError.ts';
import type { Change, ClientFacts, OptionLinks } from '../../kinds/common/client.ts';
import { wordsOf } from '../../kinds/kindWords.ts';
import { readRef } from '../../kinds/readRef.ts';
import { shapeOf, variantsOf } from '../../kinds/shapeOf.ts';
import { shownOnceIn } from '../../kinds/shownOnce.ts';
import type { LinkFact } from '../../schema/facts/fieldFacts.ts';
import { isGvcScoped, isKnownKind, type Kind, kindNamed } from '../../schema/record/kinds.ts';
import { contextOf, linkOf, type RecordContext, type Ref, refTo } from '../../schema/record/ref.ts';
import { fieldShape, type Shape } from '../../schema/shape/shape.ts';
import { toText } from '../../terminal/answer.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { Api } from '../call/api.ts';
import type { Call, Run } from '../call/command.ts';
import { kindOf, objectIn, readTextOf } from '../call/input.ts';
import { openItem } from '../call/item.ts';
import { missingItem } from '../call/missingItem.ts';
import { homeOf } from '../call/paths.ts';
import { showRecord } from '../call/present.ts';
import { queryTerms } from '../call/queryTerms.ts';
import { optionLinks, optionRefs } from '../call/refs.ts';
import { precondition, sendDocument, sendUnmoved } from '../call/sendChange.ts';
import { assignedPaths, setPatch } from '../call/setPatch.ts';
import { tagsOf } from '../call/tags.ts';
import { forEachRef } from './get.ts';

/**
 * `create`: POST, then GET of the created record. `bodyOf` builds the body from the options; the name, description and
 * tags are added to it. With `--file` the body comes from the file, and options override it.
 */
export function creating(bodyOf: NonNullable<ClientFacts['create']>): Run {
  return async (call) => {
    const kind = kindOf(call);
    const file = call.given.text('file');
    if (file === undefined) requireOptions(call, kind);
    const fromFile = file === undefined ? {} : await recordIn(call, file);
    const api = await call.open();
    const made = file === undefined ? bodyOf(call.given, linksOf(call, api)) : {};
    const { body, gvc } = placed(api, kind, { ...fromFile, ...made, ...envelope(call, fromFile) });
    checkBodyLinks(kind, body, contextOf(refTo(kind, stringAt(body, 'name') ?? '', gvc), api.org));
    await showMade(call, kind, await api.create(homeOf(api, kind, gvc), body, hiddenTexts(kind, body)), api);
    return exitCode.ok;
  };
}

/** Shows a new record, with the values that only the answer to its creation contains. */
async function showMade(call: Call, kind: Kind, record: JsonObject, api: Api): Promise<void> {
  await showRecord(call, kind, record, api);
  const once = shownOnceIn(record);
  if (Object.keys(once).length === 0) return;
  const { terminal, options } = call.context;
  if (options.form === 'text') terminal.result(`\n${await toText(once, 'yaml')}`);
  const isShown = ['text', 'json', 'yaml'].includes(options.form);
  terminal.message(
    isShown
      ? 'Store what its status shows now: it is not shown again.'
      : `What the platform shows once is not in this format. Delete the ${wordsOf(kind).singular} and create it again with -o json.`,
  );
}

/** The record in a file. Errors: `input.file`, `cli.usage` if it is of another kind. */
async function recordIn(call: Call, file: string): Promise<JsonObject> {
  const record = objectIn(await readTextOf(call, file), file);
  const said = stringAt(record, 'kind');
  const kind = kindOf(call);
  if (said === undefined || said === kind) return record;
  throw new UsageError(
    `${file === '-' ? 'standard input' : file} is a ${said}, not a ${kind}`,
    `Give it to gantry ${said} ${call.row.verb}.`,
  );
}

/** Takes the GVC, which is not a field, out of the record. Errors: `cli.usage` if the command is about another one. */
function placed(api: Api, kind: Kind, record: JsonObject): { readonly body: JsonObject; readonly gvc?: string } {
  const { gvc: said, ...body } = record;
  if (!isGvcScoped(kind) || said === undefined) return { body: record, ...present({ gvc: api.gvc }) };
  if (typeof said === 'string' && (api.gvc === undefined || api.gvc === said)) return { body, gvc: said };
  throw new UsageError(
    `the record says that it is in the GVC ${JSON.stringify(said)}, and the command is about ${api.gvc}`,
    `Give --gvc ${typeof said === 'string' ? said : 'NAME'}, or change gvc in the file.`,
  );
}

/** Requires the options for a creation without a file. */
function requireOptions({ given }: Call, kind: Kind): void {
  if (given.text('name') === undefined) {
    throw new UsageError('--name NAME is missing', `Give --name NAME, or --file FILE with the whole ${kind}.`);
  }
}

function envelope({ given }: Call, before: JsonObject): JsonObject {
  const [name, description] = [given.text('name'), given.text('description')];
  const tags = given.list('tag');
  return {
    ...present({ name, description }),
    ...present({ tags: tags.length === 0 ? undefined : { ...objectAt(before, 'tags'), ...tagsOf(tags) } }),
  };
}

/** `clone REF --name NAME`: the whole record under another name; the platform ignores its own fields. */
export async function runClone(call: Call): Promise<Ending> {
  const { api, kind, ref, read } = await openItem(call);
  const { given } = call;
  const record = await read();
  const name = given.text('name') ?? '';
  const description = given.text('description') ?? `Clone of ${stringAt(record, 'name') ?? ref.name}`;
  const body = { ...record, name, description, tags: { ...objectAt(record, 'tags'), ...tagsOf(given.list('tag')) } };
  await showMade(call, kind, await api.create(homeOf(api, kind), body), api);
  return exitCode.ok;
}

/** `patch REF --file FILE`: the document is sent as it is. */
export async function runPatch(call: Call): Promise<Ending> {
  const body = await recordIn(call, call.given.text('file') ?? '-');
  await checkLinks(call, body);
  return patched(call, () => body);
}

/** `update REF --set … --unset …`. */
export async function runUpdate(call: Call): Promise<Ending> {
  const [sets, unsets] = [call.given.list('set'), call.given.list('unset')];
  if (sets.length + unsets.length === 0) {
    throw new UsageError('no field to change is named', 'Give --set PATH=VALUE or --unset PATH.');
  }
  const kind = kindOf(call);
  const paths = (await call.open()).dialect?.paths(kind).toNeutral;
  // Mistakes are reported before anything is read, except in a secret, whose fields depend on its type.
  const isVaried = isKnownKind(kind) && variantsOf(kind) !== undefined;
  if (!isVaried) await checkLinks(call, setPatch(shapeOf(kind), { sets, unsets, paths }));
  const assignments = { sets, unsets, paths };
  return changed(call, (record) => {
    const shape = shapeOf(kind, record);
    const body = setPatch(shape, assignments);
    const missing = missingItem(shape, body, record, assignedPaths(assignments));
    if (missing !== undefined) throw missing;
    return body;
  });
}

/** Checks the links in a patch of the record that REF names. Errors: `cli.usage`. */
async function checkLinks(call: Call, body: JsonObject): Promise<void> {
  const { api, kind, ref } = await openItem(call);
  checkBodyLinks(kind, body, contextOf(ref, api.org));
}

/** `tag REF --tag K=V --remove-tag K`. */
export async function runTag(call: Call): Promise<Ending> {
  const [set, removed] = [call.given.list('tag'), call.given.list('removeTag')];
  if (set.length + removed.length === 0) {
    throw new UsageError('no tag is named', 'Give --tag KEY=VALUE or --remove-tag KEY.');
  }
  const tags = { ...tagsOf(set), ...nonEmpty({ $drop: removed }) };
  return patched(call, () => ({ tags }));
}

const failed = 'could not be changed';

/** Sends a PATCH to each record that a REF names, and prints the results. */
export function patched(call: Call, bodyOf: (api: Api) => JsonObject): Promise<Ending> {
  return forEachRef(call, failed, ({ api, ref, withSuggestion }) =>
    withSuggestion(sendDocument(api, ref, bodyOf(api))),
  );
}

/**
 * The same with a body computed from the current record: its `version` is sent with it, so that a concurrent change is
 * refused and not overwritten. Errors: `api.conflict`.
 */
export function changed(call: Call, bodyOf: (record: JsonObject, api: Api) => JsonObject): Promise<Ending> {
  return forEachRef(call, failed, async ({ api, ref, read }) => {
    const before = await read();
    return sendUnmoved(api, ref, before, bodyOf(before, api)).catch(async (error: unknown) => {
      if (!isCode(error, 'api.conflict')) throw error;
      const now = await read();
      throw isSame(now, before) ? error : changedMeanwhile(ref, error);
    });
  });
}

/** The same with the change of a kind's own command (`kinds/<kind>/client.ts`). */
export function changing(change: Change): Run {
  return (call) => changed(call, (record, api) => change(record, call.given, linksOf(call, api)));
}

function isSame(one: JsonObject, other: JsonObject): boolean {
  return sameJson(precondition(one), precondition(other));
}

function changedMeanwhile({ kind, name }: Ref, cause: ApiError): ToolError {
  return new ToolError({
    code: cause.code,
    message: `somebody else changed the ${kind} ${name} after this command had read it; nothing was written`,
    hint: 'Run the command again: it reads the record anew.',
    cause,
  });
}

/**
 * Refuses a link to another org, or to a kind or GVC that its field does not accept, in a record or in a patch of one.
 * The platform checks everything else. `context`: that of the record. Errors: `cli.usage`.
 */
function checkBodyLinks(kind: Kind, body: JsonObject, { org, gvc }: RecordContext): void {
  for (const { path, text, fact } of linksIn(shapeOf(kind, body), body, '')) {
    const [first, ...others] = fact.to;
    if (first === undefined || !text.startsWith('/')) continue;
    const read = readRef(text, { kinds: [first, ...others], org, gvc, inAnyGvc: fact.inOwnGvc !== true });
    if ('ref' in read || read.wrong.why === 'form' || read.wrong.why === 'no-gvc') continue;
    throw new UsageError(`${path}: ${read.wrong.message}`, 'Link to a record that this field takes, in the same org.');
  }
}

interface FoundLink {
  readonly path: string;
  readonly text: string;
  readonly fact: LinkFact;
}

function linksIn(shape: Shape, value: JsonValue, path: string): readonly FoundLink[] {
  if (shape.type === 'scalar') {
    const fact = shape.facts.link;
    return fact === undefined || typeof value !== 'string' ? [] : [{ path, text: value, fact }];
  }
  if (isArray(value)) {
    return shape.type === 'list' ? value.flatMap((item, at) => linksIn(shape.item, item, `${path}[${at}]`)) : [];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const below = path === '' ? key : `${path}.${key}`;
    if (shape.type === 'map') return linksIn(shape.value, member, below);
    // A directive, such as `$append/memberLinks`, concerns the field after the slash.
    const name = key.startsWith('$') ? key.slice(key.indexOf('/') + 1) : key;
    const field = shape.type === 'object' ? fieldShape(shape, name) : undefined;
    return field === undefined ? [] : linksIn(field, member, below);
  });
}

/** The records that the options of a call name, for the functions of a kind (`kinds/<kind>/client.ts`). */
function linksOf(call: Call, api: Api): OptionLinks {
  const { given } = call;
  return {
    of: (option) => optionLinks(call, api, option),
    each: (option) => optionRefs(call, api, option).map((ref) => linkOf(ref, api.org)),
    query: (usual) => {
      const kind = kindNamed(given.text('queryKind')) ?? usual;
      const terms = queryTerms(call, api, kind, 'query');
      if (terms.length === 0) return undefined;
      return { kind, fetch: 'items', spec: { match: given.text('queryMatch') ?? 'all', terms } };
    },
  };
}
