import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
  numberAt,
  objectAt,
  sameJson,
  stringAt,
} from '../../base/json/json.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { ToolError } from '../../base/toolError.ts';
import { hiddenTexts } from '../../client/hiddenTexts.ts';
import { isCode } from '../../client/http/apiError.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { loadValidators } from '../../kinds/validators.ts';
import { checkManifests } from '../../manifest/checkManifests.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { ManifestDocument } from '../../manifest/model/manifest.ts';
import { parseManifestText } from '../../manifest/parseManifestText.ts';
import { applyPatch } from '../../patch/applyPatch.ts';
import { diff } from '../../patch/diff.ts';
import { type FieldChange, fieldChanges, maskSensitive } from '../../patch/fieldChanges.ts';
import { bySchema } from '../../patch/shouldMask.ts';
import { directivesOf } from '../../plan/model/planContext.ts';
import { decodeText } from '../../project/files/decodeText.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { readBytes } from '../../project/files/readBytes.ts';
import { fileSizes } from '../../project/files/sizes.ts';
import { toYaml } from '../../project/files/toYaml.ts';
import { endingText } from '../../project/session/runProgram.ts';
import type { Environment } from '../../project/session/session.ts';
import { type CreatableKind, isCreatableKind, isGvcScoped, type Kind } from '../../schema/record/kinds.ts';
import { contextOf, type RecordContext, refTo } from '../../schema/record/ref.ts';
import { toText } from '../../terminal/answer.ts';
import { ask, noTerminal } from '../../terminal/ask.ts';
import type { Ending } from '../../terminal/ending.ts';
import { printable, printableLines } from '../../terminal/printable.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { runUserCommand } from '../../terminal/userCommand.ts';
import type { Api } from '../call/api.ts';
import type { Call } from '../call/command.ts';
import { kindOf } from '../call/input.ts';
import type { Item } from '../call/item.ts';
import { readAfter, readBack, unlikeChange } from '../call/lostAnswer.ts';
import { isWhole, readRecord } from '../call/readRecord.ts';
import { gvcOf, inOrder } from '../call/records.ts';
import { hasOnlyRisen, sendUnmoved } from '../call/sendChange.ts';
import { forEachRef } from './get.ts';

interface Editing extends Item {
  readonly call: Call;
  readonly file: string;
}

type Outcome = { readonly record: JsonObject } | { readonly again: Draft } | 'nothing';

/**
 * `edit REF`: opens the record in an editor, checks what was saved, shows the smallest patch for it, and sends that.
 * Mistakes are written above the text, and the editor is opened again. Changes of other clients in the meantime are
 * kept: the user's change is put on top of them, and shown again. The user's text is never lost.
 */
export async function runEdit(call: Call): Promise<Ending> {
  requireEditable(call);
  const editor = editorOf(call.context.environment);
  return forEachRef(call, 'could not be edited', (item) => editOne(call, item, editor));
}

/** The record after the edit; undefined if nothing was changed. */
async function editOne(call: Call, item: Item, editor: string): Promise<JsonObject | undefined> {
  const { kind } = item;
  const live = await item.read();
  const draft = await draftOf(kind, live);
  const folder = mkdtempSync(join(tmpdir(), 'gantry-edit-'));
  const editing: Editing = { ...item, call, file: join(folder, `${kind}.yaml`) };
  // A signal ends the process without coming back here.
  const atExit = () => {
    if (keepTyped(folder, editing.file, draft)) call.context.terminal.message(savedIn(editing.file));
  };
  process.once('exit', atExit);
  const outcome = await settle(editing, editor, draft)
    .catch((error: unknown) => {
      const isKept = keepTyped(folder, editing.file, draft);
      throw isKept && error instanceof ToolError ? withFile(error, editing.file) : error;
    })
    .finally(() => process.off('exit', atExit));
  rmSync(folder, { recursive: true, force: true });
  if (outcome !== 'nothing') return outcome.record;
  call.context.terminal.message('Nothing was changed.');
  return undefined;
}

/**
 * Keeps only the user's text in the folder, without the editor's own copies. False if nothing was typed, and the folder
 * was deleted.
 */
function keepTyped(folder: string, file: string, { original }: Draft): boolean {
  const text = readText(file);
  const isTyped = text !== undefined && withoutHead(text) !== original;
  const all = readdirSync(folder).map((name) => join(folder, name));
  for (const path of isTyped ? all.filter((each) => each !== file) : [folder])
    rmSync(path, { recursive: true, force: true });
  return isTyped;
}

/** Undefined if it cannot be read. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** `get` does not show secret values, so a replacement by its text would delete them. Errors: `cli.usage`. */
function requireEditable(call: Call): void {
  const kind = kindOf(call);
  const hidden = hiddenField(kind);
  if (hidden === undefined || !call.given.flag('replace')) return;
  throw new UsageError(
    `a ${kind} cannot be replaced by a text in which its ${hidden} is not shown`,
    `Leave out --replace to change its other fields; gantry ${kind} patch REF --file FILE writes ${hidden}.`,
  );
}

/** Opens the editor until a change was sent, or there is nothing to send. Errors: `edit.*`, those of the platform. */
async function settle(
  editing: Editing,
  editor: string,
  first: Draft,
): Promise<Exclude<Outcome, { readonly again: Draft }>> {
  const { call, file } = editing;
  for (let draft = first; ; ) {
    await writeFile(file, headed(draft, editing.ref.name), { mode: 0o600 });
    const saved = await runEditor(editor, { ...call.context, file });
    const text = withoutHead(saved);
    if (isHeldBack(draft, saved)) throw heldBack();
    if (text === draft.original || text.trim() === '') return 'nothing';
    if (draft.isWrong && text === draft.text) throw notCorrected(draft);
    const outcome = await send(editing, { ...draft, text });
    if (outcome === 'nothing' || 'record' in outcome) return outcome;
    // A program used as editor gets one chance to correct its text: it might repeat forever, with no user to stop it.
    if (draft.isWrong && outcome.again.isWrong && !call.context.terminal.canAsk) throw notCorrected(outcome.again);
    draft = outcome.again;
    for (const line of draft.said) call.context.terminal.message(printable(line));
  }
}

function heldBack(): ToolError {
  return new ToolError({
    code: 'edit.not-saved',
    message:
      'somebody else changed the record while you edited it, and the file was closed as it was; nothing was written',
    hint: 'Run the command again to see the record as it is now.',
  });
}

function notCorrected({ said: [, ...problems] }: Draft): ToolError {
  return new ToolError({
    code: 'edit.not-saved',
    message: ['the text was not corrected; nothing was written', ...problems].join('\n'),
  });
}

/** Checks the text, and sends its change. Errors: `edit.not-confirmed`, and those of the platform except refusals. */
async function send(editing: Editing, draft: Draft): Promise<Outcome> {
  const { call, api, kind, path } = editing;
  const { live } = draft;
  const checked = await checkDraft(kind, draft, api.org);
  if ('problems' in checked) return wrong(draft, checked.problems);
  const change = await changeOf(editing, live, checked.record);
  if (change === undefined) return 'nothing';
  const replaces = call.given.flag('replace');
  const body = replaces ? checked.record : change;
  await confirm(call, replaces ? { replaced: body } : maskSensitive(bySchema(shapeOf(kind, live)), body));
  // A PUT has no precondition (platform/wire.operations); a read just before replaces it.
  if (replaces) {
    const now = await readRecord(api, editing.ref);
    const hasSameTags = sameJson(objectAt(live, 'tags'), objectAt(now, 'tags'));
    const isUnmoved =
      !isNewer(now, live) || (hasSameTags && (await hasOnlyRisen(api, editing.ref, { live, body }, now)));
    if (!isUnmoved) return onTop(editing, now, { draft, change });
  }
  try {
    if (!replaces) return { record: await sendUnmoved(api, editing.ref, live, body) };
    const sending = api.send('PUT', path, body, hiddenTexts(kind, body));
    const { record } = await sending.catch(async (error: unknown) => {
      const made = applyPatch(shapeOf(kind, live), live, change, contextFor(api, kind, live));
      const differs = (now: JsonObject): readonly string[] | undefined =>
        made.ok ? unlikeChange(editing.ref, now, { before: live, wanted: made.record }, api.org) : undefined;
      return { record: await readBack(api, error, { path, kind, body, differs }) };
    });
    const read = (): Promise<JsonObject> => readRecord(api, editing.ref);
    const isShown = isWhole(editing.ref, record);
    return { record: isShown ? record : await readAfter(read, (shown) => isNewer(shown, live)) };
  } catch (error) {
    if (!isCode(error, 'api.invalid', 'api.conflict', 'api.quota')) throw error;
    const now = isCode(error, 'api.conflict') ? await readRecord(api, editing.ref) : live;
    return isNewer(now, live) ? onTop(editing, now, { draft, change }) : wrong(draft, error.message.split('\n'));
  }
}

function isNewer(now: JsonObject, live: JsonObject): boolean {
  return numberAt(now, 'version') !== numberAt(live, 'version');
}

function wrong(draft: Draft, problems: readonly string[]): Outcome {
  const said = ['This cannot be saved:', ...problems.map((each) => `  ${each}`)];
  return { again: { ...draft, said, isWrong: true, isRebased: false } };
}

/** The change on top of the current record; if it does not fit there, the text as it is. */
async function onTop(
  { api, kind }: Editing,
  live: JsonObject,
  { draft, change }: { readonly draft: Draft; readonly change: JsonObject },
): Promise<Outcome> {
  const shape = shapeOf(kind, live);
  const applied = applyPatch(shape, live, change, contextFor(api, kind, live));
  if (!applied.ok)
    return wrong(draft, [
      'somebody else has changed the record in the meantime, and your change no longer applies to it',
    ]);
  const said = [
    'Somebody else has changed the record in the meantime:',
    ...fieldChanges(bySchema(shape), draft.live, live).map((each) => `  ${changeText(each)}`),
    'Below is the new record with your change on top of it.',
  ];
  const [rebased, text] = await Promise.all([draftOf(kind, live), textOf(kind, applied.record)]);
  return { again: { ...rebased, text, said, isRebased: true } };
}

/** Such as `spec.env.A.value: "b" → "c"`. */
function changeText({ path, old, new: now }: FieldChange): string {
  const shown = (value: FieldChange['old']) => (value === undefined ? '(none)' : JSON.stringify(value));
  return `${path}: ${shown(old)} → ${shown(now)}`;
}

async function changeOf({ api, kind }: Editing, live: JsonObject, record: JsonObject): Promise<JsonObject | undefined> {
  const { directives } = await api.discovery();
  return diff(kind, live, record, {
    context: contextFor(api, kind, live),
    directives: directivesOf({ directives, capabilities: api.capabilities }),
    // The text showed all fields, so a missing one was removed on purpose.
    wasSet: () => true,
    revertOperational: true,
  })?.patch;
}

function contextFor({ org }: Api, kind: Kind, live: JsonObject): RecordContext {
  const gvc = gvcOf(live);
  const name = stringAt(live, 'name') ?? '';
  return contextOf(refTo(kind, name, gvc), org);
}

/** Without a terminal, saving in the editor confirms; with `--no-input`, only `--yes` does. */
async function confirm({ context: { terminal, options }, given }: Call, body: JsonObject): Promise<void> {
  terminal.message(printableLines(await toText(body, 'yaml')).join('\n'));
  if (given.flag('yes')) return;
  if (!options.input) {
    throw new ToolError({
      code: 'edit.not-confirmed',
      message: `${noTerminal}; nothing was changed`,
      hint: 'Add --yes.',
    });
  }
  if (!terminal.canAsk) return;
  if (await ask('\nSend this? (yes/no) ')) return;
  throw new ToolError({ code: 'edit.not-confirmed', message: 'not confirmed; nothing was changed' });
}

function savedIn(file: string): string {
  return `Your text is saved in ${file}.`;
}

function withFile(error: ToolError, file: string): ToolError {
  const { code, message, hint, causes } = error;
  const saved = savedIn(file);
  return new ToolError({ code, message, hint: hint === undefined ? saved : `${hint} ${saved}`, causes, cause: error });
}

/** A text that is being edited. */
interface Draft {
  /** The record that the text was made from. */
  readonly live: JsonObject;
  /** The text of that record. */
  readonly original: string;
  readonly text: string;
  /** The lines above the text. */
  readonly said: readonly string[];
  /** True if the text cannot be sent as it is. */
  readonly isWrong: boolean;
  /** The text is a change on top of another client's: it is sent if the user consents in the file. */
  readonly isRebased: boolean;
}

/** The unedited draft of a record. */
async function draftOf(kind: Kind, live: JsonObject): Promise<Draft> {
  const original = await textOf(kind, live);
  return { live, original, text: original, said: [], isWrong: false, isRebased: false };
}

/** The fields of a record that a client can set, as YAML. */
function textOf(kind: Kind, record: JsonObject): Promise<string> {
  const { fields } = shapeOf(kind, record);
  const declarable = mapMembers(record, (value, name) => {
    const field = fields.get(name);
    return field === undefined || field.facts.responseOnly === true || name === 'health' ? undefined : value;
  });
  return toYaml(inOrder(declarable));
}

const mark = '# gantry: ';

const consent = 'Delete this line to send it. As long as the line is there, nothing is sent.';

/** Whether the file still says that nothing is to be sent. */
function isHeldBack({ isRebased, text }: Draft, saved: string): boolean {
  return isRebased && withoutHead(saved) === text && saved.includes(consent);
}

/** The text with its messages above it. */
function headed({ said, text, isRebased }: Draft, ref: string): string {
  const usual = `Save and close the file to change ${ref}. Close it unchanged to change nothing.`;
  const lines = [...said, isRebased ? consent : usual];
  return `${lines.map((line) => `${mark}${printable(line)}\n`).join('')}${text}`;
}

/** The text without the messages above it. */
function withoutHead(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith(mark.trimEnd()))
    .join('\n');
}

/** The record in a text, or its problems. */
type Checked = { readonly record: JsonObject } | { readonly problems: readonly string[] };

/** Checks a text; each problem has its line. Problems that the record had before are not mistakes of the edit. */
async function checkDraft(kind: Kind, { live, original, text }: Draft, org: string): Promise<Checked> {
  const { documents, problems } = parseManifestText({ text, file: 'line', format: 'yaml' });
  if (problems.length > 0)
    return { problems: problems.map(({ position, message }) => `line ${position.line}: ${message}`) };
  const [document, ...others] = documents;
  if (document === undefined || others.length > 0 || !isObject(document.value)) {
    return { problems: ['the text must be one record, in one YAML document'] };
  }
  const record = document.value;
  if (stringAt(record, 'name') !== stringAt(live, 'name')) return { problems: ['name: a record cannot be renamed'] };
  if (!isCreatableKind(kind)) return { record };
  const found = await mistakesIn(document, kind, live, org);
  if (found.length === 0) return { record };
  const before = await mistakesBefore(original, kind, live, org);
  const made = found.filter((problem) => !before.some((old) => isSame(old, problem)));
  if (made.length === 0) return { record };
  return {
    problems: made.map(
      ({ position, path, message, hint }) =>
        `line ${position.line}: ${path === '' ? '' : `${path}: `}${message}${hint === undefined ? '' : ` (${hint})`}`,
    ),
  };
}

/** A problem, and the value that it concerns. */
type Mistake = LocatedProblem & { readonly value: JsonValue | undefined };

async function mistakesIn(
  document: ManifestDocument,
  kind: CreatableKind,
  live: JsonObject,
  org: string,
): Promise<readonly Mistake[]> {
  const record = isObject(document.value) ? document.value : {};
  const gvc = gvcOf(live);
  const value = { kind, ...record, ...(gvc !== undefined && isGvcScoped(kind) ? { gvc } : {}) };
  const { problems } = checkManifests([{ ...document, value }], { org, validators: await loadValidators([kind]) });
  const hidden = hiddenField(kind);
  return problems
    .filter(({ severity, path }) => severity === 'error' && path !== hidden)
    .map((problem) => ({ ...problem, value: valueThere(record, problem.pointer) }));
}

async function mistakesBefore(
  original: string,
  kind: CreatableKind,
  live: JsonObject,
  org: string,
): Promise<readonly Mistake[]> {
  const [document] = parseManifestText({ text: original, file: 'line', format: 'yaml' }).documents;
  return document === undefined ? [] : mistakesIn(document, kind, live, org);
}

function isSame(one: Mistake, other: Mistake): boolean {
  return one.rule === other.rule && one.path === other.path && sameJson(one.value ?? null, other.value ?? null);
}

/** A command line for the user's shell; the file is its last argument. Errors: `cli.usage`. */
function editorOf(environment: Environment): string {
  const editor = environment['VISUAL'] || environment['EDITOR'];
  if (editor !== undefined && editor !== '') return editor;
  throw new UsageError(
    'no editor is set',
    'Set VISUAL or EDITOR, for example EDITOR=vi; or use gantry KIND update --set.',
  );
}

interface Edited {
  readonly file: string;
  readonly cwd: string;
  readonly environment: Environment;
}

/** Opens a file in an editor, and returns the saved bytes as text. Errors: `edit.editor`. */
async function runEditor(editor: string, { file, cwd, environment }: Edited): Promise<string> {
  const end = await runUserCommand({
    line: process.platform === 'win32' ? `${editor} "${file}"` : `${editor} "$GANTRY_EDIT_FILE"`,
    cwd,
    environment: { ...environment, GANTRY_EDIT_FILE: file },
  });
  if (end !== 0) {
    const ended = typeof end === 'number' ? { code: end, signal: null } : { code: null, signal: end };
    throw failed(`the editor ${endingText(ended)}`);
  }
  const saved = await readBytes(file, { most: fileSizes.manifests }).catch((error: unknown) => {
    throw failed(`what the editor saved cannot be read: ${systemReason(error)}`);
  });
  // A lenient decoder would write invalid bytes as question marks.
  const decoded = decodeText(saved, 'line');
  if ('text' in decoded) return decoded.text;
  const { position, message } = decoded.problem;
  throw failed(`what the editor saved cannot be read: line ${position.line}: ${message}`);
}

function failed(why: string): ToolError {
  return new ToolError({ code: 'edit.editor', message: `${why}; nothing was written` });
}
